import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Compile } from 'typebox/compile';
import { parse } from 'yaml';
import { configFileSchema, DEFAULT_CONFIG_FILE, loadConfig, settingsTable } from '../../src/config/index.ts';

const EXAMPLE = 'config/docmirror.example.yaml';
const ENVIRONMENT = { EXAMPLE_TOKEN: 'tok_example' };

const FIXED_NAMES =
  'DOCMIRROR_BASE_URL DOCMIRROR_TOKEN DOCMIRROR_TOKEN_FILE DOCMIRROR_DATA_DIR DOCMIRROR_CONFIG DOCMIRROR_LOG_LEVEL ' +
  'DOCMIRROR_TARGET_TOKEN DOCMIRROR_TARGET_TOKEN_FILE --base-url --token-file --data-dir --config --log-level --target-url';

function leaves(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix];
  return Object.entries(value).flatMap(([key, child]) => leaves(child, prefix === '' ? key : `${prefix}.${key}`));
}

describe('config/docmirror.example.yaml', () => {
  const text = readFileSync(EXAMPLE, 'utf8');

  it('shows every setting and no other', () => {
    const keys = settingsTable().map((row) => row.key);
    expect(leaves(parse(text)).toSorted()).toEqual(keys.filter((key) => key !== '').toSorted());
  });

  it('is not the file that is read by default', () => {
    expect(DEFAULT_CONFIG_FILE).not.toBe(EXAMPLE);
  });

  it('shows the defaults: loading it changes nothing but the platform', () => {
    const shown = loadConfig({ flags: { config: EXAMPLE }, environment: ENVIRONMENT, cwd: process.cwd() });
    const defaults = loadConfig({ flags: {}, environment: {}, cwd: process.cwd(), readFile: () => null });
    expect(shown.platform.baseUrl).toBe('https://api.docs.example');
    expect({ ...shown, platform: defaults.platform, flags: defaults.flags }).toEqual(defaults);
  });
});

describe('config/describe', () => {
  it('agrees with config/docmirror.schema.json', async () => {
    const text = `${JSON.stringify(configFileSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../config/docmirror.schema.json');
  });

  it('gives a schema that accepts the example and refuses an unknown key', () => {
    const schema = Compile(configFileSchema());
    expect(schema.Check(parse(readFileSync(EXAMPLE, 'utf8')))).toBe(true);
    expect(schema.Check({ limits: { concurency: 1 } })).toBe(false);
    expect(schema.Check({ limits: { concurrency: 'many' } })).toBe(false);
    expect(schema.Check({ limits: { concurrency: '${N}' } })).toBe(true);
  });

  it('has no setting that nothing reads, which would be taken without an effect', () => {
    const source = readdirSync('src/config').map((name) => readFileSync(`src/config/${name}`, 'utf8'));
    const times = (text: string): number => source.join('').split(text).length - 1;
    const keys = settingsTable().flatMap(({ key }) => (key === '' ? [] : [key]));
    const read = new Set(keys.filter((key) => times(`'${key}'`) > 1));
    // The file of a secret is read with the secret.
    const isRead = (key: string): boolean => read.has(key.replace(/File$/, ''));
    expect(keys.filter((key) => !isRead(key))).toEqual([]);
  });

  it('lists the fixed environment names and flags', () => {
    const rows = settingsTable();
    const names = rows.flatMap((row) => [row.environment, row.flag]).filter((name) => name !== '');
    expect(names).toEqual(expect.arrayContaining(FIXED_NAMES.split(' ')));
    expect(new Set(names).size).toBe(names.length);
  });

  it('never offers a token as a flag', () => {
    const tokens = settingsTable().filter((row) => row.key.endsWith('.token'));
    expect(tokens.length).toBeGreaterThan(1);
    for (const { key, flag } of tokens) expect([key, flag]).toEqual([key, '']);
  });
});
