import { existsSync } from 'node:fs';
import { pathFromHere, shellWord } from '../base/index.ts';
import type { Config } from '../config/index.ts';
import { lastPorts, tokenFileIn } from './platform-folder.ts';
import { platformFolder } from './places.ts';

/** Where the demonstration's platform answers while `start` runs it. */
export interface Demo {
  readonly url: string;
  /** Absolute path. */
  readonly tokenFile: string;
  /** What leads any command there. */
  readonly flags: string;
}

/** Null when the data directory holds none. */
export function demoOf(config: Config): Demo | null {
  const folder = platformFolder(config);
  const tokenFile = tokenFileIn(folder);
  const ports = existsSync(tokenFile) ? lastPorts(folder) : null;
  if (ports === null) return null;
  const url = `http://127.0.0.1:${ports.api}`;
  return { url, tokenFile, flags: `--base-url ${url} --token-file ${shellWord(pathFromHere(tokenFile))}` };
}
