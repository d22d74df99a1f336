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

/** True for a field that does not stand as it was written. What others react with is theirs alone, and stays in any case. */
export function isChangedSince({ field, from }: FieldMend, { own, forms }: Written): boolean {
  const left = own?.get(field);
  if (left === undefined || field === 'addedReactions') return false;
  const asLeft = forms(left).flatMap((one) => (field === 'body' ? [one, calling(one)] : [one]));
  return !asLeft.some((one) => standsAs(asSaid(from), asSaid(one)));
}

/** True for a value that is what was written. A platform may complete an object with what it was not sent, and lists in an order of its own. */
export function standsAs(now: unknown, left: unknown): boolean {
  if (isRecord(now) && isRecord(left)) return Object.keys(left).every((name) => standsAs(now[name], left[name]));
  if (Array.isArray(now) && Array.isArray(left)) return inOrder(now) === inOrder(left);
  return canonicalJson(now) === canonicalJson(left);
}

function inOrder(list: readonly unknown[]): string {
  return canonicalJson(list.map((one) => canonicalJson(one)).toSorted());
}

/** A text as it is written where it is to call nobody. */
function calling(body: unknown): unknown {
  const markdown = isRecord(body) ? body['markdown'] : undefined;
  return typeof markdown === 'string' ? { ...Object(body), markdown: defuseMentions(markdown) } : body;
}
