import { readMirror } from '../mirror/index.ts';
import type { Kit } from './kit.ts';

/** Throws DM_NO_SNAPSHOT where there is no mirror yet, before anything is made there: the directory may be mistyped. */
export function demandMirror({ config, clock }: Kit): void {
  readMirror({ dataDir: config.dataDir, clock })[Symbol.dispose]();
}
