// A site does not show a space that is in the bin, and shows it again once that is out of it: nothing is to be made for that.
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

it('a space comes out of the bin with its places on a site, and its undo leaves the sections of that site', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  await using editor = editorOf(platform);
  const restore = (...args: string[]): Promise<Ended> =>
    runCli(['restore', ...args, '--json'], { env, cwd: folder.path });
  const path = { organizationId: platform.organizations()[0] ?? '' };
  const spaces: string[] = [];
  for (const title of ['One', 'Two']) spaces.push((await editor.api.createSpace({ path, body: { title } })).id);
  const [one = '', two = ''] = spaces;
  const { id: siteId } = await editor.api.createSite({ path, body: { title: 'Handbook' } });
  const site = { path: { ...path, siteId } };
  for (const spaceId of spaces) await editor.api.createSiteSection({ ...site, body: { spaceId, title: spaceId } });
  const places = async (): Promise<string[]> =>
    (await editor.api.listSiteSpaces(site)).items.map(({ id, space }) => `${id} ${space.id}`);
  const sections = async (): Promise<string[]> => (await editor.api.listSiteSections(site)).items.map(({ id }) => id);
  const before = [await places(), await sections()];
  await runCli(['sync'], { env });
  await editor.api.deleteSpace({ path: { spaceId: one } });

  await restore('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
  const applied = await restore('apply', 'mend.json');
  expect(documentOf(applied)).toMatchObject({ failed: 0, skipped: 0 });
  const { restore: id } = documentOf<{ restore: string }>(applied);
  expect([await places(), await sections()]).toEqual(before);
  expect(documentOf(await restore('verify', id))).toMatchObject({ passed: true, differences: [] });

  expect((await restore('undo', id)).code).toBe(0);
  expect((await places()).map((place) => place.split(' ')[1])).toEqual([two]);
  expect(await sections()).toEqual(before[1]);
});
