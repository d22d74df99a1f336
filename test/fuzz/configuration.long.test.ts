// Every setting, by file, environment and flag, with values that nobody means: a configuration with the right types, or one error that
// names what is wrong.
import fc from 'fast-check';
import { Secret } from '../../src/base/index.ts';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, settingsTable, type Config } from '../../src/config/index.ts';
import { settingOf, SETTING_KEYS, type SettingKey } from '../../src/config/settings.ts';
import { HOSTILE_NAMES, hostileText } from './hostile-values.ts';
import { runs, SEED } from './runs.ts';

const FILE = '/srv/c.yaml';

/** Texts that come near to being right, beside those that do not. */
const anyText = fc.oneof(
  hostileText,
  fc.constantFrom(...SETTING_KEYS.map((key) => String(settingOf(key).default))),
  fc.constantFrom('1e3', '0x10', '-1', '99999999999999999999', 'Infinity', 'NaN', ' 5 ', '1_000', '٣', 'TRUE', 'yes'),
  fc.constantFrom(
    '1d2h',
    '5 m',
    '-5s',
    '1e9d',
    '99999999999999999999999d',
    '* * * * * * *',
    '60 * * * *',
    '0 0 31 2 *',
  ),
  fc.constantFrom(
    'http://',
    'http://a@b',
    'http://[::1',
    'https://x/v1/v1/',
    'ftp://x',
    '//x',
    'http://x/?q#f',
    '10.0.0.0/33',
  ),
  fc.constantFrom('${HOME}', '${file:/etc/passwd}', '${file:}', '$${', '${', '${__proto__}', '${constructor}'),
  fc.nat().map(String),
);
const anyValue = fc.oneof(anyText, fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.constant('long '.repeat(5000)));

interface Given {
  readonly yaml?: string;
  readonly environment?: Record<string, string>;
  readonly flags?: Record<string, string>;
}

/** The configuration, or the error; anything else that is thrown fails the test. */
function load({ yaml = '', environment = {}, flags = {} }: Given): Config | ConfigError {
  const readFile = (path: string): string | null => (path === FILE ? yaml : null);
  try {
    return loadConfig({ flags: { config: FILE, ...flags }, environment, cwd: '/srv', readFile });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function isConfig(loaded: Config | ConfigError): loaded is Config {
  return !(loaded instanceof ConfigError);
}

/** The same fields with values of the same types as without any setting, or with those that may stand instead. */
function expectTypes(value: unknown, model: unknown, path = ''): void {
  if (value === null || model === null || value instanceof Secret || path.endsWith('requestsPerSecond')) return;
  expect([path, typeof value, Array.isArray(value)]).toEqual([path, typeof model, Array.isArray(model)]);
  if (typeof value === 'number') expect([path, Number.isFinite(value)]).toEqual([path, true]);
  if (typeof value !== 'object' || Array.isArray(value)) return;
  expect([path, Object.keys(value)]).toEqual([path, Object.keys(model as object)]);
  for (const [field, inner] of Object.entries(value))
    expectTypes(inner, (model as Record<string, unknown>)[field], `${path}.${field}`);
}

const MODEL = load({});

function expectClear(loaded: Config | ConfigError, names: readonly string[]): void {
  if (isConfig(loaded)) {
    expectTypes(loaded, MODEL);
    expect(() => JSON.stringify(loaded)).not.toThrow();
    return;
  }
  expect([loaded.code, loaded.hint === '']).toEqual([expect.stringMatching(/^DM_CONFIG_/), false]);
  expect(loaded.message.length).toBeLessThan(1000);
  expect(
    names.some((name) => loaded.message.includes(name)),
    loaded.message,
  ).toBe(true);
}

/** Settings that are one with another name both of them. */
function namesOf(key: SettingKey): string[] {
  return [key, key.replace(/File$/, ''), key.split('.')[0] ?? key, FILE];
}

interface Section {
  [name: string]: unknown;
}

/** A file with these settings, each in its section. */
function yamlOf(values: Readonly<Record<string, unknown>>): string {
  const root: Section = {};
  for (const [key, value] of Object.entries(values)) {
    const path = key.split('.');
    const last = path.pop() ?? '';
    const section = path.reduce((above, name) => (above[name] ??= {}) as Section, root);
    section[last] = value;
  }
  return JSON.stringify(root);
}

const TABLE = settingsTable();
const WITH = (by: 'environment' | 'flag'): [string, string][] =>
  TABLE.flatMap((row) => (row[by] ? [[row.key ?? '', row[by]]] : []));

describe(`fuzz/configuration (seed ${SEED})`, () => {
  const options = { seed: SEED, numRuns: runs(20) };

  it.each(SETTING_KEYS)('takes or refuses whatever %s is in the file, and names it', (key) => {
    fc.assert(
      fc.property(anyValue, (value) => expectClear(load({ yaml: yamlOf({ [key]: value }) }), namesOf(key))),
      options,
    );
  });

  it.each(WITH('environment'))('takes or refuses whatever %s is in the environment, and names %s', (key, name) => {
    fc.assert(
      fc.property(anyText, (text) => expectClear(load({ environment: { [name]: text } }), [key, name])),
      options,
    );
  });

  it.each(WITH('flag'))('takes or refuses whatever %s is as a flag, and names %s', (key, flag) => {
    const name = flag.slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    fc.assert(
      fc.property(anyText, (text) => expectClear(load({ flags: { [name]: text } }), [key, flag])),
      options,
    );
  });

  it('takes or refuses several settings at once', () => {
    const some = fc.dictionary(fc.constantFrom(...SETTING_KEYS), anyText, { maxKeys: 6 });
    fc.assert(
      fc.property(some, (values) => {
        const names = Object.keys(values).flatMap((key) => namesOf(key as SettingKey));
        expectClear(load({ yaml: yamlOf(values) }), [...names, FILE]);
      }),
      options,
    );
  });

  const HOSTILE_FILES: readonly string[] = [
    '['.repeat(20_000),
    `${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`,
    `${'- '.repeat(5000)}x`,
    'a: &a [*a]',
    'platforms: &p [*p]',
    'platform: &p {platform: *p}',
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n === 0 ? 'a' : `b${n - 1}`}, *${n === 0 ? 'a' : `b${n - 1}`}]`).join('\n')}`,
    '__proto__: {polluted: true}',
    'constructor: {prototype: {polluted: true}}',
    'platform: {__proto__: {token: x}}',
    '? {a: b}\n: c',
    '? [a]\n: c',
    'dataDir: a\ndataDir: b',
    '%YAML 9.9\n---\na: b',
    'a: b\n---\nc: d',
    '!!js/function "x"',
    'dataDir: !!binary aGVsbG8=',
    'dataDir: !!set {a, b}',
    'limits: {timeout: .inf}',
    'limits: {concurrency: 1:30}',
    '\u0000',
    '\ufeffdataDir: x',
    'huge '.repeat(100_000),
    ...HOSTILE_NAMES,
  ];

  it.each(HOSTILE_FILES.map((text) => [text.slice(0, 40), text]))('takes or refuses the file %j', (_, text) => {
    expectClear(load({ yaml: text }), [FILE]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('takes or refuses any text as the file', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), yamlText), (text) =>
        expectClear(load({ yaml: text }), [FILE]),
      ),
      { seed: SEED, numRuns: runs(300) },
    );
  });
});

const yamlText = fc
  .array(
    fc.constantFrom(
      'platform',
      'limits',
      ':',
      ' ',
      '\n',
      '- ',
      '&a',
      '*a',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '|',
      '>',
      '#',
      '<<',
      '!',
      '? ',
      'x',
      '1',
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));
