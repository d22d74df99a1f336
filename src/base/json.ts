import { AppError } from './errors.ts';
import { LazyList } from './lazy-list.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** True for a plain JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at `a.b` within a value; undefined where nothing does. */
export function valueAt(value: unknown, place: string): unknown {
  let found = value;
  for (const step of place.split('.')) found = isRecord(found) ? found[step] : undefined;
  return found;
}

/** The object that a text in JSON is; undefined where it is none. */
export function readableJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for a value with more levels of lists and objects than that, which are no more than the stack has room for. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isNestedDeeper(inner, most - 1));
  for (const key in value) if (isNestedDeeper((value as Record<string, unknown>)[key], most - 1)) return true;
  return false;
}

/**
 * JSON with sorted keys and no spaces: equal values give equal text, whatever the order of their keys.
 * Follows JSON.stringify otherwise (undefined left out, `toJSON` obeyed, NaN as null). Works at any depth, keeps a key
 * named `__proto__`, and throws DM_INTERNAL for a cycle or a bigint.
 */
export function canonicalJson(value: unknown): string {
  let text = '';
  const last = canonicalPieces(value, (piece) => {
    text += piece;
  });
  return text === '' ? last : text + last;
}

// Characters. What is put together of millions of short texts takes several times as much memory as one that is as long.
const PIECE = 65_536;

/** The same in pieces, for what is too large to be held as a text beside the value; none parts a field from its value. Answers the last one. */
export function canonicalPieces(value: unknown, take: (piece: string) => void): string {
  const stack: Frame[] = [];
  const open = new Set<object>();
  let out = begin(value, stack, open);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { source, keys, length, index, items } = frame;
    if (out.length >= PIECE) {
      take(out);
      out = '';
    }
    const item = items?.next();
    if (item === undefined ? index === length : item.done === true) {
      out += keys ? '}' : ']';
      open.delete(source);
      stack.pop();
      continue;
    }
    frame.index = index + 1;
    const key = keys?.[index];
    if (index > 0) out += ',';
    if (key !== undefined) out += `${JSON.stringify(key)}:`;
    out += begin(item === undefined ? source[key ?? index] : item.value, stack, open);
  }
  return out;
}

/** The same text as JSON.stringify, of which no lazy list is held as values. For what JSON has a text for. */
export function jsonText(value: unknown): string {
  const text = new LongText();
  writeJson(value, text);
  return text.whole();
}

/** A text that is put together of short ones. */
class LongText {
  readonly #pieces: string[] = [];
  #parts: string[] = [];
  #length = 0;

  add(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length < PIECE) return;
    this.#pieces.push(this.#parts.join(''));
    this.#parts = [];
    this.#length = 0;
  }

  whole(): string {
    const all = [...this.#pieces, ...this.#parts];
    return all.length === 1 ? (all[0] ?? '') : all.join('');
  }
}

function writeJson(value: unknown, text: LongText): void {
  if (value instanceof LazyList) return writeList(value, text);
  if (!isRecord(value) || !holdsLazyList(value)) return text.add(JSON.stringify(value));
  let before = '{';
  for (const [name, inner] of Object.entries(value)) {
    if (!isPresent(inner)) continue;
    text.add(`${before}${JSON.stringify(name)}:`);
    writeJson(inner, text);
    before = ',';
  }
  text.add('}');
}

function writeList(list: LazyList, text: LongText): void {
  let before = '[';
  for (const item of list) {
    text.add(before);
    writeJson(item, text);
    before = ',';
  }
  text.add(before === '[' ? '[]' : ']');
}

/** Lazy lists stand in fields of an object, or of an object in one of these. */
function holdsLazyList(value: Record<string, unknown>): boolean {
  for (const name in value) {
    const inner = value[name];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    if (inner instanceof LazyList) return true;
    for (const within in inner) if ((inner as Record<string, unknown>)[within] instanceof LazyList) return true;
  }
  return false;
}

// The stack is explicit because a body may be nested deeper than the call stack allows.
interface Frame {
  readonly source: Container;
  /** Sorted keys of an object; null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  /** Of a lazy list, instead of its length. */
  readonly items: Iterator<unknown> | null;
  index: number;
}

interface Container {
  readonly [key: string | number]: unknown;
}

function begin(value: unknown, stack: Frame[], open: Set<object>): string {
  if (typeof value === 'object' && value instanceof LazyList) {
    const items = value[Symbol.iterator]();
    stack.push({ source: value as unknown as Container, keys: null, length: 0, items, index: 0 });
    return '[';
  }
  const plain = plainValue(value);
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain) ?? 'null';
  if (open.has(plain)) throw notJson('a cycle');
  open.add(plain);
  const source = plain as Container;
  const keys = Array.isArray(plain) ? null : keysOf(source);
  const { length } = keys ?? (plain as unknown[]);
  stack.push({ source, keys, length, items: null, index: 0 });
  return keys === null ? '[' : '{';
}

function keysOf(source: Container): string[] {
  return Object.keys(source)
    .filter((key) => isPresent(source[key]))
    .sort();
}

function isPresent(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') throw notJson('a bigint');
  if (typeof value !== 'object' || value === null) return isPresent(value) ? value : null;
  return hasToJson(value) ? value.toJSON() : value;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function notJson(seen: string): AppError {
  return new AppError('DM_INTERNAL', `Cannot write ${seen} as JSON; expected plain JSON values`, {
    hint: 'This is a fault in Docmirror; report it.',
  });
}
