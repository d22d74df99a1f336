// What of a stored resource is otherwise in an answer of the platform.
import { isRecord } from '../../base/index.ts';
import { kindOf, requiredFieldsOf, tellersOf, type KindName } from '../../contract/index.ts';
import type { Resource } from '../reading/reader.ts';
import type { LiveBody } from './live-types.ts';

export interface Differing {
  /** Fields that both have with different values. */
  readonly changed: readonly string[];
  /** Fields that the mirror holds and the answer does not have. */
  readonly lacking: readonly string[];
}

/** True for two texts that say the same. */
export type IsAlike = (held: string, shown: string) => boolean;

/** Plain fields with other values, the text, and every field that the answer lacks. */
export function differingFields(stored: Resource, live: LiveBody, isAlike: IsAlike = () => false): Differing {
  const { kind, body } = stored;
  const passed = new Set([...(kindOf(kind).volatile ?? []), kindOf(kind).bytes]);
  const fields = Object.keys(body).filter((field) => !passed.has(field) && (body[field] ?? null) !== null);
  const texts = textsOf(stored, live).filter(({ held }) => held !== undefined);
  const isOtherText = ({ held, shown }: Text): boolean =>
    held !== undefined && shown !== undefined && held !== shown && !isAlike(held, shown);
  return {
    changed: [
      ...fields.filter((field) => live[field] !== undefined && isOther(body[field], live[field])),
      ...texts.filter(isOtherText).map(({ field }) => field),
    ],
    lacking: [
      ...fields.filter((field) => live[field] === undefined),
      ...texts.filter(({ shown }) => shown === undefined).map(({ field }) => field),
    ],
  };
}

/** Lists and objects are compared by nobody here: much in them is derived, or belongs to others. */
function isOther(held: unknown, shown: unknown): boolean {
  return isPlain(held) && isPlain(shown) && held !== shown;
}

function isPlain(value: unknown): boolean {
  return !isRecord(value) && !Array.isArray(value);
}

interface Text {
  readonly field: string;
  readonly held: string | undefined;
  readonly shown: string | undefined;
}

/** The text of a page, and that of a comment, which stands in its body. */
function textsOf({ body, text }: Resource, live: LiveBody): Text[] {
  return [
    { field: 'markdown', held: text ?? undefined, shown: wordsOf(live) },
    { field: 'body.markdown', held: wordsOf(body['body']), shown: wordsOf(live['body']) },
  ];
}

function wordsOf(value: unknown): string | undefined {
  const words = isRecord(value) ? value['markdown'] : undefined;
  return typeof words === 'string' ? words.toWellFormed() : undefined;
}

/** Fields that every resource of the kind has: an answer without them is not one of it. */
export function requiredAmong(kind: KindName, fields: readonly string[]): string[] {
  const required = new Set(requiredFieldsOf(kind));
  return fields.filter((field) => required.has(field));
}

/** True when one of these fields has moved since the mirror read it. One that a damaged or shortened answer lacks has not. */
export function hasMoved(stored: Resource, live: LiveBody, fields: Iterable<string>): boolean {
  if (stored.isDamaged === true) return false;
  return [...fields].some((field) => live[field] !== undefined && isOther(stored.body[field] ?? null, live[field]));
}

/** True when the platform says of the resource itself that it changed. */
export function tellsItself(stored: Resource, live: LiveBody): boolean {
  return hasMoved(stored, live, tellersOf(stored.kind));
}
