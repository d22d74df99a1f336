import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { ConfigError, didYouMean } from './errors.ts';
import { FILE_LAYER, type Layer } from './layers.ts';
import { isSettingKey, SETTING_KEYS, settingOf, type SettingKey } from './settings.ts';
import { hasReference, substitute, type SubstitutionSources } from './substitute.ts';

export interface YamlSource {
  /** For errors. */
  path: string;
  text: string;
}

interface Reading {
  source: YamlSource;
  document: Document;
  lines: LineCounter;
  references: SubstitutionSources;
  layer: Layer;
}

/** The settings of a YAML file. Throws for a file that is not YAML and for a key that does not exist, with line and column. */
export function fileLayer(source: YamlSource, references: SubstitutionSources): Layer {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const reading: Reading = { source, document, lines, references, layer: new Map() };
  const error = document.errors[0];
  if (error) {
    throw new ConfigError('DM_CONFIG_INVALID', `${place(reading, error.pos[0])} is not valid YAML: ${error.message}`, {
      hint: 'Correct the file.',
      cause: error,
    });
  }
  const root = document.contents;
  if (isMap(root)) readSection(reading, root, '');
  else if (root !== null && !isEmpty(root)) {
    throw new ConfigError(
      'DM_CONFIG_INVALID',
      `${source.path} is not a list of settings; expected keys such as platform:`,
      {
        hint: 'Correct the file.',
      },
    );
  }
  return reading.layer;
}

function readSection(reading: Reading, section: YAMLMap, prefix: string): void {
  for (const pair of section.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '?';
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const keyNode = isScalar(pair.key) ? pair.key : section;
    const at = place(reading, keyNode.range?.[0] ?? 0);
    const node = resolve(reading, pair.value);
    if (isSettingKey(key)) readSetting(reading, { key, node, at });
    else if (!isSection(key)) throw unknownKey(key, at);
    else if (isMap(node)) readSection(reading, node, key);
    else if (!isEmpty(node)) {
      const message = `Setting ${key} (${at}) is ${describeNode(node)}; expected a section with settings of its own`;
      throw new ConfigError('DM_CONFIG_INVALID', message, { hint: `Its settings are ${childrenOf(key).join(', ')}.` });
    }
  }
}

function readSetting(reading: Reading, found: { key: SettingKey; node: Node | null; at: string }): void {
  const { key, node, at } = found;
  const raw: unknown = node === null ? null : node.toJS(reading.document, { maxAliasCount: 100 });
  reading.layer.set(key, { value: fill(raw, { at, reading, key }), at, layer: FILE_LAYER });
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
  const meant = didYouMean(key, [...SETTING_KEYS, ...sections()]);
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
  return [...new Set(names)];
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
