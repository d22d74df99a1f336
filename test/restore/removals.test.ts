// What a mend in place takes away, when the platform does not take every write at once.
import { describe, expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import { edit, insert, pagesOf } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----';

it('restore/resume takes away what names a team that went meanwhile: it was said that somebody had changed it', async () => {
  const { world, place } = await anew();
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
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, insert('Cover', 'New.'));
  const { Cover: into = '', Use: page = '' } = await pagesOf(world, made.guide);
  await edit(world, made.guide, insert('Other', 'New, too.'));
  const seen = await place.plan({ missing: false, changed: false, added: true });
  await edit(world, made.guide, { type: 'update_page', page, into });
  const now = await place.plan({ missing: false, changed: false, added: true });
  // The plan of a program that did not look what stands below the pages that it takes away.
  const pages = seen.steps.find(({ part }) => part === 'pages')?.pages;
  const plan = { ...now, steps: now.steps.map((step) => (step.part === 'pages' && pages ? { ...step, pages } : step)) };
  const client = cutOnce(world.client, { cut: 'killed', of: 'mergeChangeRequest', nth: 0, sent: true });
  await expect(place.apply(plan, { client })).rejects.toThrow('killed');
  const restore = listRestores(world.mirror)[0]?.id ?? '';
  const { failures } = await place.resume(restore);
  expect(failures.map(({ error }) => error)).toEqual(['page Cover stays: pages that are not to go stand below it']);
  expect((await place.verify(restore)).passed).toBe(false);
});

describe('restore/in-place of a page to go below which another stands', () => {
  const DELETE = { missing: false, changed: false, added: true };

  async function covered(): Promise<Mirrored> {
    const there = await anew();
    const { world, made } = there;
    await edit(world, made.guide, insert('Cover', 'New.'));
    await edit(world, made.guide, insert('Within', 'New, too.'));
    const { Cover: into = '', Within: within = '', Use: page = '' } = await pagesOf(world, made.guide);
    await edit(world, made.guide, { type: 'update_page', page: within, into });
    await edit(world, made.guide, { type: 'update_page', page, into: within });
    return there;
  }

  it('says in the plan that it stays, and what keeps it: it was told at apply alone', async () => {
    const { world, place } = await covered();
    await using _world = world;
    const { steps } = await place.plan(DELETE);
    const stays =
      'stays: page Use, which is not to go, stands below it: with "changed" that goes back to where it stood';
    const said = steps.filter(({ kind }) => kind === 'page').map(({ action, title, note }) => [title, [action, note]]);
    expect(Object.fromEntries(said)).toEqual({ Cover: ['unsupported', stays], Within: ['unsupported', stays] });
    expect(steps.filter(({ part }) => part === 'pages')).toEqual([]);
  });

  it('takes it away where what stands below it is set back, too', async () => {
    const { world, made, place } = await covered();
    await using _world = world;
    const plan = await place.plan({ ...DELETE, changed: true });
    expect(plan.steps.flatMap(({ pages }) => pages?.added ?? []).map(({ title }) => title)).toHaveLength(2);
    expect((await place.apply(plan)).failures).toEqual([]);
    expect(Object.keys(await pagesOf(world, made.guide)).toSorted()).toEqual(['Home', 'Install', 'Linux', 'Use']);
  });
});
