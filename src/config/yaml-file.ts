import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  YAMLMap,
  type Document,
  type Node,
} from 'yaml';
import { ConfigError, settingMeant } from './errors.ts';
import { ENTRY_LAYER, FILE_LAYER, type Layer } from './layers.ts';
import { isSettingKey, SETTING_KEYS, settingOf, type SettingKey } from './settings.ts';
import { filesNamedIn, hasReference, substitute, type SubstitutionSources } from './substitute.ts';

export interface YamlSource {
  /** For errors. */
  path: string;
  text: string;
}

/** What a file says: its settings, and those of each platform in its list, which override them. */
export interface FileSettings {
  layer: Layer;
  platforms: NamedLayer[];
}

export interface NamedLayer {
  name: string;
  /** For errors. */
  at: string;
  layer: Layer;
}

interface Reading {
  source: YamlSource;
  document: Document;
  lines: LineCounter;
  references: SubstitutionSources;
  layer: Layer;
  number: number;
  platforms: NamedLayer[];
}

/** The list of platforms: each has a name, and settings as the file itself has them. */
export const PLATFORMS = 'platforms';

/** The settings of a YAML file. Throws for a file that is not YAML and for a key that does not exist, with line and column. */
export function readFileSettings(source: YamlSource, references: SubstitutionSources): FileSettings {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const layer: Layer = new Map();
  const reading: Reading = { source, document, lines, references, layer, number: FILE_LAYER, platforms: [] };
  const error = document.errors[0];
  if (error) {
    const why =
      error.code === 'MULTIPLE_DOCS'
        ? 'begins another document; expected one, without lines of ---'
        : `is not valid YAML: ${error.message}`;
    throw new ConfigError('DM_CONFIG_INVALID', `${place(reading, error.pos[0])} ${why}`, {
      hint: 'Correct the file.',
      cause: error,
    });
  }
  refuseAliases(reading);
  const root = document.contents;
  if (isMap(root)) readSection(reading, root, '');
  else if (root !== null && !isEmpty(root)) {
    throw new ConfigError(
      'DM_CONFIG_INVALID',
      `${source.path} has no settings by their names; expected keys such as platform:`,
      {
        hint: 'Correct the file.',
      },
    );
  }
  return { layer, platforms: reading.platforms };
}

/** Throws for an alias whose anchor is not there, which would leave its setting at the default, and for one that would hold itself. */
function refuseAliases(reading: Reading): void {
  const { document } = reading;
  visit(document, {
    Alias: (_, alias) => {
      const named = alias.resolve(document);
      const [at, from, to] = [alias.range?.[0] ?? 0, named?.range?.[0] ?? 0, named?.range?.[2] ?? 0];
      if (named !== undefined && !(from <= at && at < to)) return;
      const wrong = named === undefined ? 'no anchor before it has' : 'is the name of what it stands in itself';
      throw new ConfigError('DM_CONFIG_INVALID', `${place(reading, at)} has *${alias.source}, which ${wrong}`, {
        hint: `Write &${alias.source} before what is meant, or the value itself.`,
      });
    },
  });
}

function readSection(reading: Reading, section: YAMLMap, prefix: string): void {
  for (const pair of section.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '?';
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const keyNode = isScalar(pair.key) ? pair.key : section;
    const at = place(reading, keyNode.range?.[0] ?? 0);
    const node = resolve(reading, pair.value);
    if (key === PLATFORMS) readPlatforms(reading, node, at);
    else if (isSettingKey(key)) readSetting(reading, { key, node, at });
    else if (!isSection(key)) throw unknownKey(key, at);
    else if (isMap(node)) readSection(reading, node, key);
    else if (!isEmpty(node)) {
      const message = `Setting ${key} (${at}) is ${describeNode(node)}; expected a section with settings of its own`;
      throw new ConfigError('DM_CONFIG_INVALID', message, { hint: `Its settings are ${childrenOf(key).join(', ')}.` });
    }
  }
}

function readPlatforms(reading: Reading, node: Node | null, at: string): void {
  if (isEmpty(node)) return;
  const entries = isSeq(node) ? node.items.map((item) => resolve(reading, item)) : [];
  if (entries.length === 0 || !entries.every(isMap)) throw badPlatforms(at, 'is not a list of sections');
  for (const entry of entries) {
    const place = placeOf(reading, entry, at);
    const name: unknown = entry.get('name');
    if (name === undefined) throw badPlatforms(place, 'has an entry without a name');
    if (typeof name !== 'string' || !PLATFORM_NAME.test(name))
      throw badPlatforms(place, `has an entry whose name is ${JSON.stringify(name)}`);
    if (reading.platforms.some((other) => other.name === name)) throw badPlatforms(place, `has ${name} twice`);
    const layer: Layer = new Map();
    const settings = new YAMLMap<unknown, unknown>();
    settings.items = entry.items.filter(({ key }) => !(isScalar(key) && key.value === 'name'));
    const refused = settings.items.find(({ key }) => isScalar(key) && OF_THE_PROCESS.includes(String(key.value)));
    if (refused) throw badPlatforms(place, `has ${String(refused.key)}, which is one for all`);
    readSection({ ...reading, layer, number: ENTRY_LAYER }, settings, '');
    reading.platforms.push({ name, at: place, layer });
  }
}

