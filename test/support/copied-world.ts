// Worlds that are copies of one that was made once in this process: to fill a platform through its API, and to walk it for the first
// time, takes ten times as long as all else that makes a world, and hundreds are needed.
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lazy, seededRandom, systemClock, toAppError, type Random } from '../../src/base/index.ts';
import { openMirror, type Mirror, type MirrorOptions } from '../../src/mirror/index.ts';
import type { PlatformOptions } from '../../src/platform/index.ts';
import { TestWorld } from './world.ts';

const FILE = 'platform.db';
const OWNER_ONLY = 0o600;
// That of every world.
const SEED = 7;
// Below those that the system gives to whoever asks for any, and those of a test that needs a certain one.
const FIRST_PORT = 12_000;
const PORTS = 8_000;

/** What a platform may be started with though its content is there already. */
export type CopyOptions = Omit<Partial<PlatformOptions>, 'database' | 'organization' | 'random' | 'port' | 'filesPort'>;

export type CopiedWorld<Made> = TestWorld & { readonly made: Made };

type Make<Made> = (world: TestWorld) => Promise<Made>;

interface Ports {
  readonly port: number;
  readonly filesPort: number;
}

interface Template<Made> {
  readonly platform: Buffer;
  /** Files of the data directory by path. */
  readonly mirror: ReadonlyMap<string, Buffer>;
  /** Draws the same again, so that what is made next has the ids that it would have had. */
  readonly drawn: (random: Random) => Random;
  readonly made: Made;
  readonly token: string;
  readonly aheadMs: number;
}

/** Makes worlds whose platform is filled, and whose mirror is as empty as that of any other; the request log begins after `make`. */
export function filledWorlds<Made>(make: Make<Made>): (options?: CopyOptions) => Promise<CopiedWorld<Made>> {
  const template = lazy(() => templateOf(make, {}));
  return async (options = {}) => copyOf(await template(), options);
}

/**
 * Makes worlds whose mirror holds what `make` walked, too. A mirror knows the address of its platform, so all have one; where that is
 * taken, as by another of them, the world is made anew.
 * @param common What all are started with; one that is told otherwise for itself is.
 */
export function walkedWorlds<Made>(
  make: Make<Made>,
  common: CopyOptions = {},
): (options?: CopyOptions) => Promise<CopiedWorld<Made>> {
  const placed = lazy(() => placedTemplate(make, common));
  return async (own = {}) => {
    const options = { ...common, ...own };
    const { template, ports } = await placed();
    return copyOf(template, { ...options, ...ports }).catch((error: unknown) =>
      whereTaken(error, () => madeAnew(make, options)),
    );
  };
}

/** The same, with what `prepare` gave beside the world. */
export function worldAnew<More = object>(
  prepare: (world: TestWorld) => Promise<More>,
): () => Promise<{ readonly world: TestWorld } & More> {
  const anew = walkedWorlds(prepare);
  return async () => {
    const world = await anew();
    return { world, ...world.made };
  };
}

async function placedTemplate<Made>(
  make: Make<Made>,
  options: CopyOptions,
): Promise<{ template: Template<Made>; ports: Ports }> {
  const port = FIRST_PORT + 2 * randomInt(PORTS / 2);
  const ports = { port, filesPort: port + 1 };
  return templateOf(make, { ...options, ...ports }).then(
    (template) => ({ template, ports }),
    (error: unknown) => whereTaken(error, () => placedTemplate(make, options)),
  );
}

function whereTaken<T>(error: unknown, instead: () => Promise<T>): Promise<T> {
  if (toAppError(error).code !== 'DM_PORT_IN_USE') throw error;
  return instead();
}

async function madeAnew<Made>(make: Make<Made>, options: CopyOptions): Promise<CopiedWorld<Made>> {
  const world = await TestWorld.create(options);
  const made = await make(world);
  world.platform.clearRequestLog();
  return Object.assign(world, { made });
}

async function copyOf<Made>(template: Template<Made>, options: Partial<PlatformOptions>): Promise<CopiedWorld<Made>> {
  const { platform, mirror, made, token, drawn, aheadMs } = template;
  const folder = newFolder();
  const database = join(folder, FILE);
  writeFileSync(database, platform);
  const random = drawn(seededRandom(SEED));
  const world = await TestWorld.create({ token, ...options, database, random }, (at) => copiedMirror(mirror, at));
  world.clock.advance(aheadMs);
  world.keep(folder);
  return Object.assign(world, { made: structuredClone(made) });
}

/** Another mirror, by the name that restores know it by. */
async function copiedMirror(files: Template<unknown>['mirror'], at: MirrorOptions): Promise<Mirror> {
  for (const [name, bytes] of files) {
    const path = join(at.dataDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { mode: OWNER_ONLY, flag: 'wx' });
  }
  const mirror = await openMirror(at);
  mirror.store.driver.exec(`update meta set value = lower(hex(randomblob(16))) where name = 'mirror'`);
  return mirror;
}

async function templateOf<Made>(make: Make<Made>, options: CopyOptions & Partial<Ports>): Promise<Template<Made>> {
  const folder = newFolder();
  const database = join(folder, FILE);
  const { random, drawn } = recorded(seededRandom(SEED));
  try {
    const filled = await fillOnce(make, { ...options, database, random });
    return { platform: readFileSync(database), drawn, ...filled };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file of the platform is whole once that is closed. */
async function fillOnce<Made>(
  make: Make<Made>,
  options: Partial<PlatformOptions>,
): Promise<Omit<Template<Made>, 'platform' | 'drawn'>> {
  await using world = await TestWorld.create(options);
  const made = await make(world);
  world.close();
  const mirror = filesIn(world.dataDir);
  const aheadMs = Math.max(0, world.clock.now() - systemClock().now());
  return { made, mirror, token: world.platform.token, aheadMs };
}

function filesIn(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

/** Chance that remembers what was asked of it. */
function recorded(source: Random): { random: Random; drawn: Template<unknown>['drawn'] } {
  const draws: ((random: Random) => unknown)[] = [];
  const draw = <T>(from: (random: Random) => T): T => {
    draws.push(from);
    return from(source);
  };
  const random: Random = {
    next: () => draw((one) => one.next()),
    int: (max) => draw((one) => one.int(max)),
    bytes: (count) => draw((one) => one.bytes(count)),
    id: (length) => draw((one) => one.id(length)),
  };
  const drawn = (again: Random): Random => {
    for (const from of draws) from(again);
    return again;
  };
  return { random, drawn };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'docmirror-copied-'));
}
