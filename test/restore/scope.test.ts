// A part of an organization comes back with what it needs, beside what stands on the target.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outerAddress, type AppError } from '../../src/base/index.ts';
import { runQuery } from '../../src/mirror/index.ts';
import { parseScope } from '../../src/restore/selection/scope.ts';
import { type Furnished } from '../support/content.ts';
import { walkedWholeWorld } from '../support/furnished.ts';
import type { Organized } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let furnished: Furnished;
let organized: Organized;

beforeAll(async () => {
  const place = await walkedWholeWorld();
  world = place;
  furnished = place.made;
  ({ organized } = place.made);
});

afterAll(() => world[Symbol.asyncDispose]());

function thrownBy(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('nothing was thrown');
}

/** What a plan writes, by kind and title. */
async function written(target: Target, scope: string): Promise<Record<string, string[]>> {
  const { steps } = await target.plan({ scope });
  const made: Record<string, string[]> = {};
  for (const { kind, title, part } of steps) {
    if (part !== 'none') made[kind] = [...new Set([...(made[kind] ?? []), title])].toSorted();
  }
  return made;
}

describe('restore/selection/scope', () => {
  it.each(['', 'space', 'space:', 'pages:1', 'kind:nothing', ':x'])('%j is refused with what is expected', (text) => {
    expect(() => parseScope(text)).toThrow(
      /expected organization:ID, collection:ID, space:ID, site:ID, page:ID, change-request:ID or kind:NAME/,
    );
  });

  it.each(['organization:', 'collection:', 'space:', 'site:', 'page:', 'change-request:', 'Guide'])(
    '%j is refused with a query that finds ids: it was advised to run one without SQL',
    (text) => {
      const refusal = thrownBy(() => parseScope(text));
      const [, sql = ''] = /`docmirror query "(.*)"`/.exec(refusal.hint ?? '') ?? [];
      expect(runQuery(world.dataDir, sql, null).columns).toContain('id');
      expect(refusal.message).not.toContain('Did you mean');
    },
  );

  it('is refused when the snapshot does not have it', async () => {
    await using target = await createTarget(world);
    for (const scope of ['space:none', 'collection:none', 'site:none', 'organization:none'])
      await expect(target.plan({ scope }), scope).rejects.toMatchObject({ code: 'DM_USAGE' });
  });

  it.each([
    [{ scope: 'change-request:none' }, 'change_requests'],
    [{ scope: 'page:none' }, 'pages'],
    [{ scope: 'site:none' }, 'sites'],
    [{ scope: 'collection:none' }, 'collections'],
    [{ scope: 'kind:comment', where: '1 = 0' }, 'comments'],
    [{ where: "path = 'none'" }, 'pages'],
  ])('asked for %j in vain leads to %s of that snapshot: it led to pages of the newest', async (asked, view) => {
    await using target = await createTarget(world);
    const refused: unknown = await target.plan(asked).catch((error: unknown) => error);
    const { hint } = refused as AppError;
    const [, at, sql = ''] = /docmirror query --at (\d+) "(.*)"/u.exec(hint ?? '') ?? [];
    expect([Number(at), sql]).toEqual([1, expect.stringContaining(` from ${view}`)]);
    expect(runQuery(world.mirror.dataDir, sql, Number(at)).columns).not.toEqual([]);
  });

  it('of a collection holds what is inside it and what it stands in', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan({ scope: `collection:${furnished.nested}` });
    expect(plan.closure.map(({ kind, title, why }) => [kind, title, why])).toEqual([
      ['collection', 'Manuals', 'holds collection Guides'],
    ]);
    const made = await written(target, `collection:${furnished.collection}`);
    expect([made['collection'], made['space'], made['site']]).toEqual([['Guides', 'Manuals'], ['Guide'], undefined]);
  });

  it('of collections chosen by a condition holds what is inside them, as of one that is named', async () => {
    await using target = await createTarget(world);
    const { steps: named } = await target.plan({ scope: `collection:${furnished.collection}` });
    const where = `id = '${furnished.collection}'`;
    const { steps: chosen } = await target.plan({ scope: 'kind:collection', where });
    const lines = (steps: typeof named): string[] => steps.map(({ kind, part, title }) => `${kind} ${part} ${title}`);
    expect(lines(chosen)).toEqual(lines(named));
  });

  it('of spaces chosen by a condition brings them as whole as by their names', async () => {
    await using target = await createTarget(world);
    const id = furnished.guide;
    const { steps: named } = await target.plan({ scope: `space:${id}` });
    const { steps: chosen } = await target.plan({ scope: 'kind:space', where: `id = '${id}'` });
    expect(chosen.map(({ kind, part, title }) => [kind, part, title])).toEqual(
      named.map(({ kind, part, title }) => [kind, part, title]),
    );
    expect(new Set(chosen.map(({ kind }) => kind))).toContain('comment');
  });

  it('of a space brings the fields that it has values of', async () => {
    await using target = await createTarget(world);
    const scope = `space:${organized.spaces['Guide'] ?? ''}`;
    const { closure } = await target.plan({ scope });
    expect(closure.map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual([
      'custom-field Stage',
      'custom-field days',
      'custom-field words',
    ]);
    const applied = await target.apply(await target.plan({ scope }));
    expect(applied.failures).toEqual([]);
    const report = await target.verify(applied.restore);
    expect([report.passed, report.kinds['space'], report.kinds['custom-field-value']?.resources]).toMatchObject([
      true,
      { resources: 1, missing: 0 },
      3,
    ]);
  });

  it('of a site brings the spaces that it shows', async () => {
    await using target = await createTarget(world);
    const made = await written(target, `site:${organized.partners}`);
    expect([made['site'], made['space'], made['organization']]).toEqual([['Partners'], ['News', 'Start'], undefined]);
    const applied = await target.apply(await target.plan({ scope: `site:${organized.site}` }));
    expect(applied.failures).toEqual([]);
    expect((await target.verify(applied.restore)).passed).toBe(true);
  });

  it.each([
    ['saml-provider', ['saml-provider', 'team']],
    ['custom-field', ['custom-field']],
    ['member', ['member']],
    ['collection', ['collection']],
    ['organization', ['organization']],
    ['page', ['collection', 'revision', 'space']],
    ['comment', ['collection', 'comment', 'comment-reply', 'revision', 'space']],
  ])('kind:%s writes only what it stands on', async (kind, kinds) => {
    await using target = await createTarget(world);
    const { organization } = target;
    target.platform.createUser({ displayName: 'kim', email: 'kim@example.com', organization, role: null });
    expect(Object.keys(await written(target, `kind:${kind}`)).toSorted()).toEqual(kinds);
  });
});

