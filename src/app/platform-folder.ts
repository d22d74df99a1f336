// What lies beside the database in the folder of an embedded platform: its token, and the ports that it had last.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readableJson, writeFileAtomic } from '../base/index.ts';

export interface Ports {
  readonly api: number;
  readonly files: number;
}

export function tokenFileIn(folder: string): string {
  return join(folder, 'token');
}

function portsFileIn(folder: string): string {
  return join(folder, 'ports.json');
}

/** Null where none are noted; a damaged note is worth no more than none. */
export function lastPorts(folder: string): Ports | null {
  const file = portsFileIn(folder);
  if (!existsSync(file)) return null;
  const { api, files } = readableJson(readFileSync(file, 'utf8')) ?? {};
  return typeof api === 'number' && typeof files === 'number' ? { api, files } : null;
}

export function notePorts(folder: string, ports: Ports): Promise<void> {
  return writeFileAtomic(portsFileIn(folder), JSON.stringify(ports));
}
