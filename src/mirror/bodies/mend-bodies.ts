// Texts and JSON that were damaged on disk and are read again from the platform.
import { jsonText } from '../../base/index.ts';
import { bodyHash } from './body-hash.ts';
import type { Mirror } from '../database/database.ts';
import { setMark, type Current, type Observation } from '../observe/observe.ts';
import { isWhole, putRight } from './whole-bodies.ts';

/**
 * Puts back what is stored of a resource where it is damaged and what was read now is what it was. No version comes of it: what every
 * snapshot shows is again what was sealed. False when its JSON stays damaged because the platform sends it otherwise by now: what is
 * held is not to be believed then, and what was read becomes a version whether or not it looks changed. Call inside a transaction,
 * before it is observed.
 */
export function mendBodies(mirror: Mirror, known: Current | undefined, { body, text }: Observation): boolean {
  if (known === undefined || known.body === null) return true;
  // A text that stays damaged differs from the one that was read: that alone makes a version.
  if (typeof text === 'string' && known.text !== null) mendBody(mirror, known.text, text);
  const isMended = mendBody(mirror, known.body, jsonText(body));
  if (!isMended) setMark(mirror, known.rid, '');
  return isMended;
}

/** False when it stays damaged. */
function mendBody(mirror: Mirror, bid: number, read: string): boolean {
  const held = mirror.store
    .prepare<{ hash: Buffer; data: string }>('select hash, data from bodies where bid = ?')
    .get(bid);
  if (held === undefined || held.data === read) return true;
  if (!held.hash.equals(bodyHash(read))) return isWhole(held);
  putRight(mirror, bid, read);
  return true;
}
