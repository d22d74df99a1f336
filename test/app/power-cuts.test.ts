// What must not be lost when the power goes: nobody can pull the plug in a test, so this asks SQLite when it waits for the disk.
import { describe, expect, it } from 'vitest';
import { createKit } from '../../src/app/kit.ts';
import { withMirror } from '../../src/app/restoring/restore.ts';
import { atOnce, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { forget, openMirror, prune, type Mirror } from '../../src/mirror/index.ts';
import { testFolder } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';

/** At the end of each transaction. Else only now and then. */
const ALWAYS = 2;

function waitsForDisk({ store }: Mirror): unknown {
  return store.driver.pragma('synchronous', { simple: true });
}

describe('a power cut', () => {
  it('takes no note of a restore away: of 272 writes that the target had, some thirty were on the disk', async () => {
    using folder = testFolder();
    const clock = systemClock();
    const dataDir = folder.at('data');
    (await openMirror({ dataDir, clock }))[Symbol.dispose]();
    const config = loadConfig({
      flags: {},
      environment: { DOCMIRROR_DATA_DIR: dataDir },
      cwd: folder.path,
      readFile: () => null,
    });
    const watch = { begun: () => undefined, ended: () => undefined, waits: () => undefined };
    await using kit = createKit({ config, clock, random: seededRandom(1), log: silentLogger(), watch });
    expect(await withMirror(kit, (mirror) => Promise.resolve(waitsForDisk(mirror)))).toBe(ALWAYS);
  });

  it.each([
    [
      'forget',
      (mirror: Mirror) => void atOnce(forget(mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 })),
    ],
    ['prune', (mirror: Mirror) => void atOnce(prune(mirror))],
  ])(
    'brings back no snapshot without its files: %s removed them before the disk had what it dropped',
    async (_name, work) => {
      using made = await createTestMirror();
      for (const title of ['A', 'B']) takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title })));
      work(made.mirror);
      expect(waitsForDisk(made.mirror)).toBe(ALWAYS);
    },
  );
});
