import { hash } from 'node:crypto';
import type { Mirror } from '../database/database.ts';

const BYTES = 16;

/** What a text, or its bytes, is known by and checked against: the first bytes of its SHA-256. */
export function bodyHash(text: string | Buffer): Buffer {
  // By way of hex: a buffer of its own for each would cost more than the digits.
  return Buffer.from(hash('sha256', text, 'hex').slice(0, 2 * BYTES), 'hex');
}

/**
 * Where plain bodies are listed by their hashes: each in one of the two. Whoever adds a row to `bodies`, takes one away or gives it
 * another hash lists that by the functions below, in the same transaction.
 */
export const HASH_TABLES = ['body_hashes_new', 'body_hashes'] as const;

// A transaction of a walk changes few pages of a small table, and most of those of a large one.
const MOST_NEW = 4096;

type Hashes = Pick<Mirror, 'store'>;

interface Listed {
  readonly hash: Buffer;
  readonly bid: number;
}

/** The number of the plain body with this hash; undefined when there is none. */
export function bodyByHash({ store }: Hashes, own: Buffer): number | undefined {
  return store.prepare<{ bid: number }>(KNOWN).get({ own })?.bid;
}

const KNOWN = HASH_TABLES.map((table) => `select bid from ${table} where hash = @own`).join(' union all ');

/** Lists a plain body; in the same transaction as the body itself. Triggers would have SQLite keep a journal for each statement. */
export function listHash({ store }: Hashes, { hash, bid }: Listed): void {
  store.prepare('insert into body_hashes_new (hash, bid) values (?, ?)').run(hash, bid);
}

export function unlistHash({ store }: Hashes, { hash, bid }: Listed): void {
  for (const table of HASH_TABLES) store.prepare(`delete from ${table} where hash = ? and bid = ?`).run(hash, bid);
}

/**
 * SQL for what one of the two lists, by the numbers of the bodies. Hashes stand in no order: who looked up the body of each as it is
 * listed would read another page of texts for each. The limit keeps SQLite from taking the order for needless.
 */
export function listedInOrderSql(table: string): string {
  return `(select hash, bid from ${table} order by bid limit -1)`;
}

/** Takes those off the lists whose bodies are gone. */
export function unlistGone({ store }: Hashes): void {
  for (const table of HASH_TABLES) {
    const gone = `select hash from ${listedInOrderSql(table)} where bid not in (select bid from bodies)`;
    store.prepare(`delete from ${table} where hash in (${gone})`).run();
  }
}

/** Moves the new hashes to the others, in their order, once they are many: a walk does so in each of its transactions. */
export function settleHashes({ store }: Hashes): void {
  const waiting = store.prepare<{ n: number }>('select count(*) as n from body_hashes_new').get()?.n ?? 0;
  if (waiting < MOST_NEW) return;
  store.prepare('insert into body_hashes (hash, bid) select hash, bid from body_hashes_new order by hash').run();
  store.prepare('delete from body_hashes_new').run();
}

/** SQL for the hash of a text in whatever form, by an expression for its number. */
export function hashSql(bid: string): string {
  return `coalesce((select hash from bodies where bid = ${bid}), (select hash from superseded where bid = ${bid}))`;
}
