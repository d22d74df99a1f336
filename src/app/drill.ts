import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateDirectory, Secret } from '../base/index.ts';
import { createClient, type ApiClient } from '../client/index.ts';
import type { Mirror } from '../mirror/index.ts';
import { createPlatformChecks, startPlatform, type EmbeddedPlatform } from '../platform/index.ts';
import {
  runDrill,
  type ApplyProgress,
  type DrillOrganization,
  type DrillTarget,
  type DrillResult,
} from '../restore/index.ts';
import { inOwnMirror } from './own-mirror.ts';
import { chosenSnapshot } from './export.ts';
import { demandDrillRoom } from './drill-room.ts';
import type { Kit } from './kit.ts';
import type { Followed } from './restoring/followed.ts';
import { drillFolder } from './restoring/left-targets.ts';
import { targetObserver } from './restoring/observe-target.ts';
import { restoresFolder } from './places.ts';

export interface DrillOptions extends Followed {
  /** Number, time or `latest`; the last complete snapshot when absent. */
  readonly snapshot?: string;
  readonly onProgress?: (progress: ApplyProgress) => void;
}

export interface DrillReport extends DrillResult {
  readonly snapshot: number;
}

/** Restores a snapshot into an embedded platform that lives only for this, verifies it there and records the result. */
export async function drill(kit: Kit, options: DrillOptions): Promise<DrillReport> {
  return inOwnMirror(kit, 'drill', (mirror) => drillIn(kit, mirror, options));
}

async function drillIn(kit: Kit, mirror: Mirror, options: DrillOptions): Promise<DrillReport> {
  const { config, clock, random, log } = kit;
  const { id } = chosenSnapshot(mirror, options.snapshot);
  await demandDrillRoom(mirror, id, config);
  await ensurePrivateDirectory(restoresFolder(config));
  const report = await runDrill({
    mirror,
    snapshot: id,
    openTarget: (organizations) => openTarget(kit, organizations),
    observeTarget: targetObserver(kit, options),
    // The ephemeral platform is on this machine and fetches from loopback only.
    contentServer: { host: '127.0.0.1', port: 0, publicUrl: null },
    workDir: drillFolder(config),
    clock,
    random,
    log,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    signal: options.signal,
  });
  return { ...report, snapshot: id };
}

async function openTarget(kit: Kit, organizations: readonly DrillOrganization[]): Promise<DrillTarget> {
  const { clock, random, log, config } = kit;
  // On the disk, so that memory does not grow with what is restored.
  const folder = drillFolder(config);
  await ensurePrivateDirectory(folder);
  const platform = await startPlatform({
    clock,
    random,
    log,
    database: join(folder, 'platform.db'),
    organization: null,
    // What a newer platform than the contract shows it takes back as well.
    checks: createPlatformChecks({ takesUnknownValues: true }),
    // Nobody searches it, and to index a space of thousands of pages would hold up the daemon for seconds.
    indexesLate: true,
  });
  const { url: baseUrl, token } = platform;
  const limits = { ...config.limits, requestsPerSecond: 'auto' as const };
  const client = createClient({ baseUrl, token: Secret.of(token), clock, random, log, limits });
  const ids: string[] = [];
  for (const one of organizations) ids.push(await furnish(platform, client, one));
  return {
    client,
    url: baseUrl,
    organizations: ids,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes an organization with its people as guests; whoever is there already is not invited twice. */
async function furnish(
  platform: EmbeddedPlatform,
  client: ApiClient,
  { title, people }: DrillOrganization,
): Promise<string> {
  const organization = platform.createOrganization({ title });
  const { items } = await client.call('listMembers', { path: { organizationId: organization } });
  const there = new Set(items.map(({ user }) => user.email));
  for (const person of people) {
    if (there.has(person.email)) continue;
    there.add(person.email);
    platform.createUser({ ...person, organization, role: null });
  }
  return organization;
}
