import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unknownRestores } from '../../src/app/restoring/unknown-restores.ts';
import { loadConfig } from '../../src/config/index.ts';
import { beginRestore } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const NOBODY_ID = 65_534;
const isRoot = process.geteuid?.() === 0;

let world: TestMirror;

beforeAll(async () => {
  world = await createTestMirror();
});

afterAll(() => world[Symbol.dispose]());

function databaseOf(dataDir: string): string[] {
  return readdirSync(dataDir).flatMap((name) => (name.startsWith('mirror.db') ? [join(dataDir, name)] : []));
}

function told(): Promise<string | null> {
  const config = loadConfig({
    flags: {},
    environment: { DOCMIRROR_DATA_DIR: world.dataDir },
    cwd: '/',
    readFile: () => null,
  });
  return unknownRestores({ config, clock: world.mirror.clock });
}

/** What root is allowed shows nothing of what others are refused. */
async function toldAsNobody(): Promise<string | null> {
  if (!isRoot) return told();
  process.seteuid?.(NOBODY_ID);
  try {
    return await told();
  } finally {
    process.seteuid?.(0);
  }
}

it('app/unknown-restores names a folder of another user that it may not look into: no plan was made for it', async () => {
  const { dataDir, mirror } = world;
  const restores = join(dataDir, 'restores');
  const hidden = join(restores, 'aaaaaaaaaaaa');
  const target = { target: 'http://127.0.0.1:9', organization: 'o1' };
  beginRestore(mirror, { id: 'bbbbbbbbbbbb', plan: 'b.plan.json', plan_hash: 'b', snapshot: 1, ...target });
  for (const one of [hidden, join(restores, 'bbbbbbbbbbbb'), join(restores, 'cccccccccccc', 'before')])
    mkdirSync(one, { recursive: true });
  if (isRoot) for (const one of [dataDir, ...databaseOf(dataDir)]) chownSync(one, NOBODY_ID, NOBODY_ID);
  chmodSync(hidden, 0);
  try {
    expect(await toldAsNobody()).toContain('does not know 1 restore that left a folder in restores/ (aaaaaaaaaaaa)');
  } finally {
    chmodSync(hidden, 0o700);
  }
  rmSync(hidden, { recursive: true });
  expect(await told()).toBeNull();
});
