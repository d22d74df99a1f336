import { repeatFlags, type Config } from '../../config/index.ts';
import { failuresOf, mirrorIfThere, type Failure, type Mirror } from '../../mirror/index.ts';
import { namedIn, readStatus, type StatusReport } from '../../status/index.ts';
import { demoOf } from '../demo.ts';
import type { Kit } from '../kit.ts';
import { refuseLostMirror } from '../lost-mirror.ts';

export interface WholeStatus extends StatusReport {
  /** What failed in the last sealed snapshot, however much it is. */
  readonly failures: readonly Failure[];
}

/** How the mirror stands now; the commands in it lead to this mirror. Throws DM_DATABASE_DAMAGED where its database was lost. */
export async function statusNow(kit: Kit): Promise<WholeStatus> {
  await refuseLostMirror(kit);
  using mirror = mirrorIfThere({ dataDir: kit.config.dataDir, clock: kit.clock });
  const report = statusOf(kit, mirror);
  const { lastSealed } = report;
  return { ...report, failures: mirror && lastSealed ? failuresOf(mirror, lastSealed.id) : [] };
}

/** The same for a mirror that is open; null where there is none. */
export function statusOf({ config, clock }: Kit, mirror: Mirror | null): StatusReport {
  return namedIn(readStatus(mirror, clock.now(), config.freshness), commandsFor(config));
}

/** A demonstration's platform answers only while `start` runs it, which walks and drills by itself. */
function commandsFor(config: Config): (text: string) => string {
  const isDemo = config.platform.baseUrl === null && demoOf(config) !== null;
  const named = (text: string): string => repeatFlags(text, config);
  if (!isDemo) return named;
  const start = `docmirror start${config.flags}`;
  return (text) => named(text.replaceAll(/\bdocmirror sync\b(?! --)(?:, then docmirror drill)?/g, start));
}
