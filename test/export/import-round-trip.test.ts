// What is exported for an import comes back the same through the platform's own import.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { keepLinks, spaceLayout, zipLayout } from '../../src/export/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import type { ImportedContent, ImportedPage } from '../../src/platform/content/imported-content.ts';
import { readImport } from '../../src/platform/import/index.ts';
import { createTestMirror, type PageSpec, type SpaceSpec, type TestMirror } from '../support/mirror-builder.ts';

let archive: Buffer = Buffer.alloc(0);
const server = createServer((_request, response) => void response.end(archive));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

let world: TestMirror;
beforeAll(async () => {
  world = await createTestMirror();
});
afterAll(() => world[Symbol.dispose]());

async function throughImport(space: Omit<SpaceSpec, 'id' | 'title'>): Promise<ImportedContent> {
  const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Space', ...space }] });
  const layout = spaceLayout({ reader: readerAt(world.mirror, snapshot), space: 's1', links: keepLinks });
  const path = join(world.dataDir, 'space.zip');
  const { bytes } = await zipLayout(layout, world.mirror.objects, { path });
  archive = await readFile(path);
  expect(archive.length).toBe(bytes);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/space.zip`;
  return readImport({ url, source: 'zip', clock: systemClock(), allowedHosts: [] });
}

function outline(pages: ImportedPage[]): unknown[] {
  return pages.map((page) => ({
    title: page.title,
    type: page.type,
    path: page.path,
    body: page.body,
    pages: outline(page.pages),
  }));
}

function expected(pages: PageSpec[], above = ''): unknown[] {
  return pages.map(({ title, type = 'document', text, body, pages: below = [] }) => {
    const path = above + String(body?.['slug']);
    const isDocument = type === 'document';
    return { title, type, path, body: isDocument ? (text ?? '') : undefined, pages: expected(below, `${path}/`) };
  });
}

describe('export/import-round-trip', () => {
  it('brings back order, nesting, groups, links, fields, files and links between them', async () => {
    const text = 'See [two](/pages/p2#x), ![pic](/files/f1) and `[code](/pages/p2)`.\n\n[far](/spaces/s9/pages/p2)\n';
    const fields = {
      description: 'a: b',
      emoji: '🎉',
      icon: 'gear',
      hidden: true,
      noIndex: true,
      layout: { outline: false },
    };
    const content = await throughImport({
      pages: [
        {
          id: 'p1',
          title: '1. [One] *star* `code` <b>',
          text,
          body: { slug: 'one', ...fields, cover: { ref: { kind: 'file', file: 'f1' }, yPos: 3 } },
        },
        {
          id: 'g1',
          title: 'Group #1',
          type: 'group',
          body: { slug: 'grp' },
          pages: [{ id: 'p2', title: 'Two', text, body: { slug: 'two' } }],
        },
        { id: 'l1', title: 'Away', type: 'link', body: { slug: 'away', href: 'https://x.test/a_(b)?q=1&copy;' } },
        {
          id: 'p3',
          title: 'はじめに',
          text: null,
          body: { slug: 'はじめに' },
          pages: [{ id: 'p4', title: 'README', text: 'x', body: { slug: 'readme' } }],
        },
      ],
      files: [{ id: 'f1', name: 'my (pic).png', bytes: 'png' }],
    });
    expect(content.problems).toEqual([]);
    expect([content.imported, content.total]).toEqual([7, 7]);
    const body =
      'See [two](import:page/grp/two#x), ![pic](import:file/a1) and `[code](/pages/p2)`.\n\n[far](/spaces/s9/pages/p2)\n';
    expect(content.pages).toMatchObject([
      {
        title: '1. [One] *star* `code` <b>',
        path: 'one',
        body,
        ...fields,
        cover: { ref: { kind: 'file', file: 'import:file/a1' }, yPos: 3 },
      },
      { title: 'Group #1', type: 'group', path: 'grp', pages: [{ title: 'Two', path: 'grp/two', body }] },
      { title: 'Away', type: 'link', path: 'away', href: 'https://x.test/a_(b)?q=1&copy;' },
      {
        title: 'はじめに',
        path: 'はじめに',
        body: '',
        pages: [{ title: 'README', path: 'はじめに/readme', body: 'x' }],
      },
    ]);
    expect(content.files.map(({ name, parts }) => [name, [...parts()].join('')])).toEqual([['my (pic).png', 'png']]);
  });

  it('brings back any tree with any titles and texts', async () => {
    const title = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.constantFrom(
        '# x',
        '- a',
        '* b',
        '1. c',
        '[a](b)',
        '`',
        '``',
        '<a href="x">',
        '&amp;',
        'a\\',
        '_a_',
        '__proto__',
        '~~x~~',
        'C #',
        '![x]',
        '---',
        '> q',
        'a|b',
        'https://x.test',
        '<https://x.test>',
        'a  b',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('---\na: b\n---\n', '# Title\n\nx', '\n\nx', '```\n[a](/pages/p1)\n```', '## a\n\n* b\n  * c\n'),
    );
    const usable = (value: string): boolean =>
      value.trim() === value && value !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);
    const page = fc.record({
      title: title.filter(usable),
      text: text.filter((value) => !value.includes('\r') && !value.includes('\0')),
      depth: fc.nat({ max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { maxLength: 8 }), async (list) => {
        const pages = nest(list);
        const content = await throughImport({ pages });
        expect(outline(content.pages)).toEqual(expected(pages));
        expect([content.imported, content.total]).toEqual([list.length, list.length]);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 15_000 },
    );
  });
});

/** A list of pages with depths as a tree; a page goes at most one level deeper than the one before. */
function nest(list: readonly { title: string; text: string; depth: number }[]): PageSpec[] {
  const open: PageSpec[][] = [[]];
  for (const [index, { title, text, depth }] of list.entries()) {
    const pages: PageSpec[] = [];
    open.length = Math.min(depth + 1, open.length);
    open.at(-1)?.push({ id: `p${index}`, title, text, body: { slug: `p${index}` }, pages });
    open.push(pages);
  }
  return open[0] ?? [];
}