/** What there is once in a process. */
export const OF_THE_PROCESS: readonly string[] = ['log', PLATFORMS];

/** Becomes the name of a folder. */
export const PLATFORM_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

function badPlatforms(at: string, what: string): Error {
  const message = `The key ${PLATFORMS} (${at}) ${what}; expected a list such as "- name: docs", each with a name of its own of a-z, 0-9 and -, and settings`;
  return new ConfigError('DM_CONFIG_INVALID', message, { hint: 'Correct the file.' });
}

function placeOf(reading: Reading, node: Node, otherwise: string): string {
  return node.range ? place(reading, node.range[0]) : otherwise;
}

function readSetting(reading: Reading, found: { key: SettingKey; node: Node | null; at: string }): void {
  const { key, node, at } = found;
  const before = reading.layer.get(key);
  if (before !== undefined) {
    const message = `Setting ${key} is given twice, at ${before.at} and at ${at}; expected it once`;
    throw new ConfigError('DM_CONFIG_INVALID', message, { hint: 'Take one of the two away.' });
  }
  const raw = node === null ? null : plainValue(reading, node, `Setting ${key} (${at})`);
  const texts = [raw].flat().filter((one) => typeof one === 'string');
  const isLiteral = !texts.some(hasReference);
  const files = texts.flatMap(filesNamedIn);
  reading.layer.set(key, { value: fill(raw, { at, reading, key }), at, layer: reading.number, isLiteral, files });
}

/** Throws where aliases stand for more than any setting holds. */
function plainValue({ document }: Reading, node: Node, named: string): unknown {
  try {
    return node.toJS(document);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError('DM_CONFIG_INVALID', `${named} cannot be read: ${why}; expected fewer aliases`, {
      hint: 'Write what they stand for in their places.',
      cause,
    });
  }
}

function fill(raw: unknown, context: { at: string; reading: Reading; key: SettingKey }): unknown {
  const references = context.reading.references;
  if (Array.isArray(raw)) {
    return raw.map((item: unknown) => (typeof item === 'string' ? substitute(item, context.at, references) : item));
  }
  if (typeof raw !== 'string' || !hasReference(raw)) return raw;
  return settingOf(context.key).fromText(substitute(raw, context.at, references));
}

function unknownKey(key: string, at: string): Error {
  const known = [...SETTING_KEYS, ...sections()];
  const meant = settingMeant(
    key,
    known.filter((one) => !key.startsWith(`${one}.`)),
  );
  const parent = key.includes('.') ? key.slice(0, key.lastIndexOf('.')) : '';
  const message = `The key ${key} (${at}) is not a setting${meant ? `; did you mean ${meant}?` : ''}`;
  return new ConfigError('DM_CONFIG_UNKNOWN_KEY', message, {
    hint: `Expected here: ${childrenOf(parent).join(', ')}.`,
  });
}

/** Every key that holds other keys. */
export function sections(): string[] {
  const found = SETTING_KEYS.flatMap((key) => {
    const parts = key.split('.').slice(0, -1);
    return parts.map((_, i) => parts.slice(0, i + 1).join('.'));
  });
  return [...new Set(found)];
}

function isSection(key: string): boolean {
  return sections().includes(key);
}

function childrenOf(section: string): string[] {
  const prefix = section === '' ? '' : `${section}.`;
  const names = SETTING_KEYS.filter((key) => key.startsWith(prefix)).map(
    (key) => key.slice(prefix.length).split('.')[0] ?? '',
  );
  return [...new Set(section === '' ? [...names, PLATFORMS] : names)];
}

function resolve(reading: Reading, value: unknown): Node | null {
  if (isAlias(value)) return value.resolve(reading.document) ?? null;
  return isNode(value) ? value : null;
}

function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

// Only its type: a section may be given something that belongs to one of its secrets.
function describeNode(node: Node | null): string {
  return isSeq(node) ? 'a list' : 'a single value';
}

function place(reading: Reading, offset: number): string {
  const { line, col } = reading.lines.linePos(offset);
  return `${reading.source.path}:${line}:${col}`;
}
