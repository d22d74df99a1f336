// What a setting can be. Each builder gives the check, the reading of text and the words for "expected" of one type of value.
import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { CLEAN_PATH } from '../base/index.ts';
import { isPathValue } from '../contract/index.ts';

export interface Setting<T> {
  /** What may stand in the file. */
  schema: TSchema;
  /** The value that the program uses; undefined when what was given is wrong. */
  parse(given: unknown): T | undefined;
  /** From the environment, a flag or a `${…}`, which are always text. */
  fromText(text: string): unknown;
  /** Follows "expected". */
  expected: string;
  /** The same for what is given as text, which cannot be null. */
  expectedText: string;
  default: unknown;
  description: string;
  environment?: string;
  flag?: string;
  secret: boolean;
}

/** What the table of settings says about one setting. */
export interface About {
  description: string;
  default: unknown;
  environment?: string;
  flag?: string;
}

interface Kind<T> {
  schema: TSchema;
  expected: string;
  convert(given: unknown): T | undefined;
  fromText?: (text: string) => unknown;
  secret?: boolean;
}

/** A setting of one type of value. */
export function setting<T>(about: About, kind: Kind<T>): Setting<T> {
  return {
    ...about,
    schema: kind.schema,
    expected: kind.expected,
    expectedText: kind.expected,
    secret: kind.secret ?? false,
    fromText: kind.fromText ?? ((text) => text),
    parse: (given) => (Check(kind.schema, given) ? kind.convert(given) : undefined),
  };
}

/** The same setting, which may also be null. */
export function nullable<T>(inner: Setting<T>, meaning: string): Setting<T | null> {
  return {
    ...inner,
    schema: Type.Union([inner.schema, Type.Null()]),
    expected: `${inner.expected}, or null for ${meaning}`,
    parse: (given) => (given === null ? null : inner.parse(given)),
  };
}

const asString = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined);
export const asNumber = (given: unknown): number | undefined => (typeof given === 'number' ? given : undefined);

/** A path that does not begin with `~` or a variable of the shell, and has nothing unseen in it. */
export function place(about: About, what: 'file' | 'folder'): Setting<string> {
  const expected = `the path of a ${what}, written out where it begins with ~ or $, without space around it or control characters`;
  return setting(about, {
    schema: Type.String({ minLength: 1, pattern: CLEAN_PATH }),
    expected,
    convert: asString,
  });
}

/** A value that is never shown. Only printable ASCII without spaces can stand in an HTTP header. */
export function secret(about: About): Setting<string> {
  const schema = Type.String({ pattern: '^[!-~]+$' });
  return setting(about, { schema, expected: 'printable characters without spaces', convert: asString, secret: true });
}

export function choice<const T extends string>(about: About, values: readonly T[]): Setting<T> {
  return setting(about, {
    schema: Type.Union(values.map((value) => Type.Literal(value))),
    expected: `one of ${values.join(', ')}`,
    convert: (given) => values.find((value) => value === given),
  });
}

export function flag(about: About): Setting<boolean> {
  return setting(about, {
    schema: Type.Boolean(),
    expected: 'true or false',
    convert: (given) => (typeof given === 'boolean' ? given : undefined),
    fromText: (given) => ({ true: true, false: false })[given] ?? given,
  });
}

export interface Range {
  minimum: number;
  maximum: number;
}

export function integer(about: About, range: Range): Setting<number> {
  const expected = `a whole number from ${range.minimum} to ${range.maximum}`;
  return setting(about, { schema: Type.Integer({ ...range }), expected, convert: asNumber, fromText: numberFromText });
}

/** 0 is any free one. */
export function port(about: About): Setting<number> {
  return integer(about, { minimum: 0, maximum: 65_535 });
}

/** A part of a whole: above 0 and up to 1. */
export function share(about: About): Setting<number> {
  const schema = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
  return setting(about, {
    schema,
    expected: 'a number above 0 and up to 1',
    convert: asNumber,
    fromText: numberFromText,
  });
}

export function rate(about: About): Setting<number | 'auto'> {
  const schema = Type.Union([Type.Literal('auto'), Type.Number({ exclusiveMinimum: 0, maximum: 1000 })]);
  return setting(about, {
    schema,
    expected: '"auto", or a number above 0 and up to 1000',
    convert: (given) => (given === 'auto' ? given : asNumber(given)),
    fromText: numberFromText,
  });
}

export function list(about: About, expected: string): Setting<string[]> {
  return setting(about, {
    schema: Type.Array(Type.String({ minLength: 1 })),
    expected,
    convert: (given) => (Array.isArray(given) ? given.map(String) : undefined),
    fromText: (given) =>
      given
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  });
}

/** A list of ids, each of which can be asked for. */
export function ids(about: About, expected: string): Setting<string[]> {
  const inner = list(about, expected);
  return { ...inner, parse: (given) => allowed(inner.parse(given), isPathValue) };
}

/** The same with one id at least: an empty list leaves open whether all are meant or none. */
export function someIds(about: About, expected: string): Setting<string[]> {
  const inner = ids(about, expected);
  return {
    ...inner,
    schema: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    parse: (given) => (Array.isArray(given) && given.length === 0 ? undefined : inner.parse(given)),
  };
}

function allowed(found: string[] | undefined, isAllowed: (one: string) => boolean): string[] | undefined {
  return found?.every(isAllowed) === true ? found : undefined;
}

/** Things of organizations, each as `ORGANIZATION/ID`. */
export function pairs(about: About, expected: string): Setting<string[]> {
  const inner = list(about, expected);
  const isPair = (one: string): boolean => /^[^/\s]+\/[^/\s]+$/.test(one) && one.split('/').every(isPathValue);
  return { ...inner, parse: (given) => allowed(inner.parse(given), isPair) };
}

export function numberFromText(given: string): unknown {
  const value = given.trim() === '' ? Number.NaN : Number(given);
  return Number.isFinite(value) ? value : given;
}
