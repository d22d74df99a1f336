import { describe, expect, it } from 'vitest';
import { createWorld, importFiles, spaceWithPages, type World } from './world.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const BODY = `Text with **bold**, *italic*, \`code\`, ~~gone~~ and a [link](https://example.com). Ж ß ✓

## Part

1. one
   - inner
2. two

| a | b |
|---|---|
| c | d |

> quote

{% hint style="info" %}
Hint
{% endhint %}

\`\`\`js
const a = 1;

const b = 2;
\`\`\`

$$
x^2
$$

![gone](/files/nothing)

---
`;

async function proposal(world: World) {
  const { spaceId } = await spaceWithPages(world, {});
  await importFiles(world, spaceId, {
    'SUMMARY.md': '* [One](one.md)\n  * [Below](below.md)\n* [Two](two.md)\n',
    'one.md': `# One\n\n${BODY}\n![dot](assets/dot.png)\n`,
    'below.md': '# Below\n\nx',
    'two.md': `# Two\n\n${'Long text. '.repeat(2000)}`,
    'assets/dot.png': PNG,
  });
  const request = await world.call('createChangeRequest', { path: { spaceId }, body: { subject: 'Proposal' } });
  const { body } = await world.call('listPages', { path: { spaceId } });
  const ids = Object.fromEntries(body.pages.map((page) => [page.title, page.id]));
  return { path: { spaceId, changeRequestId: request.body.id }, ids };
}

async function download(world: World, input: Parameters<World['call']>[1]): Promise<Buffer> {
  const { body } = await world.call('getChangeRequestPdf', input);
  return Buffer.from(await (await fetch(body.url)).arrayBuffer());
}

/** Structure of a PDF as far as a test needs it: where objects are, and how many pages. */
function structureOf(pdf: Buffer) {
  const text = pdf.toString('latin1');
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]);
  const count = Number(/\/Type \/Pages[^]*?\/Count (\d+)/.exec(text)?.[1]);
  return { header: text.slice(0, 5), xref: text.slice(start, start + 4), pages: count, text };
}

describe('platform/pdf', () => {
  it('gives an address on the other origin, good for an hour, of a PDF that is whole', async () => {
    await using world = await createWorld();
    const { path } = await proposal(world);
    const { status, body } = await world.call('getChangeRequestPdf', { path });
    expect(status).toBe(200);
    expect(new URL(body.url).origin).toBe(new URL(world.platform.filesUrl).origin);
    const answer = await fetch(body.url);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const pdf = structureOf(Buffer.from(await answer.arrayBuffer()));
    expect(pdf.header).toBe('%PDF-');
    expect(pdf.xref).toBe('xref');
    expect(pdf.pages).toBeGreaterThanOrEqual(6);
    expect(pdf.text).toContain('/Subtype /Image');
    world.clock.advance(3_600_001);
    expect((await fetch(body.url)).status).toBe(403);
  });

  it('holds one page with what is below it, or that page alone', async () => {
    await using world = await createWorld();
    const { path, ids } = await proposal(world);
    const page = ids['One'] ?? '';
    const withBelow = structureOf(await download(world, { path, query: { page } })).pages;
    const alone = structureOf(await download(world, { path, query: { page, only: true } })).pages;
    expect(withBelow).toBe(alone + 1);
  });

  it('gives the same bytes for the same content, so that asking again stores nothing', async () => {
    await using world = await createWorld();
    const { path, ids } = await proposal(world);
    const query = { page: ids['One'] ?? '', only: true };
    expect(await download(world, { path, query })).toEqual(await download(world, { path, query }));
  });

  it('refuses a page that is not there, and one page without saying which', async () => {
    await using world = await createWorld();
    const { path } = await proposal(world);
    expect((await world.call('getChangeRequestPdf', { path, query: { page: 'nothing' } })).status).toBe(404);
    const which = await world.call('getChangeRequestPdf', { path, query: { only: true } });
    expect(which.status).toBe(400);
    expect(which.body.error.message).toContain('page');
  });
});
