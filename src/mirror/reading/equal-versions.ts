// Versions of one resource that say the same: what lay between them was forgotten, or was changed and changed back.
import type { Mirror } from '../database/database.ts';
import { hashSql } from '../bodies/body-hash.ts';
import { legibleTextSql } from '../bodies/stored-text.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

/** SQL that is true where two versions, by their aliases, hold the same JSON, text, bytes and place. Reads no text for that. */
export function equalVersionsSql(one: string, other: string): string {
  const places = ['object', 'size', 'parent', 'position'].map((name) => `${one}.${name} is ${other}.${name}`);
  const body = `(${one}.body = ${other}.body or ${hashSql(`${one}.body`)} = ${hashSql(`${other}.body`)})`;
  const text = `(${one}.text is ${other}.text or ${hashSql(`${one}.text`)} = ${hashSql(`${other}.text`)})`;
  return [...places, body, text].join(' and ');
}

const TEXT = (bid: string): string => legibleTextSql(`(select data from bodies where bid = ${bid})`, bid);
const SEALED_IDS = `select id from snapshots where state in ${SEALED}`;

// Of two that are damaged differently, each is the last that can be read of its own nights. Only what begins behind dropped snapshots
// is looked at: elsewhere something was seen in between.
const MEETING = `select min(v.vid) as old, n.vid as next
from versions n join versions v on v.rid = n.rid and v.valid_to = n.valid_from
where n.valid_from in (select id from (${SEALED_IDS}) where id <= ? and id - 1 not in (${SEALED_IDS}))
and ${equalVersionsSql('v', 'n')}
and (v.body = n.body or ${TEXT('v.body')} = ${TEXT('n.body')}) and (v.text is n.text or ${TEXT('v.text')} = ${TEXT('n.text')})
group by n.vid order by n.valid_from, n.vid`;

/**
 * Makes one version of neighbours that are the same to the last byte, up to a snapshot: a kept one shows what it showed, and nothing
 * as changed that is as it was in the one before. The newer one stays, which readers and the search know. Call inside a transaction.
 */
export function mergeEqualVersions({ store }: Mirror, upTo: number): void {
  const take = store.prepare(
    'update versions set valid_from = o.valid_from from versions o where versions.vid = @next and o.vid = @old',
  );
  const drop = store.prepare('delete from versions where vid = ?');
  for (const pair of store.prepare<{ old: number; next: number }>(MEETING).all(upTo))
    if (take.run(pair).changes > 0) drop.run(pair.old);
}
