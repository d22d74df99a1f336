// The last stroke of an export: the new tree says of itself what it is, and stands where the last one stood.
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime, writeFileAtomic } from '../base/index.ts';
import { mirrorIdentity, resolveSnapshot, type Mirror } from '../mirror/index.ts';
import type { Assembly } from './assemble.ts';
import { Pace } from './files/pace.ts';
import { swapIn, type Places } from './files/swap.ts';
import { removeFolder } from './files/walk-files.ts';
import { GIT_LINK, gitFolderOf, gitLinkText, othersGit } from './git/git-place.ts';
import { INDEX } from './written/export-index.ts';
import { MANIFEST, manifestText, SUMS, type Manifest } from './written/manifest.ts';
import { stampOf, writeSums } from './written/sums.ts';

interface Exported {
  readonly mirror: Mirror;
  readonly snapshot: number;
}

interface Built extends Pick<Assembly, 'places' | 'index' | 'pace'> {
  /** How many files it has, without the lists at its root. */
  readonly files: number;
  /** Sum of the list of sums of the last export, where nothing changed since; null where there is a new tree. */
  readonly sumsBefore: string | null;
}

/** Describes the tree and puts it in the place of the last one; where nothing changed, only the lists at its root are exchanged. */
export async function takePlace(options: Exported, { places, index, pace, files, sumsBefore }: Built): Promise<void> {
  const { building, target } = places;
  const sums = sumsBefore ?? (await writeSums(index, pace, join(building, SUMS)));
  const manifest = describe(options, { files, sums });
  const list = stampOf(join(sumsBefore === null ? building : target, SUMS)) ?? '';
  index.setMeta({ snapshot: String(options.snapshot), sums, list });
  index.close();
  if (sumsBefore !== null) return putLists(places, manifest);
  writeFileSync(join(building, MANIFEST), manifest);
  if (existsSync(gitFolderOf(target)) && othersGit(building) === null)
    writeFileSync(join(building, GIT_LINK), gitLinkText(target));
  await swapIn(places, new Pace(undefined));
}

// The tree stays; what the index says of it must never be older than what the manifest says.
async function putLists({ target, building }: Places, manifest: string): Promise<void> {
  renameSync(join(building, INDEX), join(target, INDEX));
  await writeFileAtomic(join(target, MANIFEST), manifest, 0o666);
  await removeFolder(building, new Pace(undefined));
}

function describe({ mirror, snapshot }: Exported, content: Pick<Manifest, 'files' | 'sums'>): string {
  const { state, origin, started_at: snapshotAt, sealed_at: sealedAt } = resolveSnapshot(mirror, snapshot);
  const exportedAt = isoTime(mirror.clock.now());
  const where = { mirror: mirrorIdentity(mirror), snapshot, state, origin };
  return manifestText({ format: 1, ...where, snapshotAt, sealedAt, exportedAt, ...content });
}
