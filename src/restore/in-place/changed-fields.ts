// What somebody has changed since a restore wrote it, which an undo of that restore leaves.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { defuseMentions } from '../special/mentions.ts';
import { asSaid } from '../resource.ts';
import type { FieldMend } from '../types.ts';

interface Written {
  /** What the restore wrote, by field; null where nothing tells that. */
  readonly own: ReadonlyMap<string, unknown> | null;
  /** The forms in which something is as good as a value, such as a text whose links lead to what was made anew. */
  readonly forms: (value: unknown) => readonly unknown[];
}

/** True for a field that does not stand as it was written. Of lists and objects, which a platform may complete, nobody can say. */
export function isChangedSince({ field, from }: FieldMend, { own, forms }: Written): boolean {
  const left = own?.get(field);
  if (left === undefined || Array.isArray(left) || (isRecord(left) && field !== 'body')) return false;
  const asLeft = forms(left).flatMap((one) => (field === 'body' ? [one, calling(one)] : [one]));
  const now = canonicalJson(asSaid(from));
  return !asLeft.some((one) => canonicalJson(asSaid(one)) === now);
}

/** A text as it is written where it is to call nobody. */
function calling(body: unknown): unknown {
  const markdown = isRecord(body) ? body['markdown'] : undefined;
  return typeof markdown === 'string' ? { ...Object(body), markdown: defuseMentions(markdown) } : body;
}
