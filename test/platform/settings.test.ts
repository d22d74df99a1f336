import { beforeEach, describe, expect, it } from 'vitest';
import type { AnyOperationName, Role } from '../../src/contract/index.ts';
import { createWorld, listAll, type World } from './world.ts';

let world: World;
let path: { organizationId: string };
beforeEach(async () => {
  world = await createWorld();
  path = { organizationId: world.organization };
  return () => world[Symbol.asyncDispose]();
});

const makeSpace = async (): Promise<string> => (await world.call('createSpace', { path })).body.id;
const makeField = (body: Record<string, unknown>) => world.call('createCustomField', { path, body });

/** Values of a space by the name of the field. */
async function valuesOf(spaceId: string): Promise<Record<string, unknown>> {
  const { body } = await world.call('getCustomFieldValues', { path: { spaceId } });
  return Object.fromEntries(body.map((entry) => [entry.customField.name, entry.value ?? null]));
}

function setValues(spaceId: string, values: Record<string, unknown>) {
  const entries = Object.entries(values).map(([name, value]) => [name, { value }]);
  return world.call('updateCustomFieldValues', { path: { spaceId }, body: { values: Object.fromEntries(entries) } });
}

describe('platform/custom-fields', () => {
  it('move the time of their space with what is changed alone: a request that changed nothing had it read anew by each walk', async () => {
    await makeField({ name: 'a', type: 'text' });
    const spaceId = await makeSpace();
    const timeAfter = async (values: Record<string, unknown>) => {
      expect((await setValues(spaceId, values)).status).toBe(204);
      return (await world.call('getSpace', { path: { spaceId } })).body.updatedAt;
    };
    const first = await timeAfter({ a: 'x' });
    expect(await timeAfter({})).toBe(first);
    expect(await timeAfter({ a: 'x' })).toBe(first);
    const second = await timeAfter({ a: 'y' });
    expect(second > first).toBe(true);
    const third = await timeAfter({ a: '' });
    expect(third > second).toBe(true);
    expect(await timeAfter({ a: '' })).toBe(third);
  });

  it('are made, changed, listed page by page and deleted by name', async () => {
    for (const name of ['a', 'b', 'c']) expect((await makeField({ name, type: 'text' })).status).toBe(201);
    const listed = await listAll(world, 'listCustomFields', { path, query: { limit: 1 } });
    expect(listed.map((field) => field.name)).toEqual(['a', 'b', 'c']);
    const own = { path: { ...path, fieldName: 'b' } };
    const body = { title: 'B', description: 'About b', placeholder: 'b…' };
    const changed = await world.call('updateCustomField', { ...own, body });
    expect(changed.body).toMatchObject({ ...body, name: 'b', type: 'text', permissions: { edit: true } });
    expect(changed.body.updatedAt > changed.body.createdAt).toBe(true);
    expect((await world.call('getCustomField', own)).body).toEqual(changed.body);
    expect((await world.call('deleteCustomField', own)).status).toBe(204);
    expect((await world.call('deleteCustomField', own)).status).toBe(404);
    expect((await world.call('listCustomFields', { path })).body.count).toBe(2);
  });

  it('have a name of their own and options where one is chosen', async () => {
    await makeField({ name: 'state', type: 'select:single', options: ['new', 'old'] });
    expect((await makeField({ name: 'state', type: 'text' })).status).toBe(409);
    const bare = await makeField({ name: 'other', type: 'select:multi' });
    expect(bare.body.error).toEqual({ code: 400, message: expect.stringMatching(/^options: /) });
    expect((await makeField({ name: 'other', type: 'select:multi', options: ['a', 'a'] })).status).toBe(400);
    const own = { path: { ...path, fieldName: 'state' } };
    const titled = await world.call('updateCustomField', { ...own, body: { title: 'State' } });
    expect(titled.body).toMatchObject({ title: 'State', options: ['new', 'old'] });
    expect((await world.call('updateCustomField', { ...own, body: { options: ['a', 'a'] } })).status).toBe(400);
    const elsewhere = { organizationId: world.platform.createOrganization({ title: 'Other' }) };
    const again = await world.call('createCustomField', { path: elsewhere, body: { name: 'state', type: 'text' } });
    expect(again.status).toBe(201);
  });

  it('give every space one entry each, without a value until one is set', async () => {
    const spaceId = await makeSpace();
    await makeField({ name: 'text', type: 'text' });
    await makeField({ name: 'number', type: 'number' });
    const entries = (await world.call('getCustomFieldValues', { path: { spaceId } })).body;
    expect(entries.map((entry) => Object.keys(entry))).toEqual([['customField'], ['customField']]);
    expect((await setValues(spaceId, { text: 'hello', number: 0 })).status).toBe(204);
    expect(await valuesOf(spaceId)).toEqual({ text: 'hello', number: 0 });
    await setValues(spaceId, { number: 2.5 });
    expect(await valuesOf(spaceId)).toEqual({ text: 'hello', number: 2.5 });
    await setValues(spaceId, { text: '', number: '' });
    expect(await valuesOf(spaceId)).toEqual({ text: null, number: null });
  });

  it('check values against type and options, and keep nothing of a refused request', async () => {
    const spaceId = await makeSpace();
    const options = ['a', 'b'];
    const fields = {
      text: ['ok', 1],
      number: [1, '1'],
      boolean: [false, 'false'],
      tags: [['x', 'y'], 'x'],
      'select:single': ['a', 'c'],
      'select:multi': [
        ['a', 'b'],
        ['a', 'c'],
      ],
    };
    for (const [type, [good, bad]] of Object.entries(fields)) {
      const name = type.replace(':', '-');
      await makeField({ name, type, ...(type.startsWith('select') ? { options } : {}) });
      const refused = await setValues(spaceId, { [name]: bad });
      expect(refused.status, type).toBe(400);
      expect(refused.body.error.message).toMatch(`values/${name}/value: `);
      expect((await setValues(spaceId, { [name]: good })).status, type).toBe(204);
    }
    const before = await valuesOf(spaceId);
    const unknown = await setValues(spaceId, { text: 'new', none: 'x' });
    expect(unknown.body.error).toEqual({ code: 400, message: expect.stringMatching(/^values\/none: /) });
    expect(await valuesOf(spaceId)).toEqual(before);
  });

  it('move updatedAt of the space; values go with a copy, not to another organization', async () => {
    const spaceId = await makeSpace();
    await makeField({ name: 'text', type: 'text' });
    const before = (await world.call('getSpace', { path: { spaceId } })).body.updatedAt;
    await setValues(spaceId, { text: 'kept' });
    expect((await world.call('getSpace', { path: { spaceId } })).body.updatedAt > before).toBe(true);
    const copy = (await world.call('duplicateSpace', { path: { spaceId } })).body.id;
    expect(await valuesOf(copy)).toEqual({ text: 'kept' });
    const organization = world.platform.createOrganization({ title: 'Other' });
    await world.call('transferSpace', { path: { spaceId }, body: { organization } });
    await world.call('transferSpace', { path: { spaceId }, body: { organization: world.organization } });
    expect(await valuesOf(spaceId)).toEqual({ text: null });
    await world.call('deleteCustomField', { path: { ...path, fieldName: 'text' } });
    await makeField({ name: 'text', type: 'text' });
    expect(await valuesOf(copy)).toEqual({ text: null });
  });
});

