// What becomes of pages that were computed from an OpenAPI specification when somebody deletes it: they go with it, and neither
// the space nor its change requests have another revision for that.
import { describe, expect, it } from 'vitest';
import { countsOf, lastSealed } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const settings = { documents: true };
const SPEC = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/carts': { get: { tags: ['carts'], responses: { 200: { description: 'ok' } } } } },
  components: { schemas: { Cart: { type: 'object' } } },
});

/** A mirrored space that shows a specification, with a change request. */
async function withReference(): Promise<{ world: TestWorld; space: string; request: string }> {
  const world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.createOpenApiSpec({ path, body: { slug: 'shop', source: { text: SPEC } } });
  await world.platform.settle();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
  world.platform.addComputedPage({ space, spec: 'shop', title: 'Reference' });
  const { id: request } = await addRequest(world, space, { subject: 'Proposal', changes: [insert('New', 'Text.')] });
  await world.sync({ settings });
  return { world, space, request };
}

function deleteSpec(world: TestWorld): Promise<unknown> {
  return world.api.deleteOpenApiSpec({ path: { organizationId: world.organization, specSlug: 'shop' } });
}

const SEEN = ['change-request-revision', 'change-request-page', 'change-request-page-document'];

/** What a snapshot has counted as seen, and what it holds. */
function seenAndHeld({ mirror }: TestWorld): { seen: number[]; held: number[] } {
  const id = lastSealed(mirror)?.id ?? 0;
  const keys = Object.keys(stateOf(mirror, id));
  return {
    seen: SEEN.map((kind) => countsOf(mirror, id)[kind]?.seen ?? 0),
    held: SEEN.map((kind) => keys.filter((key) => key.startsWith(`${kind} `)).length),
  };
}

const GONE = `select p.title from tombstones t join resources r on r.rid = t.rid and r.kind = 'change-request-page'
  join change_request_pages_history p on p.id = r.id where json_extract(t.evidence, '$.direct.status') = 404 order by 1`;

describe('walker', () => {
  it('is complete the night after a specification was deleted whose pages a change request showed: it was partial once, as if something had not been read', async () => {
    const { world, space } = await withReference();
    await using _ = world;
    await deleteSpec(world);
    await edit(world, space, insert('Another', 'Text.'));
    const { snapshot, failures } = await world.sync({ settings });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
    expect(rowsOf(world.mirror, GONE).map(({ title }) => title)).toEqual(['Models', 'carts']);
    const { seen, held } = seenAndHeld(world);
    expect(seen).toEqual(held);
    using fresh = await world.newMirror();
    const first = await world.sync({ settings, mirror: fresh });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  });

  it('is complete when a specification is deleted while its pages are read', async () => {
    const { world, space } = await withReference();
    await using _ = world;
    let deleted = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getPage' || deleted) return;
      deleted = true;
      await deleteSpec(world);
    });
    using fresh = await world.newMirror();
    const { snapshot, failures } = await world.sync({ settings: { ...settings, lanes: 1 }, client, mirror: fresh });
    expect([deleted, snapshot.state, failures]).toEqual([true, 'complete', []]);
    const [{ pages } = { pages: null }] = rowsOf(fresh, `select count(*) as pages from pages where space = ?`, space);
    expect(pages).toBe(2);
  });

  it('is partial when the platform knows nothing of a page of a change request that its tree goes on to show', async () => {
    const { world, space, request } = await withReference();
    await using _ = world;
    const page = (await pagesOf(world, space))['Home'] ?? '';
    await edit(world, space, { type: 'update_page', page, document: { markdown: '# Home\n\nEdited.' } });
    // As in a mirror that could not read it: else it is taken for that of the request.
    const tree = `select rid from resources where kind = 'page-document' and id = ?`;
    world.mirror.store.prepare(`delete from versions where rid in (${tree})`).run(page);
    const pathPattern = `${request}/content/page/${page}`;
    world.platform.faults = [{ operation: 'getChangeRequestPage', pathPattern, effect: { status: 404 } }];
    const { snapshot, failures } = await world.sync({ settings });
    expect([snapshot.state, failures.map(({ kind, status }) => [kind, status])]).toEqual([
      'partial',
      [['change-request-page-document', 404]],
    ]);
    world.platform.faults = [];
    expect((await world.sync({ settings })).snapshot.state).toBe('complete');
  });
});
