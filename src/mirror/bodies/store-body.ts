// Keeping a text once, whoever holds it.
import { freeHeapFor } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { bodyByHash, bodyHash, listHash } from './body-hash.ts';
import { putRight } from './whole-bodies.ts';

/** Keeps a text, once; answers its number. A text that was superseded is plain again from here on. */
export function storeBody(mirror: Mirror, text: string, owner: number): number {
  // SQLite is about to copy it twice, beside all that it was made of.
  freeHeapFor(text.length);
  const own = bodyHash(text);
  const known = bodyByHash(mirror, own);
  if (known !== undefined) {
    shareBody(mirror, known, owner);
    // Else what was damaged of another resource would be that of this one too.
    putRight(mirror, known, text);
    return known;
  }
  const added = mirror.store.prepare(ADD_BODY).run(own, Buffer.byteLength(text), owner, text);
  const bid = Number(added.lastInsertRowid);
  listHash(mirror, { hash: own, bid });
  return bid;
}

const ADD_BODY = 'insert into bodies (hash, size, owner, data) values (?, ?, ?, ?)';

/**
 * Notes that something else than its owner holds a text too, which keeps its number when it is superseded from here on. Without a
 * holder that is none of the resources.
 */
export function shareBody({ store }: Mirror, bid: number, holder: number | null = null): void {
  store.prepare(SHARE).run(bid, holder);
}

const SHARE = 'update bodies set owner = null where bid = ? and owner <> coalesce(?, 0)';