describe('platform/translations', () => {
  it('are made, renamed, listed and deleted; languages come by other ways', async () => {
    const made = await world.call('createTranslationSettings', { path, body: { title: 'French' } });
    expect(made.body).toMatchObject({ title: 'French', languages: [], permissions: { view: true, edit: true } });
    const own = { path: { ...path, translationSettingsId: made.body.id } };
    world.platform.setTranslationLanguages({ id: made.body.id, languages: ['fr', 'de'] });
    const put = await world.call('putTranslationSettings', { ...own, body: { title: 'Both' } });
    expect(put.body).toMatchObject({ title: 'Both', languages: ['fr', 'de'] });
    expect((await world.call('getTranslationSettings', own)).body).toEqual(put.body);
    expect((await world.call('listTranslationSettings', { path })).body.items).toEqual([put.body]);
    expect((await world.call('deleteTranslationSettings', own)).status).toBe(205);
    expect((await world.call('getTranslationSettings', own)).status).toBe(404);
    expect(() => world.platform.setTranslationLanguages({ id: made.body.id, languages: [] })).toThrow('does not exist');
  });
});

describe('platform/organization settings', () => {
  const update = (body: Record<string, unknown>, organizationId = path.organizationId) =>
    world.call('updateOrganization', { path: { organizationId }, body });

  it('keep what is set and ignore unknown fields', async () => {
    const body = {
      title: 'New title',
      emailDomains: [' Example.com', 'docs.example.org ', 'Söhne.example'],
      hostname: 'acme-docs',
      defaultRole: 'comment',
      logo: 'https://example.com/logo.svg',
      sso: true,
      ai: true,
      inviteLinks: false,
    };
    const changed = (await update({ ...body, plan: 'free', unknown: 1 })).body;
    const { logo, ...rest } = body;
    expect(changed).toMatchObject({
      ...rest,
      emailDomains: ['example.com', 'docs.example.org', 'söhne.example'],
      urls: { logo },
    });
    expect(changed.plan).toBe('pro');
    const without = (await update({ logo: null, defaultContent: null, defaultRole: null })).body;
    expect(without).toMatchObject({ hostname: 'acme-docs', defaultRole: null, defaultContent: null });
    expect(without.urls.logo).toBeUndefined();
  });

  it.each([
    ['hostname', { hostname: 'Not A Host' }],
    ['hostname', { hostname: 'ab' }],
    ['emailDomains/1', { emailDomains: ['example.com', 'no domain'] }],
    ['title', { title: 'x' }],
    ['logo', { logo: 'no address' }],
    ['defaultContent/site', { defaultContent: { type: 'site', site: 'none' } }],
  ])('refuse a wrong %s', async (field, body) => {
    const refused = await update(body);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(`${field}: `);
  });

  it('give a hostname to one organization only', async () => {
    const other = world.platform.createOrganization({ title: 'Other' });
    expect((await update({ hostname: 'acme' })).status).toBe(200);
    expect((await update({ hostname: 'acme' })).status).toBe(200);
    expect((await update({ hostname: 'acme' }, other)).status).toBe(409);
  });

  it('let organizations be found by the domain of an address, among those of the caller', async () => {
    const other = world.platform.createOrganization({ title: 'Other' });
    await update({ emailDomains: ['example.com'] });
    await update({ emailDomains: ['example.com'] }, other);
    const member = world.platform.createUser({
      displayName: 'M',
      email: 'm@example.com',
      organization: other,
      role: 'read',
    });
    const find = async (emailDomain: string, token = world.platform.token) => {
      const { body } = await world.call('listEmailDomainOrganizations', { path: { emailDomain }, token });
      return body.organizations.map((one) => one.id);
    };
    expect(await find('EXAMPLE.com')).toEqual([world.organization, other]);
    expect(await find('example.com', member.token)).toEqual([other]);
    expect(await find('example.net')).toEqual([]);
  });
});

