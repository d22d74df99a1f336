// Parts that no read of their own tells of: what a listing lacks for the first time is listed once more by who must know it now.
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

interface Planned {
  readonly steps?: readonly { readonly kind: string; readonly part: string }[];
}

it('one plan brings back a share link that only a listing tells of, and the undo that takes it away again is verified', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  await using editor = editorOf(platform);
  const restore = (...args: string[]): Promise<Ended> =>
    runCli(['restore', ...args, '--json'], { env, cwd: folder.path });
  const path = { organizationId: platform.organizations()[0] ?? '' };
  const { id: siteId } = await editor.api.createSite({ path, body: { title: 'Handbook', visibility: 'share-link' } });
  const links = { path: { ...path, siteId } };
  const { id: shareLinkId } = await editor.api.createShareLink({ ...links, body: { name: 'Partners' } });
  await editor.api.createShareLink({ ...links, body: { name: 'Others' } });
  await runCli(['sync'], { env });
  await editor.api.deleteShareLink({ path: { ...links.path, shareLinkId } });
  const names = async (): Promise<Set<string | undefined>> =>
    new Set((await editor.api.listShareLinks(links)).items.map(({ name }) => name));

  const planned = documentOf<Planned>(await restore('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'));
  expect(JSON.stringify(planned)).toContain('share-link');
  const { restore: id } = documentOf<{ restore: string }>(await restore('apply', 'mend.json'));
  expect(await names()).toEqual(new Set(['Others', 'Partners']));
  expect(documentOf(await restore('verify', id))).toMatchObject({ passed: true });

  const { restore: back } = documentOf<{ restore: string }>(await restore('undo', id));
  expect(await names()).toEqual(new Set(['Others']));
  expect(documentOf(await restore('verify', back))).toMatchObject({ passed: true, differences: [] });
});
