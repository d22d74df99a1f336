// What a mend in place takes away, when the platform does not take every write at once.
import { expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import { edit, insert, pagesOf } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirrored } from '../support/in-place.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----';

it('restore/resume takes away what names a team that went meanwhile: it was said that somebody had changed it', async () => {
  const { world, place } = await mirrored();
  await using _world = world;
  const path = { organizationId: world.organization };
  const { id: defaultTeam } = await world.api.createTeam({ path, body: { title: 'New', members: [] } });
  const signOn = 'https://sign-on.example.com';
  const body = { label: 'Company', ssoURL: signOn, entityID: signOn, certificate: CERTIFICATE, defaultTeam };
  await world.api.createSamlProvider({ path, body });
  const plan = await place.plan({ missing: false, changed: false, added: true });
  world.platform.faults = [{ operation: 'deleteSamlProvider', effect: { status: 503 }, count: 1 }];
  const { restore, failed } = await place.apply(plan);
  expect(failed).toBe(1);
  expect((await place.resume(restore)).failures).toEqual([]);
  expect((await place.differences(1)).filter((line) => /team|saml/.test(line))).toEqual([]);
});

it('restore/resume says of a page that it stays when the restore was killed at the merge: it was called done, and not verified', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await edit(world, made.guide, insert('Cover', 'New.'));
  const { Cover: into = '', Use: page = '' } = await pagesOf(world, made.guide);
  await edit(world, made.guide, { type: 'update_page', page, into });
  const plan = await place.plan({ missing: false, changed: false, added: true });
  const client = cutOnce(world.client, { cut: 'killed', of: 'mergeChangeRequest', nth: 0, sent: true });
  await expect(place.apply(plan, { client })).rejects.toThrow('killed');
  const restore = listRestores(world.mirror)[0]?.id ?? '';
  const { failures } = await place.resume(restore);
  expect(failures.map(({ error }) => error)).toEqual(['page Cover stays: pages that are not to go stand below it']);
  expect((await place.verify(restore)).passed).toBe(false);
});
