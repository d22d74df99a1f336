// Restores in place of which the platform does less than it says: pages stay as they are, or do not come back.
import { expect, it } from 'vitest';
import type { FaultPlan } from '../../src/platform/index.ts';
import { edit, pagesOf, type Change } from '../support/content.ts';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

/** Sets back what was done to a page since, with these faults. */
async function setBack(done: (page: string) => Change, faults: FaultPlan): ReturnType<typeof runCli> {
  await using platform = await startSeeded();
  await using editor = editorOf(platform);
  using folder = testFolder();
  const where = { env: environmentOf(platform, folder.at('data')), cwd: folder.path };
  await runCli(['sync'], where);
  const spaces = documentOf<{ id: string }[]>(await runCli(['query', 'select id from spaces', '--json'], where));
  const space = spaces[0]?.id ?? '';
  const [page = ''] = Object.values(await pagesOf(editor, space));
  await edit(editor, space, done(page));
  await runCli(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'], where);
  platform.faults = faults;
  return await runCli(['restore', 'apply', 'mend.json'], where);
}

it('cli/restore apply exits with 3 and says so where pages were left as they were: it was "done", with 0', async () => {
  const applied = await setBack(
    (page) => ({ type: 'update_page', page, title: 'Bad', document: { markdown: '# Bad\n\nBad.' } }),
    [{ operation: 'changeContent', effect: { status: 404 } }],
  );
  expect(applied.stdout).toContain('no operation that edits pages');
  expect(applied.stdout).toContain('1 page left as found, neither set back nor taken away');
  expect(applied.code).toBe(3);
});

it('cli/restore apply exits with 3 and says so where a page did not come back although the platform took it: it was "done", with 0, and only verify told', async () => {
  const body = { revision: 'r', importedResources: 6, totalResources: 6 };
  const applied = await setBack(
    (page) => ({ type: 'delete_page', page }),
    [{ operation: 'importChangeRequestContent', effect: { status: 201, body } }],
  );
  expect(applied.stdout).toContain('was not found among what the platform imported');
  expect(applied.stdout).toMatch(/^Restore \w+ is done in part:/);
  expect(applied.stdout).toContain('of 1 done something did not come back, as named below: no resume brings it');
  expect(applied.stdout).toContain('Next: docmirror restore verify');
  expect(applied.code).toBe(3);
});
