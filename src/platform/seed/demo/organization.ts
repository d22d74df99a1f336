// What the demo's organization has besides content: teams, rights, custom fields, sign-on, translations and an invite.
import type { BodyOf } from '../../../contract/index.ts';
import type { SeedTarget, SeedUser } from '../target.ts';
import type { DemoWork } from './change-requests.ts';
import type { MadeSpace } from './containers.ts';

const SETTINGS: BodyOf<'updateOrganization'> = {
  emailDomains: ['example.com'],
  hostname: 'nodejs-toolbox',
  defaultRole: 'read',
};

const STAGES = ['stable', 'maintenance', 'experimental'];
const AUDIENCES = ['application developers', 'operators', 'contributors'];

const FIELDS: readonly BodyOf<'createCustomField'>[] = [
  { name: 'stage', title: 'Stage', type: 'select:single', options: STAGES },
  { name: 'audience', title: 'Audience', type: 'select:multi', options: AUDIENCES },
  {
    name: 'keywords',
    title: 'Keywords',
    type: 'tags',
    description: 'What people search for when they need this space.',
  },
  { name: 'desk', title: 'Responsible desk', type: 'text', placeholder: 'Documentation Desk' },
  { name: 'answer-days', title: 'Days until an answer', type: 'number' },
  { name: 'reviewed', title: 'Reviewed', type: 'boolean' },
];

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nNot a real certificate: this is a demo.\n-----END CERTIFICATE-----';

/** Settings, teams with their rights, fields with their values, sign-on, translations and an invite. */
export async function addOrganizationThings(platform: SeedTarget, work: DemoWork): Promise<void> {
  const { caller, organization } = work.seeding;
  const path = { organizationId: organization };
  await caller.call('updateOrganization', { path, body: SETTINGS });
  const writers = await addTeams(platform, work);
  await addRights(platform, work, writers);
  for (const body of FIELDS) await caller.call('createCustomField', { path, body });
  for (const [i, space] of work.spaces.entries()) await describeSpace(work, space, i);
  await caller.call('createSamlProvider', {
    path,
    body: {
      label: 'Company sign-on',
      ssoURL: 'https://sign-on.example.com/saml',
      entityID: 'https://sign-on.example.com',
      certificate: CERTIFICATE,
      defaultTeam: writers,
      defaultRole: 'comment',
    },
  });
  await caller.call('setMemberSso', { path: { ...path, userId: work.team.reader.id } });
  const translations = await caller.call('createTranslationSettings', { path, body: { title: 'European languages' } });
  platform.setTranslationLanguages({ id: translations.id, languages: ['fr', 'de', 'pt'] });
  platform.createInvite({ organization, role: 'comment' });
  const people = Object.values<SeedUser>({ ...work.team });
  for (const { token } of people) await caller.call('pingOrganization', { path, token });
}

/** Makes the teams and answers the id of the writers'. */
async function addTeams(platform: SeedTarget, { seeding, team }: DemoWork): Promise<string> {
  const path = { organizationId: seeding.organization };
  const make = async (title: string, people: readonly { id: string }[]): Promise<string> => {
    const members = people.map(({ id }) => id);
    return (await seeding.caller.call('createTeam', { path, body: { title, members } })).id;
  };
  const writers = await make('Writers', [team.editor, team.writer, team.creator]);
  const reviewers = await make('Reviewers', [team.reviewer, team.creator]);
  await make('On call', [team.commenter, team.reader]);
  platform.addTeamMember({ team: writers, user: team.editor.id, role: 'owner' });
  platform.addTeamMember({ team: reviewers, user: team.reviewer.id, role: 'owner' });
  return writers;
}

/** One collection to which everybody only comments except the writers, and a guest in one space. */
async function addRights(platform: SeedTarget, { seeding, spaces }: DemoWork, writers: string): Promise<void> {
  const { caller, organization } = seeding;
  const { items } = await caller.call('listCollections', {
    path: { organizationId: organization },
    query: { nested: 'false', limit: '1' },
  });
  for (const { id } of items) {
    await caller.call('updateCollection', { path: { collectionId: id }, body: { defaultLevel: 'comment' } });
    platform.grant({ collection: id, team: writers, role: 'edit' });
  }
  const guest = await platform.createUser({
    displayName: 'Visiting Author',
    email: 'visiting.author@example.com',
    organization,
    role: null,
  });
  const [first] = spaces;
  if (first) platform.grant({ space: first.id, user: guest.id, role: 'comment' });
}

async function describeSpace({ seeding }: DemoWork, space: MadeSpace, i: number): Promise<void> {
  const stage = STAGES[i % STAGES.length] ?? '';
  const audience = AUDIENCES.filter((_, n) => n !== i % AUDIENCES.length);
  const words = space.title.toLowerCase().split(/[^a-z0-9]+/);
  await seeding.caller.call('updateCustomFieldValues', {
    path: { spaceId: space.id },
    body: {
      values: {
        stage: { value: stage },
        audience: { value: audience },
        keywords: { value: [...new Set(words)].filter((word) => word.length > 2) },
        'answer-days': { value: 1 + (i % 5) },
        // Some spaces have no value here, as it happens.
        ...(i % 4 === 0 ? {} : { desk: { value: 'Documentation Desk' }, reviewed: { value: i % 3 === 0 } }),
      },
    },
  });
}
