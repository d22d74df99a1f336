// The embedded platform as a process runs it: in memory, or in a folder where it is found again with its content, token and addresses.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AppError,
  ensurePrivateDirectory,
  inFolder,
  removeTree,
  toAppError,
  writeFileAtomic,
  type Secret,
} from '../../base/index.ts';
import {
  seedDemo,
  seedScale,
  startPlatform,
  type EmbeddedPlatform,
  type FaultPlan,
  type SeedProgress,
} from '../../platform/index.ts';
import { demandStatusServer } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { lockPlatform } from './one-process.ts';
import { lastPorts, notePorts, tokenFileIn, type Ports } from '../platform-folder.ts';
import { platformFolder } from '../places.ts';

export type Seed = { readonly name: 'empty' | 'demo' } | { readonly name: 'scale'; spaces: number; pages: number };

export interface EmbeddedOptions {
  /** Where it is kept; in memory when null. */
  readonly folder: string | null;
  /** The token of its owner; the one in the folder, else a random one, when null. */
  readonly token: Secret | null;
  readonly seed: Seed;
  readonly host: string;
  /** 0 is any free one, the last one of the folder first. */
  readonly port: number;
  readonly rate?: number;
  readonly faults?: FaultPlan;
  readonly onSeed?: (progress: SeedProgress) => void;
  readonly signal: AbortSignal;
}

/** `seeded` is false when the folder held content already. */
export interface Embedded extends AsyncDisposable {
  readonly platform: EmbeddedPlatform;
  readonly seeded: boolean;
}

const DATABASE = 'platform.db';
/** Is there while a seed is under way: content that was cut off half-way is not taken for the whole. */
const SEEDING = 'seeding';

/**
 * Starts the platform and fills it, unless its folder already holds content. Throws DM_PORT_IN_USE for a port that is taken, and
 * DM_ALREADY_RUNNING for a folder whose platform another process runs.
 */
export async function startEmbedded(kit: Kit, options: EmbeddedOptions): Promise<Embedded> {
  const start = (): Promise<Embedded> => startAlone(kit, options, 'platform');
  return options.folder === null ? start() : inFolder({ folder: options.folder, called: 'folder' }, start);
}

async function startAlone(kit: Kit, options: EmbeddedOptions, purpose: 'platform' | 'start'): Promise<Embedded> {
  const lock = options.folder === null ? null : await lockPlatform(kit, options.folder, purpose);
  const isLimited = options.rate !== undefined || options.faults !== undefined;
  try {
    const start = isLimited && options.seed.name !== 'empty' ? fillThenLimit : startOnce;
    const started = await start(kit, options);
    const dispose = async (): Promise<void> => {
      await started[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
    };
    return { platform: started.platform, seeded: started.seeded, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    lock?.[Symbol.dispose]();
    throw error;
  }
}

/** Rate and faults are for those who use the platform; its seed must not meet them, so the platform is started twice. */
async function fillThenLimit(kit: Kit, options: EmbeddedOptions): Promise<Embedded> {
  const { rate: _rate, faults: _faults, ...unlimited } = options;
  const kept = options.folder !== null;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'docmirror-platform-')));
  const tidy = (): Promise<void> => (kept ? Promise.resolve() : removeTree(folder));
  try {
    const filled = await startOnce(kit, { ...unlimited, folder });
    await filled[Symbol.asyncDispose]();
    const limited = await startOnce(kit, { ...options, folder });
    const dispose = async (): Promise<void> => {
      await limited[Symbol.asyncDispose]();
      await tidy();
    };
    return { platform: limited.platform, seeded: filled.seeded, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await tidy();
    throw error;
  }
}

