// What a person sees of a mirror in which some of the stored JSON is damaged.
import { describe, expect, it } from 'vitest';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { checkMirror, recordDrill } from '../../src/mirror/index.ts';
import { noRuntimeState, readStatus } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { addSpace } from '../support/content.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';
import { TestWorld } from '../support/world.ts';

const FRESHNESS = { snapshotMs: 1, drillMs: 1 };

async function twoSpaces(): Promise<TestMirror> {
  const made = await createTestMirror();
  const pages = [{ id: 'p1', title: 'First', text: 'some words' }];
  await made.add({
    collections: [{ id: 'c1', title: 'Products' }],
    spaces: [
      { id: 's1', title: 'Handbook', parent: 'c1', pages },
      { id: 's2', title: 'Guide', parent: 'c1', pages },
    ],
  });
  made.mirror.store.driver.exec(`update bodies set data = replace(data, '"title":"Guide"', '"title:"Guide"')`);
  return made;
}

describe('status, over damaged JSON', () => {
  it('leads to all that is whole, and names the space that is damaged', async () => {
    using made = await twoSpaces();
    const options = { dataDir: made.dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
    const app = createStatusApp({ ...options, freshness: FRESHNESS });
    const visit = async (path: string): Promise<[status: number, text: string]> => {
      const answer = await app.request(path);
      return [answer.status, await answer.text()];
    };
    const [status, home] = await visit('/browse');
    expect([status, home]).toEqual([
      200,
      expect.stringMatching(/spaces\/s1"[^>]*>Handbook[^]*Damaged[^]*check --read-data[^]*spaces\/s2"[^>]*>s2</),
    ]);
    for (const path of ['/', '/report', '/metrics', '/browse/search?q=words', '/browse/spaces/s2/pages/p1'])
      expect((await visit(path))[0], path).toBe(200);
    expect((await visit('/browse/spaces/s2'))[1]).toContain('>First</a>');
  });

  it('shows its status and its metrics where what a drill found is damaged: both ended in an error', async () => {
    using made = await createTestMirror();
    await made.add({ spaces: [{ id: 's1', title: 'Handbook' }] });
    recordDrill(made.mirror, { snapshot: 1, passed: true, requests: 1, durationMs: 1, report: { fidelity: {} } });
    made.mirror.store.driver.exec(`update drills set report = substr(report, 1, 5)`);
    const visit = visitor(made);
    const [page, metrics] = [await visit('/'), await visit('/metrics')];
    expect([page.status, metrics.status]).toEqual([200, 200]);
    expect(metrics.text).toContain('docmirror_drill_passed 1');
  });

  it('is told by a check that reads no other data, too', async () => {
    using made = await twoSpaces();
    const { problems } = await checkMirror(made.mirror, { readData: false });
    const which = expect.stringMatching(/\(space s2\)$/) as string;
    expect(problems).toEqual([{ what: 'body', which, problem: 'it is no JSON any more', first: 1, last: 1 }]);
    const all = await checkMirror(made.mirror, { readData: true });
    expect(all.problems.map(({ problem }) => problem)).toEqual(['its text has another hash']);
  });

  it('counts down for a deleted space whose JSON is damaged', async () => {
    await using world = await TestWorld.create();
    const guide = await addSpace(world, 'Guide');
    await addSpace(world, 'News');
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: guide } });
    await world.sync();
    world.mirror.store.driver.exec(`update bodies set data = 'x' || data where data like '%"title":"Guide"%'`);
    const { deletedSpaces } = readStatus(world.mirror, world.clock.now(), FRESHNESS);
    expect(deletedSpaces).toMatchObject([{ id: guide, title: guide, lastSeen: 1 }]);
  });
});
