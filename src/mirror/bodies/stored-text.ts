// Reading a text whatever form it is stored in: plain in `bodies`, or in `superseded` as its difference from a newer one.
// SQLite lets a function run no query of its own, so the chain is gathered by SQL and put together by an aggregate.
import type Database from 'better-sqlite3';
import { AppError } from '../../base/index.ts';
import { bodyHash } from './body-hash.ts';
import { decompress } from './compress.ts';
import { jsonAtSql } from './stored-json.ts';

/** From the text wanted to the one that stands alone or is plain. */
type Chain = (Buffer | string)[];

/**
 * Teaches a connection to read superseded texts, and to compare a text with its hash.
 * @param onIllegible Called each time that a text is damaged and null stands for it.
 */
export function addTextFunctions(driver: Database.Database, onIllegible: () => void = () => undefined): void {
  addUnfold(driver, 'docmirror_unfold', whole);
  addUnfold(driver, 'docmirror_legible', (chain) => legible(chain, onIllegible));
  driver.function('docmirror_hash', { deterministic: true }, (text: unknown) => bodyHash(String(text)));
}

function addUnfold(driver: Database.Database, name: string, result: (chain: Chain) => string | null): void {
  driver.aggregate(name, {
    start: (): Chain => [],
    step: (chain: Chain, ...[step, data]: unknown[]) => {
      if (typeof step === 'number' && (typeof data === 'string' || Buffer.isBuffer(data))) chain[step] = data;
    },
    result,
    varargs: true,
    deterministic: true,
  });
}

function unfold(chain: Chain): string | null {
  let text: string | null = null;
  for (const link of chain.toReversed()) text = typeof link === 'string' ? link : decompress(link, text);
  return text;
}

function whole(chain: Chain): string | null {
  try {
    return unfold(chain);
  } catch (error) {
    throw new AppError(
      'DM_DATABASE_DAMAGED',
      'What is stored of an earlier snapshot is damaged: a text cannot be unpacked',
      {
        hint: 'Run docmirror check --read-data, which names it. To have it again, put back a copy of the data directory.',
        cause: error,
      },
    );
  }
}

function legible(chain: Chain, onIllegible: () => void): string | null {
  try {
    return unfold(chain);
  } catch {
    onIllegible();
    return null;
  }
}

/**
 * SQL for the text of a superseded body, by an expression for its number; null when it is not superseded, and DM_DATABASE_DAMAGED
 * ends the statement when it can no longer be read. Only for connections that `addTextFunctions` has seen.
 */
export function supersededSql(bid: string): string {
  return `(${chainSql(bid, 'docmirror_unfold')})`;
}

/** The same with null for what can no longer be read. */
function legibleSql(bid: string): string {
  return `(${chainSql(bid, 'docmirror_legible')})`;
}

// Far more than any is read through: to one that is damaged so that it leads to itself, there would be no end.
const MOST_LINKS = 100;

function chainSql(bid: string, unfold: string): string {
  return `with recursive chain (step, base, data) as (
    select 0, s.base, s.data from superseded s where s.bid = ${bid}
    union all select c.step + 1, s.base, s.data from chain c join superseded s on s.bid = c.base where c.step < ${MOST_LINKS}
    union all select c.step + 1, null, p.data from chain c join bodies p on p.bid = c.base)
  select ${unfold}(step, data) as data from chain`;
}

/** SQL for the text of a body in whatever form, by its plain form where there is one and its number. */
export function textSql(plain: string, bid: string): string {
  return `coalesce(${plain}, ${supersededSql(bid)})`;
}

/** The same with null for what can no longer be read. */
export function legibleTextSql(plain: string, bid: string): string {
  return `coalesce(${plain}, ${legibleSql(bid)})`;
}

/**
 * How a view reads bodies, by the plain form where there is one and the number. What is damaged is null: SQLite would end the whole
 * statement for one row.
 */
export interface BodySql {
  readonly text: (plain: string, bid: string) => string;
  /** A value in its JSON; the path is an SQL expression too. */
  readonly field: (plain: string, bid: string, path: string) => string;
}

/** For tools that know none of our functions: null once it is superseded. */
export const plainBodies: BodySql = {
  text: (plain) => plain,
  field: (plain, _bid, path) => jsonAtSql(plain, path),
};

/** In whatever form they are stored. */
export const allBodies: BodySql = {
  text: legibleTextSql,
  // Apart, so that what is plain is looked at where it lies, and what is not is put together once.
  field: (plain, bid, path) =>
    `iif(${plain} is null, (select ${jsonAtSql('o.data', path)} from ${legibleSql(bid)} o), ${jsonAtSql(plain, path)})`,
};
