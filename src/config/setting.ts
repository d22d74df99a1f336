// What a setting can be. Each builder gives the check, the reading of text and the words for "expected" of one type of value.
import { isIP } from 'node:net';
import { Cron } from 'croner';
import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { parseDuration, WRITTEN_OUT } from '../base/index.ts';

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

function setting<T>(about: About, kind: Kind<T>): Setting<T> {
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
const asNumber = (given: unknown): number | undefined => (typeof given === 'number' ? given : undefined);

export function text(about: About, expected: string): Setting<string> {
  return setting(about, { schema: Type.String({ minLength: 1 }), expected, convert: asString });
}

/** A path that does not begin with `~`. */
export function place(about: About, what: 'file' | 'folder'): Setting<string> {
  const expected = `the path of a ${what}, written out where it begins with ~`;
  return setting(about, {
    schema: Type.String({ minLength: 1, pattern: WRITTEN_OUT }),
    expected,
    // No system has a file of such a name.
    convert: (given) => (String(given).includes('\0') ? undefined : String(given)),
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

/** Milliseconds; written as `30s`, `5m`, `26h`, `8d`, or a whole number of milliseconds. */
export function duration(about: About): Setting<number> {
  return setting(about, {
    schema: Type.Union([
      Type.String({ pattern: '^\\d+(\\.\\d+)? ?(ms|s|m|h|d)$' }),
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
    expected: 'a duration such as 30s, 5m, 26h or 8d, or a whole number of milliseconds',
    convert: (given) => asNumber(given) ?? parseDuration(String(given)) ?? undefined,
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

/** Things of organizations, each as `ORGANIZATION/ID`. */
export function pairs(about: About, expected: string): Setting<string[]> {
  const inner = list(about, expected);
  return {
    ...inner,
    parse: (given) => {
      const found = inner.parse(given);
      return found?.every((one) => /^[^/\s]+\/[^/\s]+$/.test(one)) ? found : undefined;
    },
  };
}

/** Where something may be fetched from: hosts by name, address or network, `*` for all. */
export function networks(about: About): Setting<string[]> {
  const inner = list(about, 'a list of host names, addresses and networks such as 10.0.0.0/8, or * for all');
  return {
    ...inner,
    parse: (given) => {
      const found = inner.parse(given);
      return found?.every(isNetwork) ? found : undefined;
    },
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (bits !== undefined) {
    return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  }
  // What ends in a number is read as an address by everything that resolves names.
  return text === '*' || family !== 0 || (HOST_NAME.test(text) && !/(?:^|\.)\d+$/.test(text));
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/i;

export function cron(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'a cron expression such as "0 2 * * *"',
    convert: (given) => (isCron(String(given)) ? String(given) : undefined),
  });
}

export function timezone(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'an IANA time zone such as Europe/Zurich',
    convert: (given) => (isTimezone(String(given)) ? String(given) : undefined),
  });
}

/** An http(s) address, without the slash at its end and, for a platform, without `/v1`. */
export function address(about: About, options: { version: boolean } = { version: false }): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'an http:// or https:// address without user name, password, query or fragment',
    convert: (given) => normaliseAddress(String(given), options.version),
  });
}

/** An address that nobody else may know: a password stands in it, or whoever has it may use it. Never shown. */
export function secretAddress(about: About, protocols: readonly string[]): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: `an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`,
    convert: (given) => {
      const text = String(given).trim();
      return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined;
    },
    secret: true,
  });
}

/** An http(s) address in which `{name}` stands once for the name of a file. */
export function addressTemplate(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'an http:// or https:// address with {name} once in its path or query',
    convert: (given) => (isTemplate(String(given)) ? String(given) : undefined),
  });
}

function isTemplate(given: string): boolean {
  const [before = '', after, ...more] = given.split('{name}');
  if (after === undefined || more.length > 0 || !URL.canParse(`${before}name${after}`)) return false;
  const { protocol, host } = new URL(`${before}name${after}`);
  return /^https?:$/.test(protocol) && URL.canParse(before) && new URL(before).host === host && !after.startsWith(':');
}

function normaliseAddress(given: string, version: boolean): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (version ? path.replace(/\/v1$/, '').replace(/\/+$/, '') : path);
}

function numberFromText(given: string): unknown {
  const value = given.trim() === '' ? Number.NaN : Number(given);
  return Number.isFinite(value) ? value : given;
}

const FAR_AHEAD = new Date('2200-01-01T00:00:00Z');

/**
 * Also false for times that never come, such as the 30th of February, or that end with a year: nights that nobody would miss before they
 * are needed.
 */
function isCron(pattern: string): boolean {
  try {
    return new Cron(pattern, { paused: true }).nextRun(FAR_AHEAD) !== null;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
