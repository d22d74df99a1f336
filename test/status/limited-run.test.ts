import { expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { openSnapshot, sealSnapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { NO_BRAKE } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

it('status/pages say what a run was limited to: a complete one of one space looked as one of everything does', async () => {
  using test = await createTestMirror();
  const { mirror } = test;
  await test.add({ spaces: [{ id: 's1', title: 'Handbook', pages: [] }] });
  const visit = visitor(test);
  expect((await visit('/')).text).not.toContain('limited to');
  const scope = JSON.stringify({
    organizations: null,
    onlySpaces: ['s1'],
    onlyCollections: null,
    kinds: ['page', 'file'],
  });
  const id = openSnapshot(mirror, { mode: 'incremental', scope, origin: 'http://platform.test' });
  atOnce(sealSnapshot({ mirror, id }, NO_BRAKE));
  expect((await visit('/')).text).toContain('limited to 1 space, 2 kinds');
});
