// Acts upon what belongs to the organization itself: settings, people, teams, rights, sign-on, fields, specifications, languages.
import {
  about,
  at,
  collectionsIn,
  membersIn,
  nameOf,
  othersIn,
  ROLES,
  spacesIn,
  teamsIn,
  wordOf,
} from './belonging.ts';
import type { Act, Acting } from './belonging.ts';

const MEMBER_ROLES = [...ROLES, null] as const;
const FIELD_NAMES = ['__proto__', 'constructor', 'stage', '0', '_', '-', 'to-string', 'x'.repeat(50)] as const;
const FIELD_TYPES = ['text', 'number', 'boolean', 'tags', 'select:multi', 'select:single'] as const;
const OPTIONS = [['a', 'b'], ['b', 'c'], ['__proto__', ' '], ['only']] as const;
const SLUGS = ['petstore', 'answers', '0', 'a-b'] as const;

function specText({ one, word }: Acting): string {
  const paths = one % 2 === 0 ? {} : { '/pets': { get: { tags: ['pets'], summary: wordOf({ word }), responses: {} } } };
  const components = one % 3 === 0 ? { schemas: { Pet: { type: 'object' } } } : {};
  return JSON.stringify({ openapi: '3.1.0', info: { title: `Spec ${one}`, version: '1' }, paths, components });
}

const sourceOf = (acting: Acting) =>
  acting.other % 4 === 0
    ? { url: `http://127.0.0.1:9/${acting.one}.json` }
    : { text: acting.other % 4 === 1 ? 'not: [a spec' : specText(acting) };

const fieldsOf = async ({ api, path }: Acting) => (await api.listCustomFields({ path, query: { limit: 1000 } })).items;
const specsOf = async ({ api, path }: Acting) => (await api.listOpenApiSpecs({ path, query: { limit: 1000 } })).items;
const providersOf = async ({ api, path }: Acting) => (await api.listSamlProviders({ path })).items;
const settingsOf = async ({ api, path }: Acting) => (await api.listTranslationSettings({ path })).items;

function fieldSettings({ one, word }: Acting): Parameters<Acting['api']['updateCustomField']>[0]['body'] {
  const text = wordOf({ word });
  return {
    ...(one % 2 === 0 ? { title: text } : {}),
    ...(one % 3 === 0 ? { description: text } : {}),
    ...(one % 5 === 0 ? { placeholder: text } : {}),
    options: [...(at(OPTIONS, one) ?? [])],
  };
}

function valueFor({ type, options = [] }: { type: string; options?: string[] }, { other, word }: Acting) {
  switch (type) {
    case 'number':
      return [0, -1.5, 1e21, 7][other % 4] ?? 0;
    case 'boolean':
      return other % 2 === 0;
    case 'tags':
      return [[wordOf({ word }), 'b'], [], ['']][other % 3] ?? [];
    case 'select:multi':
      return options.slice(0, other % 3);
    case 'select:single':
      return at(options, other) ?? '';
    default:
      return wordOf({ word });
  }
}

async function providerOf(acting: Acting) {
  const { one, other, word } = acting;
  const team = at(await teamsIn(acting), other);
  return {
    label: nameOf({ word }, 30),
    ...(one % 2 === 0 ? { ssoURL: 'https://sign-on.example.com/saml', entityID: wordOf({ word }) } : {}),
    ...(one % 3 === 0 ? { certificate: wordOf({ word }) } : {}),
    ...(one % 5 === 0 ? {} : { defaultRole: at(MEMBER_ROLES, other) ?? null }),
    ...(team !== undefined && one % 4 !== 0 ? { defaultTeam: team } : {}),
  };
}

async function grantOf(acting: Acting) {
  const { one, other } = acting;
  const target =
    one % 2 === 0
      ? { space: at(await spacesIn(acting), other) }
      : { collection: at(await collectionsIn(acting), other) };
  const principal =
    one % 3 === 0 ? { team: at(await teamsIn(acting), one) } : { user: at(await othersIn(acting), one) };
  return { ...target, ...principal } as { space: string; user: string };
}