describe('restore/scope of the organization alone', () => {
  it('says before that no site will be shown first, and verify does not miss it', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan({ scope: 'kind:organization' });
    const notes = plan.steps.filter(({ action }) => action === 'unsupported').map(({ note }) => note);
    expect(notes).toEqual(['no site is shown first: site Docs, which was, is not among what was asked for']);
    const { restore } = await target.apply(plan);
    const { passed, differences, notRestored } = await target.verify(restore);
    expect([passed, notRestored]).toEqual([true, { organization: 1 }]);
    expect(differences.map((one) => [one.class, one.field])).toContainEqual(['bestEffort', 'defaultContent']);
  });

  it('misses the site that is shown first when the plan was to bring it', async () => {
    await using target = await createTarget(world);
    const { restore } = await target.apply(await target.plan());
    const path = { organizationId: target.organization };
    await target.client.api.updateOrganization({ path, body: { defaultContent: null } });
    const { passed, differences } = await target.verify(restore);
    expect(passed).toBe(false);
    expect(differences.map((one) => [one.class, one.field])).toContainEqual(['exact', 'defaultContent']);
  });
});

describe('restore/plan into what exists', () => {
  it('writes beside what is there, takes fields and specifications of the same name, and leaves settings alone', async () => {
    await using target = await createTarget(world);
    const path = { organizationId: target.organization };
    const { api } = target.client;
    await api.createCustomField({ path, body: { name: 'stage', type: 'text', title: 'Mine' } });
    await api.createOpenApiSpec({ path, body: { slug: 'given', source: { url: 'http://127.0.0.1:9/mine.json' } } });
    await api.createCollection({ path, body: { title: 'Manuals' } });
    await expect(target.plan()).rejects.toMatchObject({ code: 'DM_TARGET_NOT_EMPTY' });
    const plan = await target.plan({ intoExisting: true });
    const clashes = plan.preflight.filter(({ state }) => state === 'warn').map(({ check }) => check);
    expect(clashes).toEqual(expect.arrayContaining(['custom-field Stage', 'openapi-spec given', 'collection Manuals']));
    await target.apply(plan);
    expect((await api.getOrganization({ path })).title).toBe('Target');
    expect((await api.getCustomField({ path: { ...path, fieldName: 'stage' } })).title).toBe('Mine');
    const { items } = await api.listCollections({ path });
    expect(items.map(({ title }) => title).toSorted()).toEqual(['Guides', 'Manuals', 'Manuals']);
  });

  it('never takes what stood there for something that it made', async () => {
    await using target = await createTarget(world);
    const path = { organizationId: target.organization };
    const { id } = await target.client.api.createSpace({ path, body: { title: 'News' } });
    const scope = `space:${organized.spaces['News'] ?? ''}`;
    const plan = await target.plan({ scope, intoExisting: true });
    target.platform.faults = [{ operation: 'createSpace', nth: 1, effect: 'cut-before' }];
    const { restore } = await target.apply(plan);
    target.platform.faults = [];
    expect((await target.resume(restore)).failures).toEqual([]);
    expect((await target.client.api.getRevision({ path: { spaceId: id } })).pages).toEqual([]);
    expect((await target.verify(restore)).passed).toBe(true);
  });

  it('names the restore that was cut off there: the advice was to write everything beside it, which made it twice', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'importContent', effect: { status: 500 } }];
    const { restore } = await target.apply(await target.plan());
    target.platform.faults = [];
    const resume = `docmirror restore resume ${restore}`;
    const refused = { code: 'DM_TARGET_NOT_EMPTY', hint: expect.stringContaining(resume) as string };
    await expect(target.plan()).rejects.toMatchObject(refused);
    const warned = async (scope?: string): Promise<(string | undefined)[]> => {
      const { preflight } = await target.plan({ intoExisting: true, ...(scope === undefined ? {} : { scope }) });
      return preflight.filter(({ check }) => check === 'earlier restore').map(({ detail }) => detail);
    };
    expect(await warned()).toEqual([expect.stringMatching(/2 collections, .*second time/u)]);
    expect(await warned()).toEqual([expect.stringContaining(resume)]);
    const { api } = target.client;
    const path = { organizationId: target.organization };
    const { items } = await api.listTeams({ path });
    for (const { id } of items) await api.deleteTeam({ path: { ...path, teamId: id } });
    expect(await warned('kind:team'), 'what stands there no more is in nobody\u2019s way').toEqual([]);
  });

  it('is stale when something was added since', async () => {
    await using target = await createTarget(world);
    const path = { organizationId: target.organization };
    const plan = await target.plan({ intoExisting: true });
    await target.client.api.createTeam({ path, body: { title: 'New' } });
    target.platform.clearRequestLog();
    await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
    expect(target.writes()).toEqual([]);
  });
});

