// Settings of a daemon that count from its start to its end.
import { Secret, sha256 } from '../../base/index.ts';
import type { Config } from '../../config/index.ts';

/** What an open page, an open file and the log stand on. */
const FIXED = ['dataDir', 'status', 'freshness', 'replica', 'log'] as const satisfies readonly (keyof Config)[];

type Fixed = Pick<Config, (typeof FIXED)[number]>;

/** The later configuration, with these as they were. */
export function keepFixed(before: Config, after: Config): Config {
  return { ...after, ...(Object.fromEntries(FIXED.map((key) => [key, before[key]])) as Fixed) };
}

/** Which of these are others in the later configuration. */
export function fixedChanges(before: Config, after: Config): string[] {
  return FIXED.filter((key) => shown(before[key]) !== shown(after[key]));
}

/** Secrets show themselves to nobody, so their hash is compared. */
function shown(value: unknown): string {
  return JSON.stringify(
    value,
    function secretsToo(this: Readonly<Record<string, unknown>>, key: string, part: unknown) {
      const own = this[key];
      return own instanceof Secret ? sha256(own.reveal()) : part;
    },
  );
}
