// Worlds of one file that begin alike, made once, whose platform stands from test to test: to fill a platform, walk it and end it again
// takes a test several times as long as what it shows. Where each test is to have a platform of its own, or several files begin with the
// same world, that is copied (`copied-world.ts`).
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll } from 'vitest';
import { TestWorld } from './world.ts';

/** What a world is made of, with a database that its platform may have. */
type Make<Made> = (options: { readonly database: string }) => Promise<Made>;

interface Beginning<Made> extends AsyncDisposable {
  again(): Promise<Made>;
}

/**
 * What `make` makes, as often as it is asked for: the world's platform and its mirror hold what they held when it was made first,
 * whatever was done to them since. One at a time: each is disposed of before the next. Their time goes on.
 * To be called where tests are described; the platform ends after the last of them. It has to be in a file, as that of a furnished
 * world is; any other is created with the options that `make` gets.
 */
export function rewound<Made extends { readonly world: TestWorld }>(make: Make<Made>): () => Promise<Made> {
  let begun: Promise<Beginning<Made>> | undefined;
  afterAll(async () => (await begun)?.[Symbol.asyncDispose]());
  return async () => (await (begun ??= begin(make))).again();
}

/** An organization that is not furnished, with what `prepare` gave. */
export function worldAnew<More = object>(
  prepare: (world: TestWorld) => Promise<More>,
): () => Promise<{ readonly world: TestWorld } & More> {
  return rewound(async (options) => {
    const world = await TestWorld.create(options);
    return { world, ...(await prepare(world)) };
  });
}

async function begin<Made extends { readonly world: TestWorld }>(make: Make<Made>): Promise<Beginning<Made>> {
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-rewound-'));
  const [mirror, saved] = [join(folder, 'mirror'), join(folder, 'saved.db')];
  const made = await make({ database: join(folder, 'platform.db') });
  const { world: first } = made;
  const { platform, database } = first;
  await platform.settle();
  first.close();
  cpSync(first.dataDir, mirror, { recursive: true });
  await copyDatabase(database, saved);
  const { faults } = platform;
  let last = first;
  return {
    again: async () => {
      if (last !== first && !last.isOver) throw new Error('the world before it was not disposed of');
      await platform.settle();
      await copyDatabase(saved, database);
      platform.faults = faults;
      platform.clearRequestLog();
      last = await TestWorld.again(first, mirror);
      return { ...made, world: last };
    },
    [Symbol.asyncDispose]: async () => {
      await first[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Over one that another connection has open, which sees it as written by somebody else. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { fileMustExist: true });
  try {
    await source.backup(to, { progress: ({ remainingPages }) => remainingPages });
  } finally {
    source.close();
  }
}
