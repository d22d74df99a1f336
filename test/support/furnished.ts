// A furnished world, its platform restored from the database of one that was furnished once in this process: the sixty requests take
// four times as long as all else that makes a world, and hundreds are needed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazy, seededRandom, type Random } from '../../src/base/index.ts';
import type { PlatformOptions } from '../../src/platform/index.ts';
import { furnish, type Furnished } from './content.ts';
import { TestWorld } from './world.ts';

const FILE = 'platform.db';
// That of every world.
const SEED = 7;

interface Template {
  readonly bytes: Buffer;
  /** Draws the same again, so that what is made next has the ids that it would have had. */
  readonly drawn: (random: Random) => Random;
  readonly made: Furnished;
  readonly token: string;
}

/** What a platform may be started with though its content is there already. */
export type FurnishedOptions = Omit<Partial<PlatformOptions>, 'database' | 'organization' | 'random'>;

export type FurnishedWorld = TestWorld & { readonly made: Furnished };

const template = lazy(makeTemplate);

/** As `TestWorld.create` and then `furnish`, with what that made as `made`; its log has no request of that. */
export async function furnishedWorld(options: FurnishedOptions = {}): Promise<FurnishedWorld> {
  const { bytes, made, token, drawn } = await template();
  const folder = newFolder();
  const database = join(folder, FILE);
  writeFileSync(database, bytes);
  const world = await TestWorld.create({ token, ...options, database, random: drawn(seededRandom(SEED)) });
  world.keep(folder);
  return Object.assign(world, { made: structuredClone(made) });
}

async function makeTemplate(): Promise<Template> {
  const folder = newFolder();
  const database = join(folder, FILE);
  const { random, drawn } = recorded(seededRandom(SEED));
  try {
    const furnished = await furnishOnce({ database, random });
    return { bytes: readFileSync(database), ...furnished, drawn };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file is whole once the platform is closed. */
async function furnishOnce(options: Partial<PlatformOptions>): Promise<Pick<Template, 'made' | 'token'>> {
  await using world = await TestWorld.create(options);
  return { made: await furnish(world), token: world.platform.token };
}

/** Chance that remembers what was asked of it. */
function recorded(source: Random): { random: Random; drawn: Template['drawn'] } {
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
  return mkdtempSync(join(tmpdir(), 'docmirror-furnished-'));
}
