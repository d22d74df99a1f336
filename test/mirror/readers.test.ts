// Readers are never locked out and never see half a walk, however busy the walk is.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { kindNames } from '../../src/contract/index.ts';
import { openSnapshot, readerAt, runQuery, sealSnapshot } from '../../src/mirror/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, NO_BRAKE, page } from '../support/snapshots.ts';
import { programAt } from '../support/programs.ts';

const ANSWERS = 60;
const PAGES = 10;

describe('mirror/readers', () => {
  it('answers another process throughout walks, each time with one whole snapshot', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    /** Every page gets this night's title, one small transaction each; one page more than the night before. */
    const night = async (): Promise<void> => {
      const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
      for (let number = 0; number < PAGES + id; number++) {
        fill(mirror, id, ({ see }) => see(page(`p${number}`, `words ${id} `.repeat(40), { title: `Night ${id}` })));
        await turn();
      }
      atOnce(sealSnapshot({ mirror, id }, NO_BRAKE));
    };
    await night();
    const child = spawn(process.execPath, [programAt('test/mirror/reading-process.ts'), made.dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const answers: unknown[] = [];
    createInterface(child.stdout).on('line', (line) => answers.push(JSON.parse(line)));
    while (answers.length < ANSWERS && child.exitCode === null) await night();
    child.stdin.end();
    await ended;
    const shown = new Set<number>();
    for (const answer of answers) {
      const [snapshot] = answer as [number];
      const pages = PAGES + snapshot;
      expect(answer).toEqual([snapshot, pages, 1, `Night ${snapshot}`, pages, snapshot]);
      shown.add(snapshot);
    }
    expect(shown.size).toBeGreaterThan(1);
  });

  it('prepares a statement once, however many readers there are: each made its own, which took longer than the reading', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    await made.add({ spaces: [{ id: 's1', title: 'One' }] });
    const { driver } = mirror.store;
    const prepare = driver.prepare.bind(driver);
    const prepared: string[] = [];
    driver.prepare = ((sql: string) => {
      prepared.push(sql);
      return prepare(sql);
    }) as typeof driver.prepare;
    for (const kind of [...kindNames, ...kindNames])
      expect([...readerAt(mirror, 1).resources(kind)]).toHaveLength(
        kind === 'space' || kind === 'organization' ? 1 : 0,
      );
    expect(prepared.length).toBeGreaterThan(0);
    expect(prepared).toEqual([...new Set(prepared)]);
  });

  it('shows the last sealed snapshot at every request of a walk', async () => {
    await using world = await furnishedWorld();
    const space = await addSpace(world, 'Busy');
    await edit(world, space, insert('One', 'First.'));
    await world.sync();
    const ask = (): unknown[][] =>
      runQuery(world.dataDir, 'select (select id from shown_snapshot), count(*), max(title) from pages', null).rows;
    const before = ask();
    await edit(world, space, insert('Zebra', 'Second.'));
    const seen: unknown[] = [];
    await world.sync({ client: world.hooked(() => void seen.push(ask())), mode: 'full' });
    expect(seen.length).toBeGreaterThan(10);
    for (const one of seen) expect(one).toEqual(before);
    expect(ask()).toEqual([[2, Number(before[0]?.[1]) + 1, 'Zebra']]);
  });
});
