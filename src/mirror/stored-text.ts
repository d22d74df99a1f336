// Reading a text whatever form it is stored in: plain in `bodies`, or in `superseded` as its difference from a newer one.
// SQLite lets a function run no query of its own, so the chain is gathered by SQL and put together by an aggregate.
import type Database from 'better-sqlite3';
import { bodyHash } from './body-hash.ts';
import { decompress } from './compress.ts';

/** From the text wanted to the one that stands alone or is plain. */
type Chain = (Buffer | string)[];

/** Teaches a connection to read superseded texts, and to compare a text with its hash. */
export function addTextFunctions(driver: Database.Database): void {
  driver.aggregate('docmirror_unfold', {
    start: (): Chain => [],
    step: (chain: Chain, ...[step, data]: unknown[]) => {
      if (typeof step === 'number' && (typeof data === 'string' || Buffer.isBuffer(data))) chain[step] = data;
    },
    result: unfold,
    varargs: true,
    deterministic: true,
  });
  driver.function('docmirror_hash', { deterministic: true }, (text: unknown) => bodyHash(String(text)));
}

function unfold(chain: Chain): string | null {
  let text: string | null = null;
  for (const link of chain.toReversed()) text = typeof link === 'string' ? link : decompress(link, text);
  return text;
}

/**
 * SQL for the text of a superseded body, by an expression for its number; null when it is not superseded.
 * Only for connections that `addTextFunctions` has seen.
 */
export function supersededSql(bid: string): string {
  return `(with recursive chain (step, base, data) as (
    select 0, s.base, s.data from superseded s where s.bid = ${bid}
    union all select c.step + 1, s.base, s.data from chain c join superseded s on s.bid = c.base
    union all select c.step + 1, null, p.data from chain c join bodies p on p.bid = c.base)
  select docmirror_unfold(step, data) from chain)`;
}

/** SQL for the text of a body in whatever form, by its plain form where there is one and its number. */
export function textSql(plain: string, bid: string): string {
  return `coalesce(${plain}, ${supersededSql(bid)})`;
}

/** SQL for the text of a body, for tools that know none of our functions: null once it is superseded. */
export function plainSql(plain: string): string {
  return plain;
}
