// The command that continues a walk which was cut off: one with another mode or scope would begin anew, and give it up.
import { isRecord, shellWord } from '../base/index.ts';
import type { Snapshot } from './snapshots.ts';

const LIMITS = [
  ['onlyCollections', '--collection'],
  ['onlySpaces', '--space'],
  ['kinds', '--kind'],
] as const;

export function continuingSync({ mode, scope }: Pick<Snapshot, 'mode' | 'scope'>): string {
  const limits: unknown = scope === null ? {} : JSON.parse(scope);
  const given = LIMITS.flatMap(([name, flag]) => flagOf(flag, limits, name));
  // Organizations stand beside other limits because the configuration names them, and alone because the command line did.
  const all = given.length > 0 ? given : flagOf('--organization', limits, 'organizations');
  return ['docmirror sync', ...(mode === 'full' ? ['--full'] : []), ...all].join(' ');
}

function flagOf(flag: string, limits: unknown, name: string): string[] {
  const values = isRecord(limits) ? limits[name] : null;
  return Array.isArray(values) && values.length > 0 ? [flag, ...values.map((one) => shellWord(String(one)))] : [];
}
