// What names something that a restore made anew is as it should be: no later plan sets it back again.
import { expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { bare, mirrored } from '../support/in-place.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----';
const SIGN_ON = 'https://sign-on.example.com';

it('restore/in-place is done with a sign-on whose default team was made anew: every later plan named it', async () => {
  const { world, place } = await bare(async ({ api, organization }) => {
    const path = { organizationId: organization };
    const { id: defaultTeam } = await api.createTeam({ path, body: { title: 'New' } });
    const body = { label: 'Company', ssoURL: SIGN_ON, entityID: SIGN_ON, certificate: CERTIFICATE, defaultTeam };
    await api.createSamlProvider({ path, body });
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  const teamId = async (): Promise<string> => (await world.api.listTeams({ path })).items[0]?.id ?? '';
  await world.api.deleteTeam({ path: { ...path, teamId: await teamId() } });
  for (const tries of [1, 2]) {
    const { failures } = await place.apply(await place.plan());
    expect([tries, failures]).toEqual([tries, []]);
  }
  const [provider] = (await world.api.listSamlProviders({ path })).items;
  expect(provider?.defaultTeam).toMatchObject({ id: await teamId() });
  expect((await place.plan()).steps).toEqual([]);
});

it('restore/in-place is done with a comment that was set back with a link to a page made anew', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  const path = { spaceId: made.guide, commentId: made.comment };
  const say = (markdown: string): Promise<unknown> => world.api.updateComment({ path, body: { body: { markdown } } });
  await say(`See [it](/spaces/${made.guide}/pages/${made.pages['Install'] ?? ''}).`);
  const { snapshot } = await world.sync();
  await say('Spam.');
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Install'] ?? '' });
  expect((await place.apply(await place.plan({ snapshot: snapshot.id }))).failures).toEqual([]);
  expect((await place.plan({ snapshot: snapshot.id })).steps).toEqual([]);
});
