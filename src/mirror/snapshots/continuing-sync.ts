// The command that continues a walk which was cut off: one with another mode, scope or terms would begin anew, and give it up.
import { isRecord, shellWord } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { LIMITS } from './limit-words.ts';
import { termsOfSnapshot, type Snapshot } from './snapshots.ts';

/** The command line that continues an open walk. */
export function continuingSync(mirror: Mirror, { id, mode, scope }: Pick<Snapshot, 'id' | 'mode' | 'scope'>): string {
  const limits: unknown = scope === null ? {} : JSON.parse(scope);
  // Organizations that the configuration names make the same scope when they are named once more.
  const given = LIMITS.flatMap(([name, word]) => flagOf(`--${word}`, limits, name));
  const flags = [...(mode === 'full' ? ['--full'] : []), ...(drawsPdfs(mirror, id) ? ['--pdf'] : [])];
  return ['docmirror sync', ...flags, ...given].join(' ');
}

/** Of all the terms of a walk, the one that the command line alone sets. */
function drawsPdfs(mirror: Mirror, snapshot: number): boolean {
  const terms: unknown = JSON.parse(termsOfSnapshot(mirror, snapshot) ?? 'null');
  return isRecord(terms) && (terms['--pdf'] ?? terms[FORMER_PDF]) === true;
}

/** The name under which earlier versions kept that a walk draws PDFs. */
export const FORMER_PDF = '--pdfs';

function flagOf(flag: string, limits: unknown, name: string): string[] {
  const values = isRecord(limits) ? limits[name] : null;
  return Array.isArray(values) && values.length > 0 ? [flag, ...values.map((one) => shellWord(String(one)))] : [];
}
