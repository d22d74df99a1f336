import { describe, expect, it } from 'vitest';
import { openedSnapshot, readerAt } from '../../src/mirror/index.ts';
import { addCollection, addSpace, edit, importFiles, insert, pagesOf, PNG } from '../support/content.ts';
import { filledWorlds, type CopiedWorld } from '../support/copied-world.ts';
import { rowsOf, stateOf, truthOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';
import { tokenWithdrawnAt } from '../support/token-withdrawn.ts';

interface Written {
  readonly space: string;
  readonly pages: Readonly<Record<string, string>>;
}

/** With a space of some pages. */
const writtenWorld = filledWorlds(async (world): Promise<Written> => {
  const space = await addSpace(world, 'Space');
  await edit(world, space, insert('A', 'old'), insert('B', 'old'), insert('C', 'old'));
  return { space, pages: await pagesOf(world, space) };
});

/** The edit changes two of the pages in one revision. */
function editable(world: CopiedWorld<Written>): { space: string; editBoth: (text: string) => Promise<void> } {
  const { space, pages } = world.made;
  const change = (title: string, text: string) =>
    ({ type: 'update_page', page: pages[title] ?? '', document: { markdown: `# ${title}\n\n${text}` } }) as const;
  return { space, editBoth: (text) => edit(world, space, change('A', text), change('C', text)) };
}

function texts(world: TestWorld, snapshot: number, space: string): Record<string, string | null> {
  const pages = [...readerAt(world.mirror, snapshot).resources('page', space)];
  return Object.fromEntries(pages.map((page) => [String(page.body['title']), page.text?.split('\n').at(-1) ?? null]));
}

describe('walker/visits/content', () => {
  it('reads a revision again that moved while its pages were read', async () => {
    await using world = await writtenWorld();
    const { space, editBoth } = editable(world);
    let moved = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getPage' || moved) return;
      moved = true;
      await editBoth('new');
    });
    const { snapshot, kinds } = await world.sync({ client });
    expect([snapshot.state, texts(world, snapshot.id, space)]).toEqual(['complete', { A: 'new', B: 'old', C: 'new' }]);
    expect(kinds['page']?.seen).toBe(3);
    const next = await world.sync();
    expect(texts(world, next.snapshot.id, space)).toEqual({ A: 'new', B: 'old', C: 'new' });
    expect(stateOf(world.mirror, next.snapshot.id)).toEqual(await truthOf(world));
  });

  it('counts a revision once that stood as it was when it was read first and moved then', async () => {
    await using world = await writtenWorld();
    const { editBoth } = editable(world);
    await world.sync();
    let moved = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getPage' || moved) return;
      moved = true;
      await editBoth('new');
    });
    const { kinds } = await world.sync({ client, mode: 'full' });
    expect([moved, kinds['revision']]).toMatchObject([true, { seen: 1, changed: 1, unchanged: 0 }]);
  });

  it('shows a space that was edited after its listing as its content, and reads it again the next night', async () => {
    await using world = await writtenWorld();
    const { space, editBoth } = editable(world);
    const revisionOf = () =>
      rowsOf(world.mirror, 'select revision as id from spaces union all select id from revisions');
    let moved = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getRevision' || moved) return;
      moved = true;
      await editBoth('new');
    });
    const { snapshot, kinds } = await world.sync({ client });
    expect([moved, snapshot.state, kinds['space']]).toMatchObject([
      true,
      'complete',
      { seen: 1, added: 1, changed: 0 },
    ]);
    const [first, second] = revisionOf();
    expect(first).toEqual(second);
    expect(texts(world, snapshot.id, space)).toEqual({ A: 'new', B: 'old', C: 'new' });
    await editBoth('newer');
    const next = await world.sync();
    expect(stateOf(world.mirror, next.snapshot.id)).toEqual(await truthOf(world));
  });

  it('shows a space in the collection into which somebody moved it after the listing of the other had shown it', async () => {
    await using world = await TestWorld.create();
    const [from, into] = [await addCollection(world, 'From'), await addCollection(world, 'Into')];
    const space = await addSpace(world, 'Guide', from);
    const client = world.hooked(async (operation, input) => {
      if (operation !== 'listCollectionSpaces' || input?.path?.['collectionId'] !== into) return;
      await world.api.moveSpace({ path: { spaceId: space }, body: { parent: into } });
    });
    const { snapshot } = await world.sync({ client, settings: { lanes: 1 } });
    const { body } = readerAt(world.mirror, snapshot.id).one('space', space) ?? {};
    expect([snapshot.state, body?.['parent']]).toEqual(['complete', into]);
  });

  it('gives no change request the text of a page that was renamed while it was read', async () => {
    await using world = await writtenWorld();
    const { space } = editable(world);
    const { A = '' } = await pagesOf(world, space);
    const rename = (title: string) => edit(world, space, { type: 'update_page', page: A, title });
    await rename('Renamed');
    let moved = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getPage' || moved) return;
      moved = true;
      await rename('A');
    });
    await world.sync({ client, settings: { lanes: 1 } });
    const { snapshot } = await world.sync();
    const pages = readerAt(world.mirror, snapshot.id).resources('change-request-page');
    const shown = [...pages].filter(({ id, body }) => id === A && body['title'] === 'Renamed');
    expect(shown.map(({ text }) => text)).toEqual(['# Renamed\n\nold']);
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
  });

  it('is partial when the revision never stands still, and whole the next time', async () => {
    await using world = await writtenWorld();
    const { space, editBoth } = editable(world);
    let edits = 0;
    const client = world.hooked(async (operation) => {
      if (operation === 'getPage') await editBoth(`edit ${++edits}`);
    });
    const { snapshot, failures } = await world.sync({ client, settings: { lanes: 1 } });
    expect(snapshot.state).toBe('partial');
    expect(failures).toEqual([expect.objectContaining({ kind: 'revision', code: 'DM_INCOMPLETE', resource: space })]);
    const next = await world.sync();
    expect(next.snapshot.state).toBe('complete');
    expect(texts(world, next.snapshot.id, space)).toEqual({ A: `edit ${edits}`, B: 'old', C: `edit ${edits}` });
  });

  it('takes a page that is deleted while the walk is on for gone, not for unread', async () => {
    await using world = await writtenWorld();
    const { space } = editable(world);
    const { C = '' } = await pagesOf(world, space);
    let moved = false;
    const client = world.hooked(async (operation) => {
      if (operation !== 'getPage' || moved) return;
      moved = true;
      await edit(world, space, { type: 'delete_page', page: C });
    });
    const { snapshot, failures } = await world.sync({ client, settings: { lanes: 1 } });
    expect([snapshot.state, failures]).toEqual(['complete', []]);
    const next = await world.sync();
    expect(next.snapshot.state).toBe('complete');
    expect(stateOf(world.mirror, next.snapshot.id)).toEqual(await truthOf(world));
  });

  it('is partial when a page is not there that the tree goes on to show, which is looked at once more', async () => {
    await using world = await writtenWorld();
    const { space } = editable(world);
    const { C = '' } = await pagesOf(world, space);
    world.platform.faults = [{ operation: 'getPage', pathPattern: C, effect: { status: 404 } }];
    world.platform.clearRequestLog();
    const { snapshot, failures } = await world.sync();
    expect([snapshot.state, failures.map(({ kind, status }) => [kind, status])]).toEqual(['partial', [['page', 404]]]);
    expect([world.asked('getRevision'), snapshot.reason]).toEqual([2, '1 page not read']);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
  });
});

