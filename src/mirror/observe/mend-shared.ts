// What is damaged of a shared tree and is read once more.
import { bodyHash, hashSql } from '../bodies/body-hash.ts';
import { legibleTextSql } from '../bodies/stored-text.ts';
import { isWhole, putRight } from '../bodies/whole-bodies.ts';
import type { Mirror } from '../database/database.ts';
import { TREE_ENTRIES } from './shared-trees.ts';

interface Held {
  readonly id: string;
  readonly bid: number;
  readonly hash: Buffer | null;
  readonly data: string | null;
}

const held = (
  role: 'body' | 'text' | 'document',
): string => `select p.id, e.${role} as bid, ${hashSql(`e.${role}`)} as hash,
  ${legibleTextSql('b.data', `e.${role}`)} as data from ${TREE_ENTRIES}
  left join bodies b on b.bid = e.${role} where st.tid = ? and e.${role} is not null`;
const BODIES = held('body');
const BESIDES = [held('text'), held('document')];

/**
 * Ids of the entries that are damaged: those whose JSON is not what was read now, by their ids, and those whose text or document tree
 * can no longer be read. What is read now and was stored so is put back. Call inside a transaction.
 */
export function damagedShared(mirror: Mirror, tid: number, read: ReadonlyMap<string, string>): Set<string> {
  const damaged = new Set<string>();
  for (const one of mirror.store.prepare<Held>(BODIES).all(tid)) {
    const json = read.get(one.id);
    if (isSound(one)) continue;
    if (json !== undefined && one.hash !== null && bodyHash(json).equals(one.hash)) putRight(mirror, one.bid, json);
    else damaged.add(one.id);
  }
  for (const sql of BESIDES)
    for (const one of mirror.store.prepare<Held>(sql).iterate(tid)) if (!isSound(one)) damaged.add(one.id);
  return damaged;
}

function isSound({ hash, data }: Held): boolean {
  return hash !== null && data !== null && isWhole({ hash, data });
}
