// What a restore must know of its target: the state it is in now, and the state it was in before the restore wrote to it.
import { existsSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, ensurePrivateDirectory, removeTree } from '../../base/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { hasNewSuspicion, openMirror, type Mirror } from '../../mirror/index.ts';
import { beforeFolder, OUTLINE_KINDS, type Plan } from '../../restore/index.ts';
import { walk } from '../../walker/index.ts';
import type { Kit } from '../kit.ts';
import { followedBy, type Followed } from './followed.ts';
import { targetPrefix } from './left-targets.ts';
import { restoresFolder } from '../places.ts';
import { enoughToRead } from './enough-to-read.ts';
import { scopeOf, wholeWalk } from '../sync.ts';

interface Reading extends Followed {
  readonly mirror: Mirror;
  readonly client: ApiClient;
  /** Address of the platform. */
  readonly origin: string;
  /** Reads everything again, moved or not. */
  readonly full: boolean;
  /** Those that it is enough to read; null where only everything is. */
  readonly spaces: readonly string[] | null;
}

/**
 * Walks the platform into its mirror, as a sync does, or the few spaces that matter; the number of the snapshot. What a listing lacks for
 * the first time, and nothing else tells of, is listed once more: who plans or verifies needs to know it now and not tomorrow. Throws
 * DM_OTHER_PLATFORM for another one.
 */
export async function readLiveState(kit: Kit, reading: Reading): Promise<number> {
  const spaces = await enoughToRead(reading);
  const first = await walkInto(kit, { ...reading, spaces });
  return hasNewSuspicion(reading.mirror, first) ? walkInto(kit, { ...reading, spaces, full: false }) : first;
}

async function walkInto({ config, clock, log }: Kit, reading: Reading): Promise<number> {
  const { mirror, client, origin, full, spaces } = reading;
  const { snapshot } = await walk({
    mirror,
    client,
    clock,
    log,
    mode: full ? 'full' : 'incremental',
    scope: scopeOf({ config }, spaces === null ? {} : { spaces }),
    settings: { ...wholeWalk(config), maxRequests: null, maxDurationMs: null },
    origin,
    ...followedBy(reading),
  });
  return snapshot.id;
}

interface Outlining extends Followed {
  readonly plan: Plan;
  readonly restore: string;
  readonly client: ApiClient;
}

/**
 * Reads the target's outline into a mirror of its own beside the restore, so that the restore can be taken back. Until it is whole it
 * has the name of what goes: a restore that is cut off here was never begun.
 */
export async function keepBefore(kit: Kit, { restore, ...reading }: Outlining): Promise<void> {
  const { config, clock } = kit;
  await ensurePrivateDirectory(restoresFolder(config));
  const made = await mkdtemp(targetPrefix(config));
  try {
    {
      using mirror = await openMirror({ dataDir: made, clock });
      await readOutline(kit, { ...reading, mirror });
    }
    await ensurePrivateDirectory(join(restoresFolder(config), restore));
    await rename(made, beforeFolder(restoresFolder(config), restore));
  } catch (error) {
    await removeTree(made);
    throw error;
  }
}

interface OutlineReading extends Omit<Outlining, 'restore'> {
  readonly mirror: Mirror;
}

/** The number of the new snapshot. */
export async function readOutline({ config, clock, log }: Kit, reading: OutlineReading): Promise<number> {
  const { mirror, plan, client } = reading;
  const { organization, url: origin } = plan.target;
  const { snapshot } = await walk({
    mirror,
    client,
    clock,
    log,
    mode: 'full',
    scope: { organizations: [organization], onlySpaces: null, extraSpaces: [], kinds: OUTLINE_KINDS },
    settings: { ...wholeWalk(config), documents: false, maxRequests: null, maxDurationMs: null },
    origin,
    ...followedBy(reading),
  });
  return snapshot.id;
}

/** Throws DM_RESTORE_FAILED when the restore did not keep what its undo needs. */
export async function openBefore({ config, clock }: Kit, restore: string): Promise<Mirror> {
  const folder = beforeFolder(restoresFolder(config), restore);
  if (!existsSync(join(folder, 'mirror.db'))) {
    throw new AppError('DM_RESTORE_FAILED', `Restore ${restore} cannot be taken back: ${folder} is not there`, {
      hint: 'It holds what stood on the target before. Restore it from where it was moved to, or take the restore back by hand.',
    });
  }
  return openMirror({ dataDir: folder, clock });
}
