// Answers as no platform should send them. A mutation changes one place of a JSON text: a value, or how it is written.
import { isRecord, type Random } from '../../src/base/index.ts';
import { HOSTILE_NAMES, HUGE_TEXT } from './hostile-values.ts';
import { oneOf } from './runs.ts';

/** A place inside an answer, from the root: names of fields and numbers of items. */
export type Place = readonly (string | number)[];

export interface Mutated {
  readonly body: Buffer;
  /** Null when the text as a whole was changed. */
  readonly place: Place | null;
  /** A list was there before. */
  readonly wasList: boolean;
}

type Change = (value: unknown, random: Random) => unknown;

const GONE = Symbol('gone');
// These stand for what JSON.stringify cannot write, until it has written the rest.
const [DEEP_LIST, DEEP_OBJECT, NOT_UTF8, PROTO, TWICE] = ['@@dl@@', '@@do@@', '@@u8@@', '@@pr@@', '@@tw@@'] as const;
const DEPTH = 20_000;

const CHANGES: Readonly<Record<string, Change>> = {
  missing: () => GONE,
  null: () => null,
  'wrong type': otherType,
  emptied: (value) => (Array.isArray(value) ? [] : {}),
  'huge text': () => HUGE_TEXT,
  'huge number': (_, random) => oneOf(random, [1e308, -1, 2 ** 60, 0.5]),
  'long list': (value) => Array.from({ length: 500 }, (): unknown[] => (Array.isArray(value) ? value : [value])).flat(),
  'deep list': () => DEEP_LIST,
  'deep object': () => DEEP_OBJECT,
  'hostile name': (_, random) => oneOf(random, HOSTILE_NAMES),
  'invalid UTF-8': () => NOT_UTF8,
  __proto__: (value) => (isRecord(value) ? { ...value, [PROTO]: 1 } : { [PROTO]: 1 }),
  'key twice': (value) => (isRecord(value) ? { ...value, ...Object.fromEntries(twice(value)) } : value),
  'inside itself': (value) => (isRecord(value) ? { ...value, pages: [value], parent: value['id'] } : [value]),
};

const TEXTS: Readonly<Record<string, (text: string) => string>> = {
  'cut short': (text) => text.slice(0, text.length >> 1),
  'something after the end': (text) => `${text}{}`,
  'byte order mark': (text) => `\ufeff${text}`,
  'not a number': (text) => text.replace(/:\s*[0-9]+/, ':NaN'),
  'no object at all': () => '[[["text"]]]',
  'a text': () => '"text"',
  'null alone': () => 'null',
  nothing: () => '',
};

export const MUTATIONS: readonly string[] = [...Object.keys(CHANGES), ...Object.keys(TEXTS)];

/** Changes one place of an answer, chosen by chance among those that look alike. */
export function mutate(text: string, name: string, random: Random): Mutated {
  const whole = TEXTS[name];
  if (whole) return { body: Buffer.from(whole(text)), place: null, wasList: false };
  const change = CHANGES[name];
  if (!change) throw new Error(`there is no mutation ${name}`);
  const value: unknown = JSON.parse(text);
  const place = oneOf(random, oneOf(random, placesOf(value)));
  const body = written(changedAt(value, place, (one) => change(one, random)));
  return { body, place, wasList: Array.isArray(place.reduce(childOf, value)) };
}

/** Every place, those together that differ only in the number of an item. */
function placesOf(value: unknown): Place[][] {
  const found = new Map<string, Place[]>();
  const look = (one: unknown, place: Place): void => {
    const alike = place.map((step) => (typeof step === 'number' ? '#' : step)).join('/');
    found.set(alike, [...(found.get(alike) ?? []), place]);
    if (Array.isArray(one)) one.forEach((item, index) => look(item, [...place, index]));
    else if (isRecord(one)) for (const [name, inner] of Object.entries(one)) look(inner, [...place, name]);
  };
  look(value, []);
  return [...found.values()];
}

function changedAt(value: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) {
    const changed = change(value);
    return changed === GONE ? {} : changed;
  }
  const isGone = rest.length === 0 && change(childOf(value, step)) === GONE;
  if (Array.isArray(value)) {
    return isGone
      ? value.filter((_, index) => index !== step)
      : value.map((item: unknown, index) => (index === step ? changedAt(item, rest, change) : item));
  }
  const own = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    own.flatMap(([name, inner]) => {
      if (name !== step) return [[name, inner]];
      return isGone ? [] : [[name, changedAt(inner, rest, change)]];
    }),
  );
}

function childOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isRecord(value) ? value[step] : undefined;
}

function otherType(value: unknown): unknown {
  if (typeof value === 'string') return { of: value };
  if (Array.isArray(value)) return { 0: 'no list' };
  if (isRecord(value)) return [value];
  return typeof value === 'number' ? `${value}` : 'neither';
}

function twice(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.keys(value).map((name) => [TWICE + name, { other: name }]);
}

function written(value: unknown): Buffer {
  const text = JSON.stringify(value)
    .replaceAll(`"${DEEP_LIST}"`, () => '['.repeat(DEPTH) + ']'.repeat(DEPTH))
    .replaceAll(`"${DEEP_OBJECT}"`, () => `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`)
    .replaceAll(`"${PROTO}":1`, '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}')
    .replaceAll(TWICE, '');
  const [before = '', ...after] = text.split(NOT_UTF8);
  return Buffer.concat([Buffer.from(before), ...after.flatMap((part) => [BROKEN, Buffer.from(part)])]);
}

// An overlong slash, a lone continuation, and a character that is cut off.
const BROKEN = Buffer.from([0xc0, 0xaf, 0x80, 0xe2, 0x82]);