describe('restore/plan/preflight', () => {
  it('names the rights that the token lacks, and no write is sent without them', async () => {
    await using target = await createTarget(world);
    const { organization, platform } = target;
    const limited = platform.createUser({
      displayName: 'Reader',
      email: 'reader@example.com',
      organization,
      role: 'read',
    });
    await using client = world.clientOf({ url: platform.url, token: limited.token });
    const own = { ...target.settings, client };
    const plan = await target.plan({ client });
    const failed = plan.preflight.filter(({ state }) => state === 'fail').map(({ check }) => check);
    expect(failed).toEqual(['right admin', 'right createContent', 'right createOpenAPISpec']);
    expect(
      plan.preflight.filter(({ detail }) => detail.includes('cannot be listed')).map(({ check }) => check),
    ).toEqual(['saml-provider on the target']);
    platform.clearRequestLog();
    await expect(target.apply(plan, own)).rejects.toMatchObject({ code: 'DM_FORBIDDEN' });
    expect(target.writes()).toEqual([]);
  });

  it.each([
    { host: '127.0.0.1', publicUrl: null, targetUrl: 'http://127.0.0.1:1', state: 'ok' },
    { host: '127.0.0.1', publicUrl: null, targetUrl: 'https://docs.example.com', state: 'warn' },
    { host: '127.0.0.1', publicUrl: 'http://localhost:1', targetUrl: 'https://docs.example.com', state: 'warn' },
    // A platform that listens on every address of this machine is named by one of them.
    { host: '127.0.0.1', publicUrl: null, targetUrl: `http://${outerAddress() ?? '127.0.0.1'}:1`, state: 'ok' },
    { host: '10.0.0.1', publicUrl: null, targetUrl: 'https://docs.example.com', state: 'ok' },
  ])('content at $host ($publicUrl) for a platform at $targetUrl: $state', async (one) => {
    await using target = await createTarget(world);
    const { host, publicUrl, targetUrl, state } = one;
    const { preflight } = await target.plan({ contentServer: { host, port: 0, publicUrl }, targetUrl });
    expect(preflight.find(({ check }) => check === 'content address')?.state).toBe(state);
  });
});

it('restore/scope: a page that links to one that was not asked for is told before, and verified as it is', async () => {
  await using target = await createTarget(world);
  const plan = await target.plan({ scope: `page:${furnished.pages['Home'] ?? ''}` });
  expect(plan.preflight).toContainEqual({
    check: 'links to what is left out',
    state: 'warn',
    detail: '1 page links to pages that are not part of this plan: these links will lead nowhere',
  });
  const { restore } = await target.apply(plan);
  expect(await target.verify(restore)).toMatchObject({ passed: true, brokenLinks: { before: 0, after: 0 } });
});
