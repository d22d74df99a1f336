// JSON answers too large to be held as values: their longest lists are read item by item out of the bytes. Everything is gone
// through once before an answer is given, so that one that broke off is refused as a whole, like the others.

import { isNestedDeeper, isRecord, LazyList } from '../base/index.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
// Each level is gone through once more than the one above it.
const MOST_LEVELS = 64;
// Of a value in such a list; what is deeper is judged as a whole.
const MOST_DEPTH = 100;

// Bytes. What is shorter is made at once, by the parser of the machine.
const SHORT = 65_536;

export interface InBytes {
  /** Names of the fields whose lists stay in the bytes; where one holds an object instead, so do those of its fields. */
  readonly fields: ReadonlySet<string>;
  /** An item of so few bytes is made with all its lists. */
  readonly short?: number;
}

interface Source extends Required<InBytes> {
  /** Of an answer. */
  readonly bytes: Buffer;
}

/** A list inside a large answer: each item is made when it is come to, and its own lists of the same names are such lists. */
export class LargeList extends LazyList {
  readonly #source: Source;
  readonly #start: number;

  constructor(source: Source, start: number) {
    super();
    this.#source = source;
    this.#start = start;
  }

  get isEmpty(): boolean {
    return this.#source.bytes[afterBlanks(this.#source.bytes, this.#start + 1)] === CLOSE_LIST;
  }

  *[Symbol.iterator](): Iterator<unknown> {
    const { bytes } = this.#source;
    let at = afterBlanks(bytes, this.#start + 1);
    if (bytes[at] === CLOSE_LIST) return;
    for (;;) {
      const end = endOfValue(bytes, at);
      yield valueAt(this.#source, at, end);
      at = afterBlanks(bytes, end);
      if (bytes[at] === CLOSE_LIST) return;
      at = afterBlanks(bytes, expected(bytes, at, COMMA));
    }
  }
}

/** True for a list as answers hold it. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) || value instanceof LargeList;
}

/** The items of a list as answers hold it: of an array, or of a large list; none of anything else. */
export function itemsOf(value: unknown): Iterable<unknown> {
  return Array.isArray(value) || value instanceof LargeList ? value : [];
}

/** True for a list with at least one item. */
export function hasItems(value: unknown): boolean {
  return value instanceof LargeList ? !value.isEmpty : Array.isArray(value) && value.length > 0;
}

/**
 * Parses JSON; the lists of fields with the given names, at any depth of such lists and objects, come as LargeList. Throws
 * SyntaxError for what is no JSON, wherever in it.
 */
export function parseLarge(bytes: Buffer, { fields, short = SHORT }: InBytes): unknown {
  const start = afterBlanks(bytes, 0);
  const end = endOfValue(bytes, start);
  if (afterBlanks(bytes, end) < bytes.length) throw new SyntaxError(`something follows the JSON at byte ${end}`);
  const value = valueAt({ bytes, fields, short }, start, end);
  return isSound(value, 0) ? value : (JSON.parse(bytes.toString('utf8')) as unknown);
}

/** Reads everything once; false when it is nested too deeply for that to be worth it. */
function isSound(value: unknown, level: number): boolean {
  if (level > MOST_LEVELS) return false;
  if (value instanceof LargeList) {
    for (const item of value) if (!isSound(item, level + 1)) return false;
    return true;
  }
  if (isNestedDeeper(value, MOST_DEPTH)) return false;
  return largeListsIn(value).every((list) => isSound(list, level));
}

/** Those of an object, and of the objects in its fields. */
function largeListsIn(value: unknown): LargeList[] {
  if (!isRecord(value)) return [];
  const fields = Object.values(value);
  return [...fields, ...fields.filter(isRecord).flatMap(Object.values<unknown>)].filter(isLargeList);
}

function isLargeList(value: unknown): value is LargeList {
  return value instanceof LargeList;
}

function valueAt(source: Source, start: number, end: number): unknown {
  const { bytes, short } = source;
  const isPlain = end - start < short || bytes[start] !== OPEN_OBJECT;
  return isPlain ? (JSON.parse(bytes.toString('utf8', start, end)) as unknown) : objectAt(source, { start, end });
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function objectAt(source: Source, stretch: Stretch, isWithin = false): Record<string, unknown> {
  const { text, apart } = ownText(source, stretch, isWithin);
  const value = JSON.parse(text) as Record<string, unknown>;
  for (const [field, one] of apart) value[field] = one;
  return value;
}

interface OwnText {
  readonly text: string;
  readonly apart: readonly (readonly [string, unknown])[];
}

/** The text of an object in which what holds large lists is left empty, and that apart. */
function ownText(source: Source, { start, end }: Stretch, isWithin: boolean): OwnText {
  const { bytes, fields, short } = source;
  const apart: [string, unknown][] = [];
  let text = '';
  let kept = start;
  const leave = (at: Stretch, empty: string): void => {
    text += `${bytes.toString('utf8', kept, at.start)}${empty}`;
    kept = at.end;
  };
  let at = afterBlanks(bytes, start + 1);
  while (bytes[at] === QUOTE) {
    const afterName = endOfText(bytes, at);
    const name = bytes.toString('latin1', at + 1, afterName - 1);
    const valueStart = afterBlanks(bytes, expected(bytes, afterBlanks(bytes, afterName), COLON));
    const valueEnd = endOfValue(bytes, valueStart);
    const stretch = { start: valueStart, end: valueEnd };
    if (fields.has(name) && bytes[valueStart] === OPEN_LIST) {
      leave(stretch, '[]');
      apart.push([name, new LargeList(source, valueStart)]);
    } else if (fields.has(name) && bytes[valueStart] === OPEN_OBJECT && !isWithin && valueEnd - valueStart >= short) {
      leave(stretch, '{}');
      apart.push([name, objectAt(source, stretch, true)]);
    }
    at = afterBlanks(bytes, valueEnd);
    if (bytes[at] === COMMA) at = afterBlanks(bytes, at + 1);
  }
  return { text: text + bytes.toString('utf8', kept, end), apart };
}

/** The place after a value; only what is needed to find it is looked at. */
function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfText(bytes, start);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return endOfNested(bytes, start);
  let at = start;
  while (at < bytes.length && !endsPlain(bytes[at] ?? COMMA)) at++;
  if (at === start) throw new SyntaxError(`no value at byte ${start}`);
  return at;
}

function endsPlain(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || BLANKS.has(byte);
}

function endOfNested(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  throw new SyntaxError('the JSON ends too early');
}

function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
  throw new SyntaxError('the JSON ends within a text');
}

function afterBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && BLANKS.has(bytes[at] ?? 0)) at++;
  return at;
}

function expected(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw new SyntaxError(`not JSON at byte ${at}`);
  return at + 1;
}
