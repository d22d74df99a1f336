import path from 'node:path';
import type { Environment } from '../base/index.ts';
import { buildConfig } from './build-config.ts';
import { ConfigError, showName } from './errors.ts';
import {
  CONFIG_FLAG,
  CONFIG_VARIABLE,
  defaultLayer,
  ENTRY_LAYER,
  environmentLayer,
  flagLayer,
  flagProperty,
  mergeLayers,
  PLATFORM_FLAG,
  PLATFORM_VARIABLE,
  refuseVariablesOfTheFile,
  type Flags,
  type Given,
  type Layer,
} from './layers.ts';
import { readProxies } from './read-proxies.ts';
import { checkLayer, readValues, type Values } from './read-values.ts';
import { FILED_SECRETS } from './read-secret.ts';
import { readTextFile } from './read-text-file.ts';
import { repeatedFlags } from './repeat-flags.ts';
import { SETTING_KEYS, settingOf } from './settings.ts';
import type { Config, SecretFile } from './types.ts';
import { readFileSettings, type FileSettings, type NamedLayer } from './yaml-file.ts';

/** Read when no other file is named, and only if it is there. */
export const DEFAULT_CONFIG_FILE = 'config/docmirror.yaml';

const OF_ONE = [settingOf('platform.baseUrl').flag, settingOf('platform.tokenFile').flag].filter(
  (flag) => flag !== undefined,
);

export interface ConfigSources {
  /** By camel-case name: `{baseUrl, tokenFile, dataDir, config, logLevel, targetUrl}`. Others are ignored. */
  flags: Flags;
  environment: Environment;
  /** Relative paths start here. */
  cwd: string;
  /** The text of a file, or null when there is none; reads the disk when absent. */
  readFile?: (absolutePath: string) => string | null;
}

/**
 * The configuration from file, environment and flags, each overriding the one before. Reads the YAML file, token files and what
 * `${file:…}` names, nothing else. With a list of platforms, that of the one that `--platform` or DOCMIRROR_PLATFORM names.
 * Throws ConfigError (exit code 2) for an unknown key, a bad value, a contradiction, or a choice that was not made.
 */
export function loadConfig(sources: ConfigSources): Config {
  const configs = loadConfigs(sources);
  const [only, another] = configs;
  if (only !== undefined && another === undefined) return only;
  throw noneNamed(configs, { which: 'Several', else: 'The daemon runs them all.' });
}

interface NoneNamed {
  readonly which: string;
  /** What else may be meant. */
  readonly else: string;
}

function noneNamed(configs: readonly Config[], { which, else: otherwise }: NoneNamed): ConfigError {
  const names = configs.map(({ name }) => name).join(', ');
  return new ConfigError(
    'DM_CONFIG_MISSING',
    `${which} platforms are configured (${names}); expected one to be named`,
    {
      hint: `Add ${PLATFORM_FLAG} NAME, or set ${PLATFORM_VARIABLE}. ${otherwise}`,
    },
  );
}

/** For all of the list, one token would be sent to every address of it, or the tokens of all to one. */
function refuseFlagsOfOne(flags: Flags, configs: readonly Config[]): void {
  const given = OF_ONE.find((flag) => flags[flagProperty(flag)] !== undefined);
  if (given === undefined || configs.length < 2) return;
  throw noneNamed(configs, {
    which: `${given} is of one platform, and several`,
    else: 'What is of each stands in its entry in the settings file.',
  });
}

/** The configurations of all platforms in the list, or of the one that is named; a single one without a list. */
export function loadConfigs(sources: ConfigSources): Config[] {
  const read = sources.readFile ?? readTextFile;
  const readFile = (file: string): string | null => read(path.resolve(sources.cwd, file));
  const file = fileSettings(sources, readFile);
  const files = secretFilesOf(sources);
  refuseVariablesOfTheFile(sources.environment, [file.layer, ...file.platforms.map(({ layer }) => layer)]);
  const given = [file.layer, environmentLayer(sources.environment)];
  const common = [defaultLayer(), ...given];
  const flags = flagLayer(sources.flags);
  for (const layer of [...given, ...file.platforms.map((entry) => entry.layer)]) checkLayer(layer);
  const proxies = readProxies(sources.environment);
  const build = (name: string | null, layers: readonly Layer[]): Config =>
    buildConfig(readValues(mergeLayers([...layers, flags])), {
      cwd: sources.cwd,
      proxies,
      machineZone: sources.environment['TZ'] ?? null,
      readFile,
      secretFiles: files,
      name,
      flags: repeatedFlags(sources.flags, file.platforms.length > 1 ? name : null),
    });
  const chosen = choose(sources, file.platforms);
  if (file.platforms.length === 0) return [build(null, common)];
  const configs = file.platforms.flatMap((entry, place) =>
    ofNoOther(entry.name === (chosen ?? entry.name), () =>
      build(entry.name, [...common, ownLayer(readValues(mergeLayers(common)), entry, place), entry.layer]),
    ),
  );
  if (chosen === undefined) refuseFlagsOfOne(sources.flags, configs);
  refuseSharedPlaces(configs);
  return configs.filter(({ name }) => chosen === undefined || name === chosen);
}

