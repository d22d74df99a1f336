// Page tokens are the sort key of the last item shown, so that items added or removed meanwhile move nothing else.
import { invalid } from './refusal.ts';

export type SortKey = readonly (string | number)[];

const DEFAULT_LIMIT = 50;

export interface ListRequest {
  /** The operation and what its path names: a token of one list is refused by every other. */
  readonly list: readonly string[];
  readonly query: { readonly page?: string; readonly limit?: number };
}

export interface ListSource<Row, Item> {
  /** Items in the whole list. */
  count(): number;
  /** At most `limit` rows after the key, in the order of the list. */
  rows(after: SortKey | null, limit: number): Row[];
  key(row: Row): SortKey;
  item(row: Row): Item;
  /** How many of these rows make a page of bearable size, one at least; all of them when absent. */
  fitting?(rows: readonly Row[]): number;
}

export interface ListAnswer<Item> {
  next?: { page: string };
  count: number;
  items: Item[];
}

/** One page of a list: nothing is seen twice and nothing that stays is missed, whatever comes and goes between two pages. */
export function listPage<Row, Item>(request: ListRequest, source: ListSource<Row, Item>): ListAnswer<Item> {
  const limit = request.query.limit ? request.query.limit : DEFAULT_LIMIT;
  const after = request.query.page === undefined ? null : readToken(request.list, request.query.page);
  const rows = source.rows(after, limit + 1);
  const shown = rows.slice(0, Math.min(limit, source.fitting?.(rows) ?? limit));
  const last = shown.at(-1);
  const more = rows.length > shown.length && last !== undefined;
  return {
    ...(more ? { next: { page: writeToken(request.list, source.key(last)) } } : {}),
    count: source.count(),
    items: shown.map((row) => source.item(row)),
  };
}

/** A page of a list that is already in memory in its final order; `key` must rise along it. */
export function arrayPage<Row, Item>(
  request: ListRequest,
  rows: readonly Row[],
  shape: { key(row: Row): string; item(row: Row): Item } & Pick<ListSource<Row, Item>, 'fitting'>,
): ListAnswer<Item> {
  return listPage(request, {
    count: () => rows.length,
    rows: (after, limit) => rows.filter((row) => after === null || shape.key(row) > String(after[0])).slice(0, limit),
    key: (row) => [shape.key(row)],
    item: (row) => shape.item(row),
    ...(shape.fitting === undefined ? {} : { fitting: shape.fitting }),
  });
}

/** Rows of a source that pass, in its order; reads on until enough are found. */
export function keptRows<Row>(
  source: Pick<ListSource<Row, unknown>, 'rows' | 'key'>,
  keep: (row: Row) => boolean,
): (after: SortKey | null, limit: number) => Row[] {
  return (after, limit) => {
    const kept: Row[] = [];
    for (let from = after; ;) {
      const batch = source.rows(from, limit);
      kept.push(...batch.filter(keep));
      const last = batch.at(-1);
      if (kept.length >= limit || batch.length < limit || last === undefined) return kept.slice(0, limit);
      from = source.key(last);
    }
  };
}

function writeToken(list: readonly string[], key: SortKey): string {
  return Buffer.from(JSON.stringify([list, key])).toString('base64url');
}

function readToken(list: readonly string[], token: string): SortKey {
  const broken = invalid('page', 'is not a page token of this list');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    throw broken;
  }
  if (!Array.isArray(value) || value.length !== 2) throw broken;
  const [owner, key] = value as unknown[];
  if (JSON.stringify(owner) !== JSON.stringify(list) || !isSortKey(key)) throw broken;
  return key;
}

function isSortKey(value: unknown): value is SortKey {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((part) => typeof part === 'string' || typeof part === 'number');
}
