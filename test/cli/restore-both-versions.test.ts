// Somebody edits a page while a restore writes it, and the platform merges both versions into it.
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { edit } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';

it('cli/restore apply and resume exit with 3 where a page has both versions now: it was 0, and verify then ended with 1', async () => {
  await using world = await furnishedWorld();
  const { guide, pages } = world.made;
  await using proxy = await rewriting(world);
  using folder = testFolder();
  const settings = folder.at('docmirror.yaml');
  await writeFile(settings, 'limits: {requestsPerSecond: 1000}\n');
  const platform = { url: proxy.url, token: world.platform.token };
  const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_CONFIG: settings };
  const where = { env, cwd: folder.path };
  const page = pages['Use'] ?? '';
  const write = (markdown: string) =>
    edit(world, guide, { type: 'update_page', page, title: 'Use', document: { markdown } });
  await runCli(['sync'], where);
  await write('# Use\n\nBad.');
  await runCli(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'], where);
  let isWritten = false;
  proxy.rewrite = async ({ method, path }) => {
    if (isWritten || method !== 'POST' || !path.endsWith('/content')) return undefined;
    isWritten = true;
    await write('# Use\n\nOf somebody.');
    return undefined;
  };
  const applied = await runCli(['restore', 'apply', 'mend.json', '--json'], where);
  const { restore, mixed } = documentOf<{ restore: string; mixed: number }>(applied);
  expect({ mixed, code: applied.code }).toEqual({ mixed: 1, code: 3 });
  const again = await runCli(['restore', 'resume', restore], where);
  expect(again.stdout).toContain('1 space with pages that somebody edited meanwhile: they have both versions');
  expect(again.code).toBe(3);
  expect((await runCli(['restore', 'verify', restore], where)).code).toBe(1);
});
