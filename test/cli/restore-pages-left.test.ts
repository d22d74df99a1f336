// A platform that offers no operation that edits pages: what was to be set back in place is as it was.
import { expect, it } from 'vitest';
import { edit, pagesOf } from '../support/content.ts';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

it('cli/restore apply exits with 3 and says so where pages were left as they were: it was "done", with 0', async () => {
  await using platform = await startSeeded();
  await using editor = editorOf(platform);
  using folder = testFolder();
  const where = { env: environmentOf(platform, folder.at('data')), cwd: folder.path };
  await runCli(['sync'], where);
  const spaces = documentOf<{ id: string }[]>(await runCli(['query', 'select id from spaces', '--json'], where));
  const space = spaces[0]?.id ?? '';
  const [page = ''] = Object.values(await pagesOf(editor, space));
  await edit(editor, space, { type: 'update_page', page, title: 'Bad', document: { markdown: '# Bad\n\nBad.' } });
  await runCli(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'], where);
  platform.faults = [{ operation: 'changeContent', effect: { status: 404 } }];
  const applied = await runCli(['restore', 'apply', 'mend.json'], where);
  expect(applied.stdout).toContain('no operation that edits pages');
  expect(applied.stdout).toContain('1 page left as found, neither set back nor taken away');
  expect(applied.code).toBe(3);
});
