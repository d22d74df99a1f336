import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Mirror } from '../database/database.ts';

/** Of the data directory: plans that were applied, and what restores and drills work with. */
export const RESTORES_FOLDER = 'restores';

/** Where something of restores lies now: it was noted with the data directory as that was called then, which was moved since, or is a copy. */
export function presentPlace({ dataDir }: Pick<Mirror, 'dataDir'>, noted: string): string {
  const steps = noted.split(sep);
  const from = steps.lastIndexOf(RESTORES_FOLDER);
  if (from === -1) return noted;
  const here = join(dataDir, ...steps.slice(from));
  return existsSync(here) ? here : noted;
}
