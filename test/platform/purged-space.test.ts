import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createLogger, manualClock, sha256 } from '../../src/base/index.ts';
import { openStore } from '../../src/platform/store/open-store.ts';
import { testFolder } from '../support/cli.ts';
import { asOfSchema } from './older-database.ts';
import { createWorld, importFiles, spaceWithPages, type World } from './world.ts';

const DAYS_MS = 8 * 86_400_000;
const [OWN, SHARED] = [Buffer.from('bytes of one space'), Buffer.from('bytes of two spaces')];
const PAGES = { 'README.md': '# Gone\n\nA text that goes.\n\n![](assets/own.txt) ![](assets/shared.txt)\n' };

/** What a database holds of texts and bytes. */
function stored(database: string): { texts: string[]; blobs: string[] } {
  using db = openStore(database);
  const texts = db.prepare<{ markdown: string }>('select markdown from documents order by markdown').all();
  const blobs = db.prepare<{ sha256: string }>('select sha256 from blobs').all();
  return { texts: texts.map(({ markdown }) => markdown), blobs: blobs.map((blob) => blob.sha256).toSorted() };
}

async function purge(world: World, spaceId: string): Promise<void> {
  expect((await world.call('deleteSpace', { path: { spaceId } })).status).toBe(205);
  world.platform.advanceClock(DAYS_MS);
}

it('platform: a space that is gone for good takes its texts and bytes with it, but for what another has too: the database kept them all for ever', async () => {
  using folder = testFolder();
  const database = folder.at('platform.sqlite');
  {
    await using world = await createWorld({ database, movableClock: true });
    const path = { organizationId: world.organization };
    const spec = SHARED.toString();
    await world.call('createOpenApiSpec', { path, body: { slug: 'spec', source: { text: OWN.toString() } } });
    await world.platform.settle();
    const { spaceId } = await spaceWithPages(world, { First: 'A text that was superseded' });
    await importFiles(world, spaceId, { ...PAGES, 'assets/own.txt': `${OWN.toString()}!`, 'assets/shared.txt': spec });
    const kept = await spaceWithPages(world, { Kept: 'A text that stays' });
    await importFiles(world, kept.spaceId, { 'assets/shared.txt': spec, 'README.md': '![](assets/shared.txt)\n' });
    const request = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const asked = { spaceId, changeRequestId: request.body.id };
    expect((await world.call('getChangeRequestPdf', { path: asked })).status).toBe(200);
    await purge(world, spaceId);
    const copy = await world.call('duplicateSpace', { path: { spaceId: kept.spaceId } });
    await purge(world, copy.body.id);
    const { body } = await world.call('listPages', { path: { spaceId: kept.spaceId } });
    expect(body.pages).toHaveLength(2);
  }
  const { texts, blobs } = stored(database);
  expect(texts).toContain('A text that stays');
  expect(texts).toHaveLength(2);
  expect(blobs).toEqual([sha256(OWN), sha256(SHARED)].toSorted());
});

it('platform: bytes that spaces of a database of before have in common stay as long as one of them is there', async () => {
  using folder = testFolder();
  const database = folder.at('platform.sqlite');
  let [gone, kept] = ['', ''];
  {
    await using world = await createWorld({ database });
    for (const title of ['Gone', 'Kept']) {
      const { spaceId } = await spaceWithPages(world, { [title]: 'text' });
      await importFiles(world, spaceId, { 'assets/shared.txt': SHARED, 'README.md': '![](assets/shared.txt)\n' });
      [gone, kept] = [kept, spaceId];
    }
  }
  asOfSchema(database, 9);
  {
    await using world = await createWorld({ database, movableClock: true });
    await purge(world, gone);
    expect((await world.call('listFiles', { path: { spaceId: kept } })).body.items).toHaveLength(1);
  }
  expect(stored(database).blobs).toEqual([sha256(SHARED)]);
});

