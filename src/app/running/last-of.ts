// What the mirror says of when something was done last.
import { mirrorIfThere, mirrorState, type Mirror } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';

/** Null also while there is no mirror. */
export function lastOf({ config, clock }: Kit, find: (mirror: Mirror) => number | null): number | null {
  using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
  return mirror && find(mirror);
}

/** The same for whoever asks again and again, such as twice a minute for as long as a job waits: read anew where something was written since. */
export function lastWhenWritten(kit: Kit, find: (mirror: Mirror) => number | null): () => number | null {
  let known: { readonly state: string; readonly last: number | null } | null = null;
  return () => {
    const state = mirrorState(kit.config.dataDir);
    if (known?.state !== state) known = { state, last: lastOf(kit, find) };
    return known.last;
  };
}

/** Milliseconds since the epoch. */
export function timeOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}
