// Whether a stored text is what it was, and putting right what is not.
import { readableJson } from '../../base/index.ts';
import { bodyHash } from './body-hash.ts';
import type { Mirror } from '../database/database.ts';
import { doubtSearch } from '../search/search.ts';
import { legibleTextSql } from './stored-text.ts';

/** True when a text is what was stored under this hash. */
export function isWhole({ hash, data }: { hash: Buffer; data: string | Buffer }): boolean {
  return bodyHash(data).equals(hash);
}

/** The newest earlier JSON of a resource that is whole; undefined when there is none. */
export function lastWhole({ store }: Pick<Mirror, 'store'>, rid: number): Record<string, unknown> | undefined {
  const rows = store.driver
    .prepare<[number], { hash: Buffer; data: string | null }>(
      `select coalesce(b.hash, s.hash) as hash, ${legibleTextSql('b.data', 'v.body')} as data
       from versions v left join bodies b on b.bid = v.body left join superseded s on s.bid = v.body
       where v.rid = ? and v.valid_to is not null order by v.valid_from desc`,
    )
    .iterate(rid);
  for (const { hash, data } of rows) if (data !== null && isWhole({ hash, data })) return readableJson(data);
  return undefined;
}

/** Has a plain body be what its hash says, by a text with that hash; writes nothing where it is. */
export function putRight(mirror: Mirror, bid: number, text: string): void {
  // Named, so that SQLite takes one copy of it.
  const { changes } = mirror.store
    .prepare('update bodies set data = @text where bid = @bid and data <> @text')
    .run({ bid, text });
  if (changes > 0) doubtSearch(mirror);
}
