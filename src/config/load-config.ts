import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../base/index.ts';
import { buildConfig } from './build-config.ts';
import { ConfigError } from './errors.ts';
import {
  CONFIG_FLAG,
  CONFIG_VARIABLE,
  defaultLayer,
  environmentLayer,
  flagLayer,
  mergeLayers,
  type Flags,
  type Layer,
} from './layers.ts';
import { readValues } from './read-values.ts';
import type { Config } from './types.ts';
import { fileLayer } from './yaml-file.ts';

/** Read when no other file is named, and only if it is there. */
export const DEFAULT_CONFIG_FILE = 'config/docmirror.yaml';

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
 * `${file:…}` names, nothing else. Throws ConfigError (exit code 2) for an unknown key, a bad value or a contradiction.
 */
export function loadConfig(sources: ConfigSources): Config {
  const read = sources.readFile ?? readTextFile;
  const readFile = (file: string): string | null => read(path.resolve(sources.cwd, file));
  const layers = [
    defaultLayer(),
    configFileLayer(sources, readFile),
    environmentLayer(sources.environment),
    flagLayer(sources.flags),
  ];
  return buildConfig(readValues(mergeLayers(layers)), { cwd: sources.cwd, readFile });
}

function configFileLayer(sources: ConfigSources, readFile: (file: string) => string | null): Layer {
  const named = sources.flags.config ?? (sources.environment[CONFIG_VARIABLE] || undefined);
  const file = named ?? DEFAULT_CONFIG_FILE;
  const text = readFile(file);
  if (text !== null) return fileLayer({ path: file, text }, { environment: sources.environment, readFile });
  if (named === undefined) return new Map();
  const by = sources.flags.config === undefined ? CONFIG_VARIABLE : CONFIG_FLAG;
  throw new ConfigError('DM_CONFIG_MISSING', `${by} names ${named}, which is not there`, {
    hint: 'Create the file or correct the path.',
  });
}

function readTextFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const message = `The file ${file} cannot be read (${String(code)})`;
    const hint = 'Give this user permission to read it, or correct the path.';
    throw new ConfigError('DM_CONFIG_INVALID', message, { hint, cause: error });
  }
}