const REFUSALS: readonly { name: AnyOperationName; role: Role | null; body?: unknown; wrong?: [unknown, string] }[] = [
  { name: 'listCustomFields', role: null },
  { name: 'getCustomField', role: null },
  {
    name: 'createCustomField',
    role: 'review',
    body: { name: 'new', type: 'text' },
    wrong: [{ name: 'Not ok', type: 'text' }, 'name'],
  },
  { name: 'updateCustomField', role: 'review', body: {}, wrong: [{ options: [] }, 'options'] },
  { name: 'deleteCustomField', role: 'review' },
  {
    name: 'updateCustomFieldValues',
    role: 'review',
    body: {},
    wrong: [{ values: { field: { value: 'x'.repeat(257) } } }, 'values/field/value'],
  },
  { name: 'listTranslationSettings', role: null },
  { name: 'getTranslationSettings', role: null },
  { name: 'createTranslationSettings', role: 'review', body: { title: 'T' }, wrong: [{ title: '' }, 'title'] },
  { name: 'putTranslationSettings', role: 'review', body: { title: 'T' }, wrong: [{}, 'title'] },
  { name: 'deleteTranslationSettings', role: 'review' },
  { name: 'updateOrganization', role: 'create', body: {}, wrong: [{ sso: 'yes' }, 'sso'] },
];

describe('platform/settings refuse', () => {
  const paths = async (): Promise<Record<string, string>> => {
    await makeField({ name: 'field', type: 'text' });
    const settings = await world.call('createTranslationSettings', { path, body: { title: 'French' } });
    return { ...path, spaceId: await makeSpace(), fieldName: 'field', translationSettingsId: settings.body.id };
  };

  it.each(REFUSALS)('$name to who lacks the right', async ({ name, role, body }) => {
    const organization = world.organization;
    const { token } = world.platform.createUser({ displayName: 'L', email: 'l@example.com', organization, role });
    expect((await world.call(name, { path: await paths(), token, body })).status).toBe(403);
  });

  it.each(REFUSALS.filter((row) => row.wrong))('$name with a body out of bounds, naming the field', async (row) => {
    const [body, field] = row.wrong ?? [];
    const reply = await world.call(row.name, { path: await paths(), body });
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toMatch(new RegExp(`^${field}`));
  });

  it.each(REFUSALS.filter(({ name }) => /Custom|Translation/.test(name) && !/^(list|create)/.test(name)))(
    '$name for an id that is not there',
    async ({ name, body }) => {
      const unknown = { ...path, spaceId: 'none', fieldName: 'none', translationSettingsId: 'none' };
      const sent = body ?? undefined;
      expect((await world.call(name, { path: unknown, body: sent })).status).toBe(404);
    },
  );
});
