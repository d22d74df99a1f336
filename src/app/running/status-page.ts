// The status page of a mirror, with the replica beside it.
import { AppError, toAppError } from '../../base/index.ts';
import { repeatFlags, type Config } from '../../config/index.ts';
import { noRuntimeState, startStatusServer, type RuntimeState, type StatusServer } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { daemonOf } from './one-process.ts';
import { replicaRoutes } from './replica-routes.ts';

/** What is asked for each time that the page is shown. */
interface Shown {
  readonly live: () => RuntimeState;
  readonly retention: () => Config['retention']['policy'];
}

/** Throws DM_PORT_IN_USE. */
export function openStatusPage(kit: Kit, { live, retention }: Shown): Promise<StatusServer> {
  const { config, clock, log } = kit;
  const { dataDir, freshness, platform, status } = config;
  const named = (text: string): string => repeatFlags(text, config);
  const parts = { dataDir, clock, log, freshness, live, retention, named, configured: platform.baseUrl };
  return startStatusServer({ ...parts, beside: replicaRoutes(kit), ...status });
}

/** The status page alone, when nothing is scheduled. Throws DM_PORT_IN_USE; where the daemon shows the page already, it says so. */
export async function openStatusPageAlone(kit: Kit): Promise<StatusServer> {
  const { config } = kit;
  try {
    return await openStatusPage(kit, { live: () => noRuntimeState, retention: () => config.retention.policy });
  } catch (error) {
    const daemon = daemonOf(config.dataDir);
    const { code, message } = toAppError(error);
    if (code !== 'DM_PORT_IN_USE' || daemon === null) throw error;
    throw new AppError(code, `${message}; the daemon of this data directory runs (${daemon})`, {
      hint: 'It shows the status page itself, so nothing more is needed. For a second one set DOCMIRROR_STATUS_PORT to a free port, 0 for any.',
      cause: error,
    });
  }
}
