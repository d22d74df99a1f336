// Pages of the browser over a snapshot that is not complete: it stood in a closed list of choices alone.
import { describe, expect, it } from 'vitest';
import { acceptSnapshot, noteFailure } from '../../src/mirror/index.ts';
import { documentOf, runCli } from '../support/cli.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const WORLD = {
  spaces: [
    {
      id: 's1',
      title: 'Handbook',
      pages: [{ id: 'p1', title: 'One', text: 'words' }],
      requests: [{ id: 'r1', number: 1, subject: 'Rewrite it', pages: [{ id: 'p1', title: 'One', text: 'other' }] }],
    },
  ],
};

/** Snapshot 1 is complete, 2 is partial, 3 is complete. */
async function partialBetween(): Promise<TestMirror> {
  const test = await createTestMirror();
  await test.add(WORLD);
  takePartial(test);
  await test.add({ spaces: [{ id: 's1', title: 'Handbook', pages: [{ id: 'p1', title: 'One', text: 'new' }] }] });
  return test;
}

function takePartial({ mirror }: TestMirror): void {
  takeSnapshot(mirror, ({ id }) => {
    const what = { kind: 'page', resource: 's1/x', request: 'GET /x' };
    noteFailure({ mirror, id }, { ...what, status: 500, code: 'DM_HTTP_STATUS', error: 'no' });
  });
}

const WARNING = 'Snapshot 2 is partial: 1 page not read. See docmirror snapshots show 2';

describe('status/browse of a partial snapshot', () => {
  it.each([
    '/browse?at=2',
    '/browse/spaces/s1?at=2',
    '/browse/spaces/s1/pages/p1?at=2',
    '/browse/spaces/s1/change-requests/r1?at=2',
    '/browse/spaces/s1/pages/none?at=2',
    '/browse/changes?from=1&to=2',
    '/browse/changes?from=2&to=3',
    '/browse/changes/detail?from=1&to=2&kind=page&key=s1%2Fp1',
    '/browse/changes/detail?from=2&to=3&kind=page&key=s1%2Fp1',
    '/browse/changes/detail?from=2&to=3&kind=page&key=s1%2Fnone',
  ])('says so on the page: %s', async (path) => {
    using test = await partialBetween();
    expect((await visitor(test)(path)).text).toContain(WARNING);
  });

  it.each(['/browse', '/browse?at=1', '/browse/spaces/s1', '/browse/search?q=new', '/browse/changes?from=1&to=3'])(
    'says nothing where only complete ones are shown: %s',
    async (path) => {
      using test = await partialBetween();
      expect((await visitor(test)(path)).text).not.toMatch(/is partial|is suspect/);
    },
  );

  it('says it without a choice and of a search where it is the last one, once of a comparison with itself', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    takePartial(test);
    const visit = visitor(test);
    for (const path of ['/browse', '/browse/spaces/s1', '/browse/search?q=words', '/browse/changes?from=2&to=2'])
      expect((await visit(path)).text.split(WARNING)).toHaveLength(2);
  });

  it('says the same as docmirror query, and nothing once a person has accepted it', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    takePartial(test);
    const env = { DOCMIRROR_DATA_DIR: test.dataDir };
    const asked = await runCli(['query', 'select 1', '--json'], { env });
    expect([documentOf(asked), asked.stderr.trim()]).toEqual([expect.anything(), WARNING]);
    acceptSnapshot(test.mirror, 2, 'meant');
    expect((await visitor(test)('/browse')).text).not.toContain(WARNING);
  });
});
