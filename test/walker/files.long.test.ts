// The bytes of files: each file has its own, and new ones are seen.
import { describe, expect, it } from 'vitest';
import { checkMirror, markOf, readerAt, setMark } from '../../src/mirror/index.ts';
import { addRequest, addSpace, importFiles, insert } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const FILES = Array.from({ length: 40 }, (_, number) => [`notes-${number}`, `notes_${number}`]).flat();
const bytesOf = (id: string): Buffer => Buffer.from(`${id} `.repeat(2000));

describe('walker/entries, files', () => {
  it('keeps the bytes of files apart whose ids differ only in a sign, when they come at once', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const space = await addSpace(world, 'Files');
    const files = FILES.map((id) => {
      const size = bytesOf(id).length;
      return { id, name: `${id}.txt`, contentType: 'text/plain', size, downloadURL: `${proxy.url}/bytes/${id}` };
    });
    proxy.rewrite = ({ path }, { body }) => {
      const [, id] = /^\/bytes\/(.+)$/.exec(path) ?? [];
      if (id !== undefined) return { status: 200, body: bytesOf(id) };
      return path === `/v1/spaces/${space}/content` ? { status: 200, body: { ...(body as object), files } } : undefined;
    };
    const { snapshot } = await world.sync({ client: proxy.client, settings: { lanes: 8 } });
    expect(snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select count(distinct object) as n from versions')).toEqual([{ n: FILES.length }]);
    expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
  });

  it('brings the bytes of a file again that was replaced by one of the same name and length', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Files');
    const page = { 'README.md': '# Prices\n\n[Prices](prices.txt)\n' };
    await importFiles(world, space, { ...page, 'prices.txt': 'price: 100' });
    await world.sync();
    await importFiles(world, space, { ...page, 'prices.txt': 'price: 999' });
    const { snapshot } = await world.sync();
    using fresh = await world.newMirror();
    const truth = await world.sync({ mirror: fresh });
    expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, truth.snapshot.id));
  });

  it.each([400, 401, 403, 404, 410])(
    'asks for the address of a file anew where a store answers %i for one that has expired',
    async (status) => {
      await using world = await TestWorld.create();
      const space = await addSpace(world, 'Files');
      await importFiles(world, space, {
        'README.md': '# Prices\n\n[Prices](prices.txt)\n',
        'prices.txt': 'price: 100',
      });
      world.platform.faults = [{ operation: 'download', effect: { status }, count: 1 }];
      const { snapshot } = await world.sync();
      expect([snapshot.state, world.asked('getFile')]).toEqual(['complete', 1]);
    },
  );

  it('brings no file again whose mark an earlier program made without its address', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Files');
    await importFiles(world, space, { 'README.md': '# Prices\n\n[Prices](prices.txt)\n', 'prices.txt': 'price: 100' });
    await world.sync();
    const [file] = readerAt(world.mirror, 1).resources('file', space);
    setMark(world.mirror, file?.rid ?? 0, markOf('file', file?.body ?? {}));
    world.platform.clearRequestLog();
    for (let night = 0; night < 2; night++) {
      const { kinds } = await world.sync({ settings: { rereadNights: 1 } });
      expect([kinds['file']?.unchanged, world.asked('download')]).toEqual([1, 0]);
    }
  });

  it('brings no file of a change request again whose mark an earlier program made without its address', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Files');
    await importFiles(world, space, { 'README.md': '# Prices\n\n[Prices](prices.txt)\n', 'prices.txt': 'price: 100' });
    await addRequest(world, space, { subject: 'Begun before', changes: [insert('New', 'text')] });
    await world.sync();
    const kinds = ['file', 'change-request-file'] as const;
    for (const kind of kinds)
      for (const { rid, body } of Array.from(readerAt(world.mirror, 1).resources(kind, space)))
        setMark(world.mirror, rid, markOf(kind, body));
    await addRequest(world, space, { subject: 'Begun after', changes: [insert('Newer', 'text')] });
    world.platform.clearRequestLog();
    // The tree of the space is not read again at first.
    for (const settings of [{}, { rereadNights: 1 }]) {
      const { snapshot } = await world.sync({ settings });
      expect([snapshot.state, world.asked('download')]).toEqual(['complete', 0]);
    }
    using fresh = await world.newMirror();
    const truth = await world.sync({ mirror: fresh });
    expect(stateOf(world.mirror, 3)).toEqual(stateOf(fresh, truth.snapshot.id));
  });

  it('brings a file once whose address moved once: each night after that would have brought it again', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const space = await addSpace(world, 'Moved');
    let [folder, brought] = ['before', 0];
    proxy.rewrite = ({ path }, { body }) => {
      if (path.startsWith('/bytes/')) {
        brought += 1;
        return { status: 200, body: Buffer.from('text') };
      }
      if (path !== `/v1/spaces/${space}/content`) return undefined;
      const downloadURL = `${proxy.url}/bytes/${folder}/notes.txt`;
      const file = { id: 'notes', name: 'notes.txt', contentType: 'text/plain', size: 4, downloadURL };
      return { status: 200, body: { ...(body as object), files: [file] } };
    };
    const night = () => world.sync({ client: proxy.client, settings: { rereadNights: 1 } });
    await night();
    folder = 'after';
    await night();
    await night();
    expect(brought).toBe(2);
  });

  it('makes no version of a file whose address alone is another each time: it passed for changed whenever it was read again', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const space = await addSpace(world, 'Signed');
    let answers = 0;
    let text = 'as it was';
    let name = 'notes.txt';
    proxy.rewrite = ({ path }, { body }) => {
      if (path.startsWith('/bytes/')) return { status: 200, body: Buffer.from(text) };
      if (path !== `/v1/spaces/${space}/content`) return undefined;
      const downloadURL = `${proxy.url}/bytes/${++answers}/notes.txt`;
      const file = { id: 'notes', name, contentType: 'text/plain', size: text.length, downloadURL };
      return { status: 200, body: { ...(body as object), files: [file] } };
    };
    const walked = async () => (await world.sync({ client: proxy.client, mode: 'full' })).kinds['file'];
    await walked();
    expect(await walked()).toMatchObject({ seen: 1, changed: 0, unchanged: 1 });
    expect(rowsOf(world.mirror, 'select count(*) as n from files_history')).toEqual([{ n: 1 }]);
    text = 'as it is!';
    expect(await walked()).toMatchObject({ changed: 1 });
    expect(rowsOf(world.mirror, 'select count(*) as n from files_history')).toEqual([{ n: 2 }]);
    name = 'renamed.txt';
    expect(await walked()).toMatchObject({ changed: 1 });
    expect(rowsOf(world.mirror, 'select name from files')).toEqual([{ name }]);
  });
});
