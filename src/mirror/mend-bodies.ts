// Texts and JSON that were damaged on disk and are read again from the platform.
import { bodyHash } from './body-hash.ts';
import type { Mirror } from './database.ts';
import { currentOf, keyOf, type Observation } from './observe.ts';

/**
 * Puts back what is stored of a resource where it is damaged and what was read now is what it was. No version comes of it: what every
 * snapshot shows is again what was sealed. Call inside a transaction.
 */
export function mendBodies(mirror: Mirror, { kind, params, body, text }: Observation): void {
  const known = currentOf(mirror, kind, keyOf(kind, params));
  if (known?.body !== undefined) mendBody(mirror, known.body, JSON.stringify(body));
  if (known?.text !== undefined && typeof text === 'string') mendBody(mirror, known.text, text);
}

function mendBody({ store }: Mirror, bid: number | null, read: string): void {
  const held = store.prepare<{ hash: Buffer; data: string }>('select hash, data from bodies where bid = ?').get(bid);
  if (held === undefined || held.data === read || !held.hash.equals(bodyHash(read))) return;
  store.prepare('update bodies set data = ? where bid = ?').run(read, bid);
}
