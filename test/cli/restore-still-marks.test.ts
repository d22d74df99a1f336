// A platform where what is written moves no time and no counter of the space that holds it.
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { organize } from '../support/organization.ts';
import { rewriting } from '../support/rewriting.ts';

function withStillSpaces(value: unknown, at: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withStillSpaces(one, at));
  if (!isRecord(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withStillSpaces(inner, at)]));
  return own['object'] === 'space' ? { ...own, updatedAt: at } : own;
}

it('cli/restore verify reads what was written in place again: it found the values of before where the space showed no change', async () => {
  await using world = await furnishedWorld();
  const { spaces } = await organize(world);
  const path = { spaceId: spaces['Guide'] ?? '' };
  const [field] = await world.api.getCustomFieldValues({ path });
  const name = field?.customField.name ?? '';
  const write = (value: string) => world.api.updateCustomFieldValues({ path, body: { values: { [name]: { value } } } });
  await write('stable');
  await using proxy = await rewriting(world);
  let at = '2025-01-01T00:00:00.000Z';
  proxy.rewrite = (_asked, { status, body }) =>
    Buffer.isBuffer(body) ? undefined : { status, body: withStillSpaces(body, at) };
  using folder = testFolder();
  const settings = folder.at('docmirror.yaml');
  await writeFile(settings, 'limits: {requestsPerSecond: 1000}\nwalk: {rereadNights: 365}\n');
  const platform = { url: proxy.url, token: world.platform.token };
  const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_CONFIG: settings };
  const where = { env, cwd: folder.path };
  expect((await runCli(['sync'], where)).code).toBe(0);
  await write('new');
  at = '2025-01-02T00:00:00.000Z';
  const planning = ['restore', 'plan', '--snapshot', '1', '--in-place', '--json', '--out'];
  expect(documentOf(await runCli([...planning, 'mend.json'], where))).toMatchObject({ actions: { update: 1 } });
  const { restore } = documentOf<{ restore: string }>(await runCli(['restore', 'apply', 'mend.json', '--json'], where));
  const verified = await runCli(['restore', 'verify', restore, '--json'], where);
  expect([documentOf<{ differences: unknown }>(verified).differences, verified.code]).toEqual([[], 0]);
  const again = documentOf(await runCli([...planning, 'again.json'], where));
  expect(again).toMatchObject({ actions: { create: 0, update: 0 } });
});
