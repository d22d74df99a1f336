// The settings for people and editors: README's table and the JSON schema of the file.
import Type, { type TSchema } from 'typebox';
import type { Setting } from './setting.ts';
import { CONFIG_FLAG, CONFIG_VARIABLE } from './layers.ts';
import { SETTING_KEYS, settingOf } from './settings.ts';
import { DEFAULT_CONFIG_FILE } from './load-config.ts';

export interface SettingRow {
  /** Its place in the file, `limits.timeout`; empty for the file itself. */
  key: string;
  environment: string;
  flag: string;
  default: string;
  expected: string;
  description: string;
}

/** One row per setting, in the order of the file. */
export function settingsTable(): SettingRow[] {
  const file: SettingRow = {
    key: '',
    environment: CONFIG_VARIABLE,
    flag: CONFIG_FLAG,
    default: `${DEFAULT_CONFIG_FILE}, if it is there`,
    expected: 'the path of a file',
    description: 'The YAML file that these keys stand in.',
  };
  return [file, ...SETTING_KEYS.map((key) => settingRow(key, settingOf(key)))];
}

function settingRow(key: string, setting: Setting<unknown>): SettingRow {
  return {
    key,
    environment: setting.environment ?? '',
    flag: setting.flag ?? '',
    default: typeof setting.default === 'string' ? setting.default : JSON.stringify(setting.default),
    expected: setting.expected,
    description: setting.description,
  };
}

interface Section {
  [name: string]: Section | TSchema;
}

/** The JSON schema of the file, for editors; `config/docmirror.schema.json` is this. */
export function configFileSchema(): TSchema {
  const root: Section = {};
  for (const key of SETTING_KEYS) {
    const parts = key.split('.');
    const name = parts.pop() ?? key;
    let section = root;
    for (const part of parts) section = (section[part] ??= {}) as Section;
    section[name] = leafSchema(settingOf(key));
  }
  const schema = sectionSchema(root);
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Docmirror configuration', ...schema };
}

function leafSchema(setting: Setting<unknown>): TSchema {
  const about = { description: setting.description, default: setting.default };
  const reference = Type.String({ pattern: '\\$\\{[^}]+\\}' });
  return Type.Union([setting.schema, reference], about);
}

function sectionSchema(section: Section): TSchema {
  const properties = Object.entries(section).map(([name, child]): [string, TSchema] => [
    name,
    Type.Optional(isLeaf(child) ? child : Type.Union([sectionSchema(child), Type.Null()])),
  ]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

function isLeaf(child: Section | TSchema): child is TSchema {
  return 'anyOf' in child;
}