async function startOnce(kit: Kit, options: EmbeddedOptions): Promise<Embedded> {
  const { folder } = options;
  if (folder !== null) await prepare(folder);
  const fresh = folder === null || !existsSync(join(folder, DATABASE));
  const token = options.token?.reveal() ?? (folder === null ? null : await keptToken(kit, folder));
  if (folder !== null && fresh) await writeFileAtomic(join(folder, SEEDING), '');
  const platform = await open(kit, options, token);
  try {
    if (fresh) await fill(platform, options);
    if (folder !== null) await remember(folder, platform);
  } catch (error) {
    await platform[Symbol.asyncDispose]();
    throw error;
  }
  return { platform, seeded: fresh, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

/**
 * The demonstration's platform: kept in the data directory, filled once with real documentation, on this machine only. Throws
 * DM_PORT_IN_USE first where its mirror could show no status page: to fill it takes a quarter of a minute.
 */
export async function startDemo(kit: Kit, options: Pick<EmbeddedOptions, 'onSeed' | 'signal'>): Promise<Embedded> {
  await demandStatusServer(kit.config.status);
  const folder = platformFolder(kit.config);
  const fixed = { token: null, seed: { name: 'demo' }, host: '127.0.0.1', port: 0 } as const;
  return startAlone(kit, { ...options, ...fixed, folder }, 'start');
}

/** Takes away what a seed left that was cut off. */
async function prepare(folder: string): Promise<void> {
  await ensurePrivateDirectory(folder);
  if (!existsSync(join(folder, SEEDING))) return;
  for (const suffix of ['', '-wal', '-shm']) await removeTree(join(folder, DATABASE + suffix));
}

async function keptToken({ random }: Kit, folder: string): Promise<string> {
  const file = tokenFileIn(folder);
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const token = `dm_${random.id(40)}`;
  await writeFileAtomic(file, token, 0o600);
  return token;
}

async function open(kit: Kit, options: EmbeddedOptions, token: string | null): Promise<EmbeddedPlatform> {
  const { clock, random, log } = kit;
  const { folder, host, rate, faults } = options;
  const start = (ports: Ports): Promise<EmbeddedPlatform> =>
    startPlatform({
      clock,
      random,
      log,
      host,
      port: ports.api,
      filesPort: ports.files,
      allowedImportHosts: kit.config.embedded.importFrom,
      database: folder === null ? ':memory:' : join(folder, DATABASE),
      // Expiry is rehearsed by moving its time, never by waiting.
      movableClock: true,
      ...(token === null ? {} : { token }),
      ...(rate === undefined ? {} : { rate }),
      ...(faults === undefined ? {} : { faults }),
    });
  // The same addresses as last time where they are free: a mirror of this platform then sees the same platform.
  const last = folder === null ? null : lastPorts(folder);
  const wanted = { api: options.port, files: 0 };
  if (last === null || (options.port !== 0 && options.port !== last.api)) return startAt(start, wanted);
  try {
    return await start(last);
  } catch (error) {
    if (toAppError(error).code !== 'DM_PORT_IN_USE') throw error;
    return startAt(start, wanted);
  }
}

async function startAt(start: (ports: Ports) => Promise<EmbeddedPlatform>, ports: Ports): Promise<EmbeddedPlatform> {
  try {
    return await start(ports);
  } catch (error) {
    const known = toAppError(error);
    if (known.code !== 'DM_PORT_IN_USE') throw error;
    throw new AppError('DM_PORT_IN_USE', `The embedded platform cannot listen on port ${ports.api}: ${known.message}`, {
      hint: 'Give another --port, or 0 for any free one, and a --host of this machine.',
      cause: error,
    });
  }
}

async function fill(platform: EmbeddedPlatform, { seed, onSeed, signal }: EmbeddedOptions): Promise<void> {
  const common = { platform, signal, ...(onSeed ? { onProgress: onSeed } : {}) };
  if (seed.name === 'demo') await seedDemo(common);
  if (seed.name === 'scale') await seedScale({ ...common, spaces: seed.spaces, pages: seed.pages });
}

async function remember(folder: string, platform: EmbeddedPlatform): Promise<void> {
  const portOf = (url: string): number => Number(new URL(url).port);
  await notePorts(folder, { api: portOf(platform.url), files: portOf(platform.filesUrl) });
  await removeTree(join(folder, SEEDING));
}
