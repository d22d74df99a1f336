// What identifies a resource within its kind: its path parameters by name, or their values in one text. Each follows from the other.
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';

export type Params = Readonly<Record<string, string>>;

/** The identifying key of a resource within its kind. */
export function keyOf(kind: KindName, params: Params): string {
  return kindOf(kind)
    .params.map((name) => params[name] ?? '')
    .join('/');
}

/** The identifying path parameters of a resource, by its key: no value has a slash in it. */
export function paramsOf(kind: KindName, key: string): Params {
  const values = key.split('/');
  return Object.fromEntries(kindOf(kind).params.map((name, index) => [name, values[index] ?? '']));
}

/** A resource by its number, whether or not it holds a version. */
export interface NumberedResource {
  readonly rid: number;
  readonly kind: KindName;
  readonly key: string;
  readonly params: Params;
  /** The resource below which it stands; null at the root. */
  readonly scope: number | null;
}

/** What was ever seen under a number of the store, be it gone by now; undefined for a number that nothing has. */
export function resourceByNumber({ store }: Mirror, rid: number): NumberedResource | undefined {
  const row = store
    .prepare<Omit<NumberedResource, 'params'>>('select rid, kind, key, scope from resources where rid = ?')
    .get(rid);
  return row && { ...row, params: paramsOf(row.kind, row.key) };
}