export const PEOPLE_ACTS = {
  setOrganization: async (acting) => {
    const { api, path, one, other, word } = acting;
    const site = at((await api.listSites({ path })).items, other)?.id;
    const choices = [
      { title: nameOf({ word }, 255) },
      { emailDomains: [['example.com'], [], ['a.example', 'b.example']][other % 3] ?? [] },
      { hostname: ['docs', 'help-2', 'x--y'][other % 3] ?? 'docs' },
      { defaultRole: at(MEMBER_ROLES, other) ?? null },
      { logo: other % 2 === 0 ? null : 'https://example.com/logo.png' },
      { sso: other % 2 === 0, ai: other % 3 === 0 },
      { inviteLinks: other % 2 === 0 },
      { defaultContent: site === undefined || other % 3 === 0 ? null : { type: 'site' as const, site } },
    ];
    await api.updateOrganization({ path, body: at(choices, one) ?? {} });
  },
  addMember: async ({ world, tokens, one, other, path: { organizationId } }) => {
    const role = at(MEMBER_ROLES, other) ?? null;
    const person = { displayName: `Person ${one}`, email: `p${one}@example.com`, organization: organizationId, role };
    tokens.push(world.platform.createUser(person).token);
  },
  setMember: async (acting) =>
    about(await othersIn(acting), acting.one, (userId) =>
      acting.api.updateMember({
        path: { ...acting.path, userId },
        body: { role: at(MEMBER_ROLES, acting.other) ?? null },
      }),
    ),
  setMemberSso: async (acting) =>
    about(await membersIn(acting), acting.one, (userId) =>
      acting.api.setMemberSso({ path: { ...acting.path, userId } }),
    ),
  removeMember: async (acting) =>
    about(await othersIn(acting), acting.one, (userId) =>
      acting.api.deleteMember({ path: { ...acting.path, userId } }),
    ),
  addTeam: async (acting) => {
    const all = await membersIn(acting);
    const members = all.filter((_, index) => (acting.one >> index) % 2 === 1);
    await acting.api.createTeam({ path: acting.path, body: { title: nameOf(acting), members } });
  },
  renameTeam: async (acting) =>
    about(await teamsIn(acting), acting.one, (teamId) =>
      acting.api.updateTeam({ path: { ...acting.path, teamId }, body: { title: nameOf(acting) } }),
    ),
  removeTeam: async (acting) =>
    about(await teamsIn(acting), acting.one, (teamId) => acting.api.deleteTeam({ path: { ...acting.path, teamId } })),
  joinTeam: async (acting) => {
    const user = at(await membersIn(acting), acting.other) ?? '';
    const role = acting.word % 2 === 0 ? 'owner' : 'member';
    await about(await teamsIn(acting), acting.one, (team) => acting.world.platform.addTeamMember({ team, user, role }));
  },
  leaveTeam: async (acting) => {
    const user = at(await membersIn(acting), acting.other) ?? '';
    await about(await teamsIn(acting), acting.one, (team) => acting.world.platform.removeTeamMember({ team, user }));
  },
  grant: async (acting) =>
    acting.world.platform.grant({ ...(await grantOf(acting)), role: at(ROLES, acting.word) ?? 'read' }),
  revoke: async (acting) => acting.world.platform.revoke(await grantOf(acting)),
  addProvider: async (acting) => acting.api.createSamlProvider({ path: acting.path, body: await providerOf(acting) }),
  setProvider: async (acting) =>
    about(await providersOf(acting), acting.word, async ({ id }) =>
      acting.api.updateSamlProvider({ path: { ...acting.path, samlProviderId: id }, body: await providerOf(acting) }),
    ),
  removeProvider: async (acting) =>
    about(await providersOf(acting), acting.one, ({ id }) =>
      acting.api.deleteSamlProvider({ path: { ...acting.path, samlProviderId: id } }),
    ),
  addField: (acting) => {
    const name = at(FIELD_NAMES, acting.other) ?? '';
    const type = at(FIELD_TYPES, acting.one + acting.word) ?? 'text';
    return acting.api.createCustomField({ path: acting.path, body: { name, type, ...fieldSettings(acting) } });
  },
  setField: async (acting) =>
    about(await fieldsOf(acting), acting.other, ({ name, options = [] }) => {
      const { options: more = [], ...settings } = fieldSettings(acting);
      // What a space has chosen by now may not come back once it is no option any more.
      const body = { ...settings, options: [...new Set([...options, ...more])] };
      return acting.api.updateCustomField({ path: { ...acting.path, fieldName: name }, body });
    }),
  removeField: async (acting) =>
    about(await fieldsOf(acting), acting.one, ({ name }) =>
      acting.api.deleteCustomField({ path: { ...acting.path, fieldName: name } }),
    ),
  setValue: async (acting) => {
    const spaceId = at(await spacesIn(acting), acting.one) ?? '';
    await about(await fieldsOf(acting), acting.word, (field) => {
      // A literal `__proto__` would be no key.
      const values = Object.fromEntries([[field.name, { value: valueFor(field, acting) }]]);
      return acting.api.updateCustomFieldValues({ path: { spaceId }, body: { values } });
    });
  },
  putSpec: async (acting) => {
    const specSlug = at(SLUGS, acting.one) ?? '';
    await acting.api.putOpenApiSpec({ path: { ...acting.path, specSlug }, body: { source: sourceOf(acting) } });
    await acting.world.platform.settle();
  },
  removeSpec: async (acting) =>
    about(await specsOf(acting), acting.one, ({ slug }) =>
      acting.api.deleteOpenApiSpec({ path: { ...acting.path, specSlug: slug } }),
    ),
  addTranslation: ({ api, path, word }) => api.createTranslationSettings({ path, body: { title: nameOf({ word }) } }),
  setTranslation: async (acting) =>
    about(await settingsOf(acting), acting.one, ({ id }) =>
      acting.api.putTranslationSettings({
        path: { ...acting.path, translationSettingsId: id },
        body: { title: nameOf(acting) },
      }),
    ),
  setLanguages: async (acting) =>
    about(await settingsOf(acting), acting.one, ({ id }) =>
      acting.world.platform.setTranslationLanguages({ id, languages: ['de', 'fr'].slice(acting.other % 3) }),
    ),
  removeTranslation: async (acting) =>
    about(await settingsOf(acting), acting.one, ({ id }) =>
      acting.api.deleteTranslationSettings({ path: { ...acting.path, translationSettingsId: id } }),
    ),
  invite: async ({ world, path: { organizationId }, other }) =>
    world.platform.createInvite({ organization: organizationId, role: at(ROLES, other) ?? null }),
} satisfies Record<string, Act>;
