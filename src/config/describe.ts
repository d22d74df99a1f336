// The settings for people and editors: README's table and the JSON schema of the file.
import Type, { type TSchema } from 'typebox';
import type { Setting } from './setting.ts';
import { CONFIG_FLAG, CONFIG_VARIABLE, PLATFORM_FLAG, PLATFORM_VARIABLE } from './layers.ts';
import { SETTING_KEYS, settingOf } from './settings.ts';
import { DEFAULT_CONFIG_FILE } from './load-config.ts';
import { OF_THE_PROCESS, PLATFORM_NAME, PLATFORMS } from './yaml-file.ts';

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
  const platform: SettingRow = {
    key: '',
    environment: PLATFORM_VARIABLE,
    flag: PLATFORM_FLAG,
    default: 'the only one',
    expected: 'a name of the list `platforms`',
    description: 'Which platform of the list a command is about.',
  };
  return [file, platform, ...SETTING_KEYS.map((key) => settingRow(key, settingOf(key)))];
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
  const root = settingsTree();
  const { properties, ...schema } = Type.Object(propertiesOf(root), { additionalProperties: false });
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const title = 'Docmirror configuration';
  return { $schema, title, ...schema, properties: { ...properties, [PLATFORMS]: platformsSchema(Object.keys(root)) } };
}

/** Entries hold what the file holds, so they refer to it. */
function platformsSchema(names: readonly string[]): TSchema {
  const own = names.filter((name) => !OF_THE_PROCESS.includes(name));
  const name = Type.String({ pattern: PLATFORM_NAME.source, description: 'Name of the platform.' });
  const settings = own.map((key) => [key, Type.Optional(Type.Unsafe({ $ref: `#/properties/${key}` }))] as const);
  const entry = Type.Object({ name, ...Object.fromEntries(settings) }, { additionalProperties: false });
  return Type.Union([Type.Array(entry, { minItems: 1 }), Type.Null()], {
    description:
      'Several platforms: each with its name, its own data directory, and any settings but those of the log.',
  });
}

function settingsTree(): Section {
  const root: Section = {};
  for (const key of SETTING_KEYS) {
    const parts = key.split('.');
    const name = parts.pop() ?? key;
    let section = root;
    for (const part of parts) section = (section[part] ??= {}) as Section;
    section[name] = leafSchema(settingOf(key));
  }
  return root;
}

function leafSchema(setting: Setting<unknown>): TSchema {
  const about = { description: setting.description, default: setting.default };
  const reference = Type.String({ pattern: '\\$\\{[^}]+\\}' });
  return Type.Union([setting.schema, reference], about);
}

function propertiesOf(section: Section): Record<string, TSchema> {
  const properties = Object.entries(section).map(([name, child]): [string, TSchema] => [
    name,
    Type.Optional(isLeaf(child) ? child : Type.Union([sectionSchema(child), Type.Null()])),
  ]);
  return Object.fromEntries(properties);
}

function sectionSchema(section: Section): TSchema {
  return Type.Object(propertiesOf(section), { additionalProperties: false });
}

function isLeaf(child: Section | TSchema): child is TSchema {
  return 'anyOf' in child;
}
