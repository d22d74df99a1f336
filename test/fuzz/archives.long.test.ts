// What an import brings, made to do harm: a clear refusal, or an import whose counts are true.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHtml } from '../../src/platform/import/html.ts';
import { flatten } from '../support/content.ts';
import { programAt } from '../support/programs.ts';
import { createWorld, serveBytes, spaceWithPages, type World } from '../platform/world.ts';
import { hostileArchives, hostileDocuments, docx, wordText } from './hostile-archives.ts';
import { hostileText } from './hostile-values.ts';
import { runs, SEED } from './runs.ts';
import { zipBytes } from './zip-bytes.ts';

const MOST_MEBIBYTES = 128;
const DOCUMENTS = await hostileDocuments();

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** Imports the bytes into a new space: refused as a whole with nothing left behind, or as much there as is said. */
async function expectClear(bytes: Buffer, source: string): Promise<number> {
  const { spaceId } = await spaceWithPages(world, {});
  await using server = await serveBytes(bytes);
  const { status, body } = await world.call('importContent', { path: { spaceId }, body: { url: server.url, source } });
  const { pages, files } = (await world.call('getRevision', { path: { spaceId } })).body;
  const held = flatten(pages).length + files.length;
  if (status === 400) expect([body.error.message === '', held]).toEqual([false, 0]);
  else {
    expect(status).toBe(201);
    expect(body.importedResources).toBeLessThanOrEqual(body.totalResources);
    expect(body.importedResources).toBe(held);
  }
  // A link has no path.
  for (const { path = 'link' } of flatten(pages))
    expect(path.split('/').filter((part) => /^\.*$/.test(part))).toEqual([]);
  return status;
}

describe(`fuzz/archives (seed ${SEED})`, () => {
  const options = { seed: SEED, numRuns: runs(20) };

  it.each(hostileArchives())('takes or refuses an archive with %s', async (_, bytes) => {
    await expectClear(bytes, 'zip');
  });

  it.each(DOCUMENTS)('takes or refuses a Word document with %s', async (_, bytes) => {
    await expectClear(bytes, 'docx');
  });

  it('unpacks nothing that would fill the memory, whatever an archive says of itself', async () => {
    const program = programAt('test/fuzz/archives-process.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const { grownMebibytes } = JSON.parse(stdout) as { grownMebibytes: number };
    expect(grownMebibytes).toBeLessThan(MOST_MEBIBYTES);
  });

  it('takes or refuses archives of which some bytes are others', async () => {
    const whole = zipBytes([
      { name: 'SUMMARY.md', data: Buffer.from('* [A](a.md)\n  * [B](b.md)\n') },
      { name: 'a.md', data: Buffer.from('---\ntitle: A\n---\n# A\n') },
      { name: 'b.md', data: Buffer.from('# B\n\n![x](assets/x.png)\n') },
      { name: 'assets/x.png', data: Buffer.from('png') },
    ]);
    const place = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 6 }), async (places) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of places) bytes[at] = byte;
        await expectClear(bytes, 'zip');
      }),
      options,
    );
  });

  it('takes or refuses archives with any names and texts', async () => {
    const file = fc.record({
      name: fc.oneof(
        hostileText,
        hostileText.map((text) => `${text}.md`),
      ),
      text: hostileText,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 8 }), async (files) => {
        await expectClear(zipBytes(files.map(({ name, text }) => ({ name, data: Buffer.from(text) }))), 'zip');
      }),
      options,
    );
  });

  const markup = fc
    .array(
      fc.oneof(
        hostileText,
        fc.constantFrom(
          ...'<p> </p> <table> <tr> <td> <pre> <code> <!-- --> <![CDATA[ <a href=" "> <img src= <svg> <math> <ul> <li> </ul> &#0; &amp &lt; <br/'.split(
            ' ',
          ),
        ),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  it('reads any markup as Markdown, or refuses it', () => {
    fc.assert(
      fc.property(markup, fc.boolean(), (html, isWebsite) => {
        expect(typeof readHtml(html, { isWebsite }).markdown).toBe('string');
      }),
      { seed: SEED, numRuns: runs(70) },
    );
  });

  it('takes or refuses a Word document with any markup', async () => {
    const word = fc.array(
      fc.constantFrom(
        '<w:p>',
        '</w:p>',
        '<w:r>',
        '</w:r>',
        '<w:t>x</w:t>',
        '<w:tbl>',
        '</w:tbl>',
        '<w:br/>',
        '&#0;',
        '&x;',
        '<',
        '<w:hyperlink r:id="x">',
      ),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(word, async (parts) => void (await expectClear(docx(wordText(parts.join(''))), 'docx'))),
      { seed: SEED, numRuns: runs(7) },
    );
  });
});