describe('walker/visits/entries', () => {
  async function withFile(world: TestWorld): Promise<string> {
    const space = await addSpace(world, 'Files');
    await importFiles(world, space, { 'README.md': '# Home\n\n![Logo](logo.png)\n', 'logo.png': PNG });
    return space;
  }

  it('asks for the address of a file again, once, when it has expired', async () => {
    await using world = await TestWorld.create();
    const space = await withFile(world);
    world.platform.faults = [{ operation: 'getRevision', effect: 'expired-download' }];
    const { snapshot } = await world.sync();
    expect([snapshot.state, world.asked('getFile')]).toEqual(['complete', 1]);
    const [file] = readerAt(world.mirror, snapshot.id).resources('file', space);
    expect(file?.object?.size).toBe(PNG.length);
  });

  it.each([403, 404])('calls a file that stays out of reach (%i) a failure, after one more look', async (status) => {
    await using world = await TestWorld.create();
    await withFile(world);
    world.platform.faults = [{ operation: 'download', effect: { status } }];
    world.platform.clearRequestLog();
    const { snapshot, failures } = await world.sync();
    expect([snapshot.state, world.asked('getFile'), world.asked('download')]).toEqual(['partial', 1, 2]);
    expect([world.asked('getRevision'), failures.map((one) => [one.kind, one.status])]).toEqual([
      1,
      [['file', status]],
    ]);
  });

  it.each(['truncate', 'html'] as const)('keeps no object of bytes that came as %s', async (effect) => {
    await using world = await TestWorld.create();
    const space = await withFile(world);
    world.platform.faults = [{ operation: 'download', effect }];
    const { snapshot, failures } = await world.sync();
    expect([snapshot.state, failures[0]?.kind]).toEqual(['partial', 'file']);
    expect([...world.mirror.objects.list()]).toEqual([]);
    world.platform.faults = [];
    const next = await world.sync();
    expect(next.snapshot.state).toBe('complete');
    const [file] = readerAt(world.mirror, next.snapshot.id).resources('file', space);
    expect(await world.mirror.objects.verify(file?.object?.sha256 ?? '')).toBe(true);
  });

  it('stops at a refused token in mid-walk and continues with a good one', async () => {
    await using world = await writtenWorld();
    world.platform.faults = tokenWithdrawnAt('getPage', 2);
    await expect(world.sync({ settings: { lanes: 1 } })).rejects.toMatchObject({ code: 'DM_TOKEN_REFUSED' });
    const open = openedSnapshot(world.mirror);
    expect(open?.state).toBe('open');
    world.platform.faults = [];
    const { snapshot } = await world.sync();
    expect(snapshot).toMatchObject({ id: open?.id, state: 'complete', resumed: 1 });
    expect(rowsOf(world.mirror, 'select count(*) as n from pages')).toEqual([{ n: 3 }]);
  });

  it('gives up an open walk of another scope, mode or age instead of mixing the two', async () => {
    await using world = await writtenWorld();
    const cutOff = async () => {
      world.platform.faults = tokenWithdrawnAt('getPage');
      await expect(world.sync()).rejects.toMatchObject({ code: 'DM_TOKEN_REFUSED' });
      world.platform.faults = [];
    };
    const reasons = () =>
      rowsOf(world.mirror, `select reason from snapshots where state = 'abandoned'`).map((row) => row['reason']);
    await cutOff();
    await world.sync({ mode: 'full' });
    expect(reasons()).toEqual(['it was incremental']);
    await edit(world, await addSpace(world, 'More'), insert('New', 'text'));
    await cutOff();
    world.clock.advance(2 * 3_600_000);
    const { snapshot } = await world.sync();
    expect([snapshot.state, reasons().at(-1)]).toEqual(['complete', 'it is too old to continue']);
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
  });
});
