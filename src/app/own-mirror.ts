import { openMirror, type Mirror } from '../mirror/index.ts';
import type { Kit } from './kit.ts';

/** Opens the mirror of the data directory for writing; the caller holds its lease. */
export function openOwnMirror({ config, clock, log }: Pick<Kit, 'config' | 'clock' | 'log'>): Promise<Mirror> {
  return openMirror({ dataDir: config.dataDir, clock, log });
}
