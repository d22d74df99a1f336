// Everything that is hard to keep at once: titles, texts and names of files, through a walk, a drill, the export, the replica and the
// pages of the status server.
import { expect, it } from 'vitest';
import { atOnce, Secret, seededRandom } from '../../src/base/index.ts';
import { checkExport, exportSnapshot } from '../../src/export/index.ts';
import { createReplica } from '../../src/replica/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { addSpace, edit, flatten, importFiles, insert, type Change } from '../support/content.ts';
import { ODD_FILES, ODD_TEXTS, ODD_TITLES } from '../support/odd-writings.ts';
import { drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const BATCH = 50;
const TOKEN = 'tok_of_the_replica';

// What no platform takes that reads texts as characters.
const isWhole = (text: string): boolean => text.isWellFormed();

async function insertAll(world: TestWorld, space: string, changes: readonly Change[]): Promise<void> {
  for (let at = 0; at < changes.length; at += BATCH) await edit(world, space, ...changes.slice(at, at + BATCH));
}

/** Spaces by what is odd in them. */
async function furnishOddly(world: TestWorld): Promise<string[]> {
  const [texts, titles, files] = [
    await addSpace(world, '[a](b) `c`'),
    await addSpace(world, '../..'),
    await addSpace(world, '<b>'),
  ];
  const written = ODD_TEXTS.filter(isWhole);
  await insertAll(world, texts, [
    ...written.map((text, i) => insert(`Alone ${i}`, text)),
    ...written.map((text, i) => insert(`Between ${i}`, `See [it](/spaces/${titles}).\n\n${text}\n\nThe end.`)),
  ]);
  await insertAll(
    world,
    titles,
    ODD_TITLES.filter(isWhole).map((title, i) => insert(title, `Of ${i}.`)),
  );
  const links = ODD_FILES.map((name) => `![it](<${name}>) [it](${encodeURI(name)})`).join('\n\n');
  const named = Object.fromEntries(ODD_FILES.map((name, i) => [name, `Bytes ${i}.`]));
  await importFiles(world, files, { ...named, 'README.md': `# Files\n\n${links}\n` });
  return [texts, titles, files];
}

it('odd titles, texts and names of files come back, are exported whole, and are shown and answered', async () => {
  await using world = await TestWorld.create();
  const spaces = await furnishOddly(world);
  expect((await world.sync()).snapshot.state).toBe('complete');
  const { differences, passed, brokenLinks } = await drill(world);
  expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect([passed, brokenLinks.after]).toEqual([true, brokenLinks.before]);

  const to = `${world.folder()}/content`;
  await exportSnapshot({ mirror: world.mirror, snapshot: 1, to });
  expect(await checkExport(to)).toEqual([]);

  const { clock, dataDir, log } = world;
  const replica = createReplica({ dataDir, clock, log, random: seededRandom(1), tokens: [Secret.of(TOKEN)] });
  const app = createStatusApp({
    dataDir,
    clock,
    log,
    live: () => noRuntimeState,
    freshness: { snapshotMs: 1, drillMs: 1 },
  });
  const header = (name: string) => (name === 'authorization' ? `Bearer ${TOKEN}` : undefined);
  for (const space of spaces) {
    const path = { spaceId: space };
    const revision = await world.api.getRevision({ path });
    for (const { id } of flatten(revision.pages)) {
      const target = `/v1/spaces/${space}/content/page/${id}?format=markdown`;
      const { status, text } = atOnce(replica.answer({ method: 'GET', target, header, base: 'http://replica' }));
      const { markdown } = await world.api.getPage({ path: { ...path, pageId: id }, query: { format: 'markdown' } });
      expect([status, (JSON.parse(text ?? '') as { markdown?: string }).markdown]).toEqual([200, markdown]);
      expect((await app.request(`/browse/spaces/${space}/pages/${id}`)).status).toBe(200);
    }
  }
}, 240_000);
