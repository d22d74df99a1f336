// What `computed=false` and `metadata=false` leave out of content, beside the platform's own answers.
import { expect, it } from 'vitest';
import { addRequest, addSpace, importFiles, insert } from '../support/content.ts';
import { createTestMirror, type PageSpec } from '../support/mirror-builder.ts';
import { askingReplica } from '../support/replica.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const SPEC = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/carts': { get: { tags: ['carts'], responses: { 200: { description: 'All' } } } } },
  components: { schemas: { Cart: { type: 'object' } } },
});

interface Named {
  readonly id: string;
  readonly title: string;
  readonly pages?: readonly Named[];
}

function idsIn(pages: readonly Named[]): string[] {
  return pages.flatMap(({ id, pages: below = [] }) => [id, ...idsIn(below)]);
}

it('replica/content with computed=false shows the entry that pages are computed from, and none of them, as the platform does: it showed the pages', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization, specSlug: 'shop' };
  await world.api.putOpenApiSpec({ path, body: { source: { text: SPEC } } });
  await world.platform.settle();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
  for (const spec of ['shop', 'unknown']) world.platform.addComputedPage({ space, spec, title: `Of ${spec}` });
  await addRequest(world, space, { subject: 'Proposal', changes: [insert('New', 'Text.')] });
  await world.sync();
  const ask = askingReplica(world.dataDir);
  const askPlatform = async (target: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${world.platform.token}` };
    const response = await fetch(`${world.platform.url}${target}`, { headers });
    return { status: response.status, body: await response.json() };
  };
  const [request] = rowsOf(world.mirror, 'select id from change_requests');
  for (const place of [`/v1/spaces/${space}`, `/v1/spaces/${space}/change-requests/${String(request?.['id'])}`]) {
    const { body } = ask(`${place}/content`);
    const all = idsIn((body as { pages: Named[] }).pages);
    const stored = idsIn((ask(`${place}/content?computed=false`).body as { pages: Named[] }).pages);
    expect([all.length - stored.length, all.length > 4]).toEqual([2, true]);
    const targets = ['', '/pages', ...all.map((id) => `/page/${id}`)].map((one) => `${place}/content${one}`);
    for (const target of targets) {
      for (const query of ['computed=false', 'computed=false&metadata=false', 'computed=true']) {
        const { status, body: own } = ask(`${target}?${query}`);
        expect({ target, query, status, body: own }).toEqual({
          target,
          query,
          ...((await askPlatform(`${target}?${query}`)) as object),
        });
      }
    }
  }
});

it('replica/content with metadata=false leaves out what git knows of pages and files: it was shown', async () => {
  using made = await createTestMirror();
  const git = { oid: 'abc', path: 'README.md' };
  const inner = { id: 'inner', title: 'Inner', body: { git } };
  const pages = [{ id: 'home', title: 'Home', body: { git }, pages: [inner] }];
  const files = [{ id: 'f', name: 'a.png', bytes: 'x', body: { git } }];
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages, files }] });
  const ask = askingReplica(made.dataDir);
  for (const place of ['/pages', '/page/home', '/files', '/files/f']) {
    const target = `/v1/spaces/s/content${place}`;
    expect(JSON.stringify(ask(target).body)).toContain('"oid":"abc"');
    expect(JSON.stringify(ask(`${target}?metadata=false`).body)).not.toContain('git');
  }
});

it('replica/content with computed=false shows of two entries within each other both, each with its place', async () => {
  using made = await createTestMirror();
  const of = (id: string, props: object, pages: PageSpec[] = []): PageSpec => {
    const computed = { type: 'openapi', spec: 'shop', props };
    return { id, title: id, pages, body: { computed, documentId: id } };
  };
  const inner = of('inner', { doc: 'info' }, [of('carts', { doc: 'operations', page: 'carts' })]);
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages: [of('outer', { doc: 'info' }, [inner])] }] });
  const ask = askingReplica(made.dataDir);
  const idsOf = (query: string): string[] =>
    idsIn((ask(`/v1/spaces/s/content/pages${query}`).body as { pages: Named[] }).pages);
  expect([idsOf(''), idsOf('?computed=false')]).toEqual([
    ['outer', 'inner', 'carts'],
    ['outer', 'inner'],
  ]);
});
