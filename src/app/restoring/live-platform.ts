import { isRecord } from '../../base/index.ts';
import { ApiError, demandAnswer, isOutage, isTokenRefused, type ApiClient } from '../../client/index.ts';
import { requirePlatform } from '../../config/index.ts';
import { kindOf, operationOf, pathFor } from '../../contract/index.ts';
import type { ListLive, LivePlatform, ReadLive } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';

type Asked = Pick<ApiClient, 'callRaw' | 'paginateRaw'>;

interface Asking {
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/**
 * The configured platform, asked for single things. Throws DM_CONFIG_MISSING when none is configured; its reads throw DM_TOKEN_REFUSED where
 * it takes the token nowhere.
 */
export async function livePlatform(kit: Kit, signal: AbortSignal): Promise<LivePlatform> {
  const client = await kit.clientOf(requirePlatform(kit.config));
  return askedBy(client, { pageSize: kit.config.walk.pageSize, signal });
}

export function askedBy(client: Asked, asking: Asking): LivePlatform {
  return { read: reader(client, asking), list: lister(client, asking) };
}

function reader(client: Asked, { signal }: Asking): ReadLive {
  let isSilent = false;
  return async ({ kind, params }) => {
    const { get } = kindOf(kind);
    if (get === undefined) return { is: 'unread', why: 'the API has no operation that reads it alone' };
    const { query } = operationOf(get);
    const input = {
      path: pathFor(get, params),
      query: Object.hasOwn(query?.properties ?? {}, 'format') ? { format: 'markdown' } : {},
    };
    try {
      const answer = await client.callRaw(get, input, { signal });
      isSilent = false;
      return isRecord(answer) ? { is: 'there', body: answer } : { is: 'unread', why: 'the answer is not an object' };
    } catch (error) {
      await demandTokenTaken(client, { error, signal });
      const unread = reasonOf(error);
      // One may be slow by itself; where the next gets no answer either, nobody waits for all the others.
      const isLast = isSilent && isOutage(error);
      isSilent = isOutage(error);
      return unread === null ? { is: 'gone' } : { ...unread, isLast };
    }
  };
}

function lister(client: Asked, asking: Asking): ListLive {
  return async ({ operation, params, filters }) => {
    const items: Readonly<Record<string, unknown>>[] = [];
    try {
      for (const query of filters)
        for await (const page of client.paginateRaw(operation, { path: pathFor(operation, params), query }, asking))
          items.push(...page.items);
      return { is: 'listed', items };
    } catch (error) {
      await demandTokenTaken(client, { error, signal: asking.signal });
      return reasonOf(error) ?? { is: 'unread', why: 'it is not found' };
    }
  };
}

/** Throws where a refusal of the token is not of this one operation: the platform takes it nowhere. */
async function demandTokenTaken(
  client: Asked,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
): Promise<void> {
  if (isTokenRefused(error)) await demandAnswer(client, signal);
}

/** Why something could not be read; null when it is not found. What says nothing of the mirror is thrown on. */
function reasonOf(error: unknown): { readonly is: 'unread'; readonly why: string } | null {
  if (!(error instanceof ApiError)) throw error;
  const isGone = error.code === 'DM_NOT_FOUND' || error.status === 410;
  return isGone ? null : { is: 'unread', why: error.message };
}
