import { mkdtemp } from 'node:fs/promises';
import { ensurePrivateDirectory, removeTree } from '../../base/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { openMirror } from '../../mirror/index.ts';
import type { ObserveTarget, TargetScope, TargetView } from '../../restore/index.ts';
import { walk } from '../../walker/index.ts';
import type { Kit } from '../kit.ts';
import { followedBy, followedIn, type Followed } from './followed.ts';
import { targetPrefix } from './left-targets.ts';
import { wholeWalk } from '../sync.ts';
import { restoresFolder } from '../places.ts';

/** Reads a restore's target the way a platform is mirrored, into a mirror of its own that goes when the view is disposed. */
export function targetObserver(kit: Kit, options: Followed): ObserveTarget {
  return async (client, observed) => {
    await ensurePrivateDirectory(restoresFolder(kit.config));
    const folder = await mkdtemp(targetPrefix(kit.config));
    try {
      return await observe(kit, { client, observed, folder, ...followedIn(options) });
    } catch (error) {
      await removeTree(folder);
      throw error;
    }
  };
}

interface Observing extends Followed {
  readonly client: ApiClient;
  readonly observed: TargetScope;
  readonly folder: string;
}

async function observe({ config, clock, log }: Kit, seen: Observing): Promise<TargetView> {
  const mirror = await openMirror({ dataDir: seen.folder, clock });
  try {
    const { snapshot } = await walk({
      mirror,
      client: seen.client,
      clock,
      log,
      mode: 'full',
      scope: { ...seen.observed, onlySpaces: null, extraSpaces: [] },
      settings: { ...wholeWalk(config), documents: false, maxRequests: null, maxDurationMs: null },
      origin: 'restore-target',
      ...followedBy(seen),
    });
    const dispose = async (): Promise<void> => {
      mirror[Symbol.dispose]();
      await removeTree(seen.folder);
    };
    return { mirror, snapshot: snapshot.id, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    mirror[Symbol.dispose]();
    throw error;
  }
}
