// Answers that are well-formed JSON and still not what was asked for.
import { isRecord } from '../../base/index.ts';
import type { Effect } from './fault-injector.ts';
import { withEnumValue } from './unknown-enums.ts';

export interface Spoiling {
  effect: Effect;
  operation: string | null;
  target: string;
}

const UNKNOWN = 'unknown';

/** The response with its JSON changed as the effect says; what is no JSON or failed stays as it is. */
export async function spoil(response: Response, spoiling: Spoiling): Promise<Response> {
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const body: unknown = JSON.parse(await response.text());
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(changed(body, spoiling)), { status: response.status, headers });
}

function changed(body: unknown, { effect, operation, target }: Spoiling): unknown {
  if (effect === 'expired-download') {
    return JSON.parse(JSON.stringify(body).replaceAll(/([?&]expires=)\d+/g, '$11')) as unknown;
  }
  if (typeof effect === 'string') return listChanged(body, effect, target);
  if ('addField' in effect) return withField(body, { name: effect.addField, value: effect.value ?? UNKNOWN });
  if ('enumValue' in effect) return withEnumValue(body, operation, effect);
  return body;
}

function listChanged(body: unknown, effect: string, target: string): unknown {
  if (!isRecord(body) || !Array.isArray(body['items'])) return body;
  const items: unknown[] = body['items'];
  const { next: _, ...rest } = body;
  if (effect === 'empty-list') return { ...rest, count: 0, items: [] };
  if (effect === 'short-list') return { ...rest, items: items.slice(0, items.length >> 1) };
  const page = new URLSearchParams(target.split('?')[1]).get('page');
  return effect === 'repeat-token' && page !== null ? { ...body, next: { page } } : body;
}

/** What has an `object` or an `id` is a resource. */
function withField(value: unknown, field: { name: string; value: unknown }): unknown {
  if (Array.isArray(value)) return value.map((item) => withField(item, field));
  if (!isRecord(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, withField(inside, field)]));
  return 'object' in value || 'id' in value ? { ...copy, [field.name]: field.value } : copy;
}