/** What keeps one of the list from its work, such as a token file that is gone, keeps no command from another that is named. */
function ofNoOther(isMeant: boolean, build: () => Config): Config[] {
  try {
    return [build()];
  } catch (error) {
    if (isMeant || !(error instanceof ConfigError)) throw error;
    return [];
  }
}

/** Whoever else can read one of them has what stands in it. */
function secretFilesOf({ cwd, flags, environment }: ConfigSources): (values: Values) => SecretFile[] {
  const file = flags['config'] ?? (environment[CONFIG_VARIABLE] || DEFAULT_CONFIG_FILE);
  return (values) => {
    const secrets = SETTING_KEYS.filter((key) => settingOf(key).secret);
    const holdsOne = secrets.some((key) => values.given(key).isLiteral === true && values.get(key) !== null);
    const named = [
      ...FILED_SECRETS.map((key) => values.get(`${key}File`)).filter((name) => name !== null),
      ...secrets.flatMap((key) => values.given(key).files ?? []),
    ];
    return [
      ...(holdsOne ? [{ path: path.resolve(cwd, file), hasSettings: true }] : []),
      ...named.map((name) => ({ path: path.resolve(cwd, name), hasSettings: false })),
    ];
  };
}

function choose(sources: ConfigSources, platforms: readonly NamedLayer[]): string | undefined {
  const chosen = sources.flags['platform'] ?? (sources.environment[PLATFORM_VARIABLE] || undefined);
  if (chosen === undefined || platforms.some(({ name }) => name === chosen)) return chosen;
  const by = sources.flags['platform'] === undefined ? PLATFORM_VARIABLE : PLATFORM_FLAG;
  const names = platforms.map(({ name }) => name).join(', ');
  const expected = names === '' ? 'no name: the configuration has no list of platforms' : `one of ${names}`;
  throw new ConfigError('DM_CONFIG_INVALID', `${by} names ${showName(chosen)}; expected ${expected}`, {
    hint: 'Correct the name, or the file.',
  });
}

/**
 * What a platform of the list has for itself even when it does not say so: a folder, a port, and no token but its own, since one that
 * is meant for another platform must not be sent to it.
 */
function ownLayer(values: Values, { name, at }: NamedLayer, place: number): Layer {
  const own = (value: unknown): Given => ({ value, at, layer: ENTRY_LAYER });
  const port = values.get('status.port');
  return new Map([
    ['dataDir', own(path.join(values.get('dataDir'), name))],
    ['status.port', own(port === 0 ? 0 : port + place)],
    ['platform.token', own(null)],
    ['platform.tokenFile', own(null)],
  ]);
}

/** What two platforms would be in each other's way for; null when there is nothing. */
export function sharedPlace(one: Config, other: Config): 'dataDir' | 'status.port' | null {
  if (one.dataDir === other.dataDir) return 'dataDir';
  return one.status.port !== 0 && one.status.port === other.status.port ? 'status.port' : null;
}

function refuseSharedPlaces(configs: readonly Config[]): void {
  for (const [place, one] of configs.entries()) {
    for (const other of configs.slice(0, place)) {
      const shared = sharedPlace(one, other);
      if (shared === null) continue;
      const message = `The platforms ${String(other.name)} and ${String(one.name)} have the same ${shared}; expected one of its own for each`;
      throw new ConfigError('DM_CONFIG_INVALID', message, { hint: `Set ${shared} in the entry of one of them.` });
    }
  }
}

function fileSettings(sources: ConfigSources, readFile: (file: string) => string | null): FileSettings {
  const named = sources.flags['config'] ?? (sources.environment[CONFIG_VARIABLE] || undefined);
  const file = named ?? DEFAULT_CONFIG_FILE;
  const text = readFile(file);
  if (text !== null) return readFileSettings({ path: file, text }, { environment: sources.environment, readFile });
  if (named === undefined) return { layer: new Map(), platforms: [] };
  const by = sources.flags['config'] === undefined ? CONFIG_VARIABLE : CONFIG_FLAG;
  throw new ConfigError('DM_CONFIG_MISSING', `${by} names ${showName(named)}, which is not there`, {
    hint: 'Create the file or correct the path.',
  });
}
