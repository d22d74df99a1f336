// Whether a walk that was cut off is continued by the next one, or given up.
import { isRefusedIn, termsOfSnapshot, type Snapshot } from '../mirror/index.ts';
import { scopeText } from './scope.ts';
import { otherTerms } from './terms.ts';
import type { WalkOptions } from './types.ts';

export type Continuing = Pick<WalkOptions, 'mirror' | 'clock' | 'mode' | 'scope' | 'settings' | 'acceptRights'> & {
  /** Origin of the platform; null where it is not known yet, which keeps nothing from being continued. */
  readonly origin: string | null;
};

/** Why a walk with these options gives up the open one, in words; null when it continues it. */
export function whyNotContinue(options: Continuing, open: Snapshot): string | null {
  if (options.origin !== null && open.origin !== options.origin) return `it was of ${open.origin}`;
  if (open.mode !== options.mode) return `it was ${open.mode}`;
  if (open.scope !== scopeText(options)) return 'it had another scope';
  const others = otherTerms(options, termsOfSnapshot(options.mirror, open.id));
  if (others === undefined) return 'it does not say under which configuration it began';
  if (others.length > 0) return `it began with another ${others.join(', ')}`;
  const refused = options.acceptRights === true && isRefusedIn(options.mirror, open.id);
  if (refused) return 'it was refused before what is accepted now';
  // Begun at a time yet to come: the clock is wrong or was, and how old it is nobody knows.
  const age = Math.abs(options.clock.now() - Date.parse(open.started_at));
  return age > options.settings.resumeWithinMs ? 'it is too old to continue' : null;
}
