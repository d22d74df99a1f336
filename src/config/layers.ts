// Where a value comes from: the file, then the environment, then the flags; the last one wins.
import { editDistance, type Environment } from '../base/index.ts';
import { ConfigError, settingMeant } from './errors.ts';
import { SETTING_KEYS, settingOf, type SettingKey } from './settings.ts';

export interface Given {
  value: unknown;
  /** For errors: `docmirror.yaml:3:5`, `DOCMIRROR_TOKEN`, `--data-dir`, `default`. */
  at: string;
  layer: number;
  /** It stands in the file itself, and is not where a reference leads to. */
  isLiteral?: boolean;
  /** Files whose text stands in it, as `${file:…}` names them. */
  files?: readonly string[];
}

export type Layer = Map<SettingKey, Given>;

/** Flags as the command line gives them, by their name in camel case: `{dataDir: './x'}` for `--data-dir ./x`. */
export type Flags = Readonly<Record<string, string | undefined>>;

const DEFAULTS = 0;
export const FILE_LAYER = 1;
const ENVIRONMENT = 2;
/** Of one platform in the list. It comes after the environment: a token there is that of no particular platform. */
export const ENTRY_LAYER = 3;
const FLAGS = 4;

export const CONFIG_VARIABLE = 'DOCMIRROR_CONFIG';
export const CONFIG_FLAG = '--config';
/** Chooses one of the list of platforms. */
export const PLATFORM_VARIABLE = 'DOCMIRROR_PLATFORM';
export const PLATFORM_FLAG = '--platform';
/** Read by the embedded platform's command itself. */
const OTHER_VARIABLES = [CONFIG_VARIABLE, PLATFORM_VARIABLE, 'DOCMIRROR_PLATFORM_TOKEN'];

export function defaultLayer(): Layer {
  return new Map(SETTING_KEYS.map((key) => [key, { value: settingOf(key).default, at: 'default', layer: DEFAULTS }]));
}

/** A variable that is set but empty counts as not set: containers pass those on. */
export function environmentLayer(environment: Environment): Layer {
  refuseMistypedVariables(environment);
  const layer: Layer = new Map();
  for (const key of SETTING_KEYS) {
    const setting = settingOf(key);
    const text = setting.environment === undefined ? undefined : environment[setting.environment];
    if (setting.environment === undefined || text === undefined || text === '') continue;
    layer.set(key, { value: setting.fromText(text), at: setting.environment, layer: ENVIRONMENT });
  }
  return layer;
}

export function flagLayer(flags: Flags): Layer {
  const layer: Layer = new Map();
  for (const key of SETTING_KEYS) {
    const setting = settingOf(key);
    const text = setting.flag === undefined ? undefined : flags[flagProperty(setting.flag)];
    if (setting.flag === undefined || text === undefined) continue;
    layer.set(key, { value: setting.fromText(text), at: setting.flag, layer: FLAGS });
  }
  return layer;
}

/** Given as text, which cannot say null. */
export function isText({ layer }: Given): boolean {
  return layer === ENVIRONMENT || layer === FLAGS;
}

/** Later layers win. */
export function mergeLayers(layers: readonly Layer[]): Layer {
  return new Map(layers.flatMap((layer) => [...layer]));
}

/** `dataDir` for `--data-dir`. */
export function flagProperty(flag: string): string {
  return flag.replace(/^--/, '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

const TYPO_EDITS = 2;

// Only near misses are refused: an orchestrator may put names of its own (DOCMIRROR_PORT_8780_TCP) beside ours.
function refuseMistypedVariables(environment: Environment): void {
  const known = knownVariables();
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('DOCMIRROR_') || known.includes(name) || !environment[name]) continue;
    const meant = settingMeant(name, known);
    if (meant === null || editDistance(name, meant) > TYPO_EDITS) continue;
    const message = `The environment variable ${name} is not a setting; did you mean ${meant}?`;
    throw new ConfigError('DM_CONFIG_UNKNOWN_KEY', message, { hint: `Rename it to ${meant}, or unset it.` });
  }
}

// Where an orchestrator tells of a service of that name.
const LINKED = /^(tcp|udp):/;

/**
 * Throws for a variable that is spelled as a setting and would be ignored: `DOCMIRROR_SCHEDULE_SYNC` for `schedule.sync`, which stands in
 * the file alone. Where the file itself takes the setting from a variable, for all platforms or for one of them, it may have that name.
 */
export function refuseVariablesOfTheFile(environment: Environment, file: readonly Layer[]): void {
  const known = knownVariables();
  for (const key of SETTING_KEYS) {
    const name = variableFor(key);
    const value = environment[name];
    if (value === undefined || value === '' || LINKED.test(value) || known.includes(name)) continue;
    if (file.some((layer) => layer.get(key)?.isLiteral === false)) continue;
    const { environment: own } = settingOf(key);
    const expected = own ?? `${key} in the file`;
    const hint =
      own === undefined
        ? `Unset it, or let the file take it from there (${CONFIG_FLAG}, ${CONFIG_VARIABLE}): ${key}: \${${name}}`
        : `Rename it to ${own}, or unset it.`;
    const message = `The environment variable ${name} is not a setting; expected ${expected}`;
    throw new ConfigError('DM_CONFIG_UNKNOWN_KEY', message, { hint });
  }
}

function variableFor(key: SettingKey): string {
  return `DOCMIRROR_${key.replaceAll('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

function knownVariables(): string[] {
  return SETTING_KEYS.map((key) => settingOf(key).environment ?? CONFIG_VARIABLE).concat(OTHER_VARIABLES);
}