it('platform: goes on where a space that is gone for good cannot be removed in its hour, and says so: that ended the process, the daemon of a demonstration with it', async () => {
  using folder = testFolder();
  const [database, clock] = [folder.at('platform.sqlite'), manualClock(Date.UTC(2026, 0, 1))];
  const told: string[] = [];
  const log = createLogger({ level: 'error', pretty: false, destination: { write: (line) => void told.push(line) } });
  await using world = await createWorld({ database, clock, log });
  const { spaceId } = await spaceWithPages(world, { Gone: 'text' });
  expect((await world.call('deleteSpace', { path: { spaceId } })).status).toBe(205);
  const other = new Database(database);
  other.exec("create trigger refuse before delete on spaces begin select raise(abort, 'no room'); end");
  await clock.advance(DAYS_MS);
  expect(told.join('')).toContain('no room');
  other.exec('drop trigger refuse');
  other.close();
  await clock.advance(3_600_000);
  const known = new Database(database, { readonly: true });
  expect(known.prepare('select count(*) from spaces where id = ?').pluck().get(spaceId)).toBe(0);
  known.close();
});

it('platform: whether anybody else has the bytes of a space that goes is looked up by an index: with 50,000 versions of specifications, a space of 1,000 files held everything up for three seconds', () => {
  using folder = testFolder();
  using db = openStore(folder.at('platform.sqlite'));
  const [trigger] = db
    .prepare<{ sql: string }>("select sql from sqlite_master where name = 'blobs_that_nobody_holds'")
    .all();
  const asked = trigger?.sql.match(/select 1 from [^()]*/g) ?? [];
  expect(asked).toHaveLength(3);
  const plans = asked.map((sql) =>
    db.prepare<{ detail: string }>(`explain query plan ${sql.replace('old.sha256', "'x'")}`).all(),
  );
  expect(plans.flat().map(({ detail }) => detail)).toEqual(
    asked.map(() => expect.stringMatching(/^SEARCH/) as unknown),
  );
});

it('platform: a specification that is deleted, or gets another source, takes its bytes with it, but for what another has too: the database kept them all for ever', async () => {
  using folder = testFolder();
  const database = folder.at('platform.sqlite');
  {
    await using world = await createWorld({ database });
    const path = { organizationId: world.organization };
    const put = (slug: string, text: string): Promise<unknown> =>
      world.call('putOpenApiSpec', { path: { ...path, specSlug: slug }, body: { source: { text } } });
    await put('gone', JSON.stringify({ openapi: '3.1.0', info: { title: 'Gone', version: '1' }, paths: {} }));
    // Of what is no specification there is no version, which would keep it.
    await put('kept', OWN.toString());
    await put('same', SHARED.toString());
    await world.platform.settle();
    const gone = await world.call('listOpenApiSpecVersions', { path: { ...path, specSlug: 'gone' } });
    expect(gone.body.items).toHaveLength(1);
    await put('kept', SHARED.toString());
    await world.platform.settle();
    for (const specSlug of ['gone', 'same']) await world.call('deleteOpenApiSpec', { path: { ...path, specSlug } });
  }
  expect(stored(database).blobs).toEqual([sha256(SHARED)]);
});

it('platform: a space that is gone for good holds no path of a site against another one: until the next hour it was refused with 409', async () => {
  const clock = manualClock(Date.parse('2025-03-01T00:30:00Z'));
  await using world = await createWorld({ clock });
  const { organization } = world;
  const [gone, kept] = [await spaceWithPages(world, { Gone: 'text' }), await spaceWithPages(world, { Kept: 'text' })];
  const spaces = [gone.spaceId, kept.spaceId];
  const site = await world.call('createSite', {
    path: { organizationId: organization },
    body: { title: 'Docs', spaces },
  });
  const path = { organizationId: organization, siteId: site.body.id };
  const { items } = (await world.call('listSiteSpaces', { path })).body;
  const of = (spaceId: string) => items.find(({ space }) => space.id === spaceId);
  await clock.advance(1_800_000);
  await world.call('deleteSpace', { path: { spaceId: gone.spaceId } });
  const siteSpace = { ...path, siteSpaceId: of(kept.spaceId)?.id ?? '' };
  const asked = { path: siteSpace, body: { path: of(gone.spaceId)?.path ?? '' } };
  expect((await world.call('updateSiteSpace', asked)).status).toBe(409);
  await clock.advance(7 * 86_400_000 + 600_000);
  expect((await world.call('updateSiteSpace', asked)).status).toBe(200);
});
