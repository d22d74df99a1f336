import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../base/index.ts';
import type { Config } from '../config/index.ts';
import { platformFolder } from './places.ts';

/** Where the demonstration's platform answers while `start` runs it. */
export interface Demo {
  readonly url: string;
  /** Absolute path. */
  readonly tokenFile: string;
}

/** Null when the data directory holds none. */
export function demoOf(config: Config): Demo | null {
  const folder = platformFolder(config);
  const tokenFile = join(folder, 'token');
  const ports = join(folder, 'ports.json');
  if (!existsSync(tokenFile) || !existsSync(ports)) return null;
  const kept: unknown = JSON.parse(readFileSync(ports, 'utf8'));
  return isRecord(kept) && typeof kept['api'] === 'number'
    ? { url: `http://127.0.0.1:${kept['api']}`, tokenFile }
    : null;
}
