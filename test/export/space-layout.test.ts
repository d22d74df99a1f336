import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sha256 } from '../../src/base/index.ts';
import { keepLinks, spaceLayout, type LayoutFile, type SpaceLayoutInput } from '../../src/export/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { createTestMirror, type PageSpec, type SpaceSpec } from '../support/mirror-builder.ts';

type Options = Partial<Omit<SpaceLayoutInput, 'reader'>>;

async function layOut(space: Partial<SpaceSpec>, options: Options = {}): Promise<LayoutFile[]> {
  using world = await createTestMirror();
  const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Space', ...space }] });
  const layout = spaceLayout({ reader: readerAt(world.mirror, snapshot), space: 's1', links: keepLinks, ...options });
  const files = [...layout.files];
  expect(files.filter(({ path }) => path.endsWith('.md'))).toHaveLength(layout.documents + 1);
  expect(files.filter((file) => 'object' in file)).toHaveLength(layout.assets);
  return files;
}

async function texts(pages: PageSpec[], options?: Options): Promise<Record<string, string>> {
  const files = await layOut({ pages }, options);
  return Object.fromEntries(files.flatMap((file) => ('text' in file ? [[file.path, file.text]] : [])));
}

describe('export/layout/space-layout', () => {
  it('writes the table of contents with groups, nesting, links and the pages after a group', async () => {
    const files = await texts([
      { id: 'p1', title: 'Welcome', body: { slug: 'welcome' } },
      {
        id: 'g1',
        title: 'Basics & more',
        type: 'group',
        body: { slug: 'basics' },
        pages: [
          {
            id: 'p2',
            title: 'Install *it*',
            body: { slug: 'install' },
            pages: [{ id: 'p3', title: 'On a Mac', body: { slug: 'mac' } }],
          },
          { id: 'l1', title: 'Site', type: 'link', body: { href: 'https://example.org/a_(b)' } },
          { id: 'l2', title: 'A &amp; B', type: 'link', body: { href: 'https://example.org/?x=1&y=2&lt;' } },
        ],
      },
      { id: 'p4', title: 'End', body: { slug: 'end' } },
    ]);
    expect(files['SUMMARY.md']).toBe(`# Table of contents

* [Welcome](welcome.md)

## Basics & more <a href="#basics" id="basics"></a>

* [Install \\*it\\*](basics/install.md)
  * [On a Mac](basics/install/mac.md)
* [Site](https://example.org/a_\\(b\\))
* [A \\&amp; B](https://example.org/?x=1&y=2\\&lt;)

---

* [End](end.md)
`);
    expect(Object.keys(files)).toEqual([
      'SUMMARY.md',
      'welcome.md',
      'basics/install.md',
      'basics/install/mac.md',
      'end.md',
    ]);
  });

  it.each([
    ['Reference', 'reference', '## Reference'],
    ['API v2 basics', 'api-v2-basics', '## API v2 basics'],
    ['Reference', 'ref', '## Reference <a href="#ref" id="ref"></a>'],
    ['Références', 'références', '## Références <a href="#références" id="références"></a>'],
    ['A - B', 'a-b', '## A - B <a href="#a-b" id="a-b"></a>'],
  ])(
    'names the slug of the group %s only where its title does not tell it: an import that knows no anchors took it for the title',
    async (title, slug, heading) => {
      const files = await texts([{ id: 'g', title, type: 'group', body: { slug }, pages: [{ id: 'p', title: 'P' }] }]);
      expect(files['SUMMARY.md']?.split('\n')).toContain(heading);
    },
  );

  it('writes front matter with what is set, the title once, and the body as it is', async () => {
    const body = {
      slug: 'Über',
      description: 'key: "value" # no',
      icon: 'gear',
      emoji: '🎉',
      hidden: true,
      noIndex: false,
      layout: { cover: true, coverSize: 'hero', outline: false, width: 'wide' },
    };
    const files = await texts([{ id: 'p1', title: 'Title', text: 'Body  \n\n# Title\n\nno end of line', body }]);
    expect(files['Über.md']).toBe(`---
description: 'key: "value" # no'
icon: gear
emoji: 🎉
slug: Über
hidden: true
noIndex: false
layout:
  cover:
    visible: true
    size: hero
  outline:
    visible: false
  width: wide
---

# Title

Body  \n\n# Title\n\nno end of line`);
  });

  it.each(['One\nTwo', 'One\r\n\r\nTwo', 'One\n# Two', ' One ', 'One\u2028', 'One\n', 'One \ud83d'])(
    'writes a title of several lines, with space around, or with half a character, once: %j',
    async (title) => {
      const files = await texts([{ id: 'p1', title, text: 'Body.', body: { slug: 'page' } }]);
      const [, text = ''] = Object.entries(files).find(([path]) => path === 'page.md') ?? [];
      const line = title
        .toWellFormed()
        .replaceAll(/[\r\n\u2028]+/g, ' ')
        .trim();
      expect(text.slice(text.indexOf('# ', text.lastIndexOf('---')))).toBe(`# ${line}\n\nBody.`);
      expect(text).toContain('title: ');
    },
  );

  it.each(['Use *args', 'snake_case', 'A <b> tag', 'AT&amp;T', 'See [x]', 'Sharp #', 'C:\\\\temp'])(
    'says a title beside its heading, where reading that as Markdown would lose signs: %s',
    async (title) => {
      const files = await texts([{ id: 'p1', title, text: 'Body.', body: { slug: 'page' } }]);
      const [, head = '', text] = (files['page.md'] ?? '').split('---\n');
      expect(parse(head)).toEqual({ title });
      expect(text).toBe(`\n# ${title}\n\nBody.`);
    },
  );

  it.each(['Terms & Conditions', 'Q&A', 'C#', 'What is new in 2.0? (part 1)', "It's - well, so"])(
    'says a plain title once: %s',
    async (title) => {
      const files = await texts([{ id: 'p1', title, text: 'Body.', body: { slug: 'page' } }]);
      expect(files['page.md']).toBe(`# ${title}\n\nBody.`);
    },
  );

  it('leaves a text that begins with a rule a text, where no title stands above it: it was taken for front matter', async () => {
    const text = '---\nhidden: true\n---\n\nText';
    const files = await texts([{ id: 'p1', title: '', text, body: { slug: 'page' } }]);
    expect(files['page.md']).toBe(`---\ntitle: ""\n---\n\n${text}`);
  });

  it('writes an empty page as its title alone', async () => {
    expect((await texts([{ id: 'p1', title: 'Empty', text: null }]))['empty.md']).toBe('# Empty\n');
  });

  it('exports computed pages and pages of unknown types as documents', async () => {
    const files = await texts([
      { id: 'p1', title: 'Made', type: 'computed', text: 'list' },
      { id: 'p2', title: 'New', type: 'canvas', text: 'x' },
    ]);
    expect(files['made.md']).toBe('# Made\n\nlist');
    expect(files['new.md']).toBe('# New\n\nx');
  });

  it('gives pages names that stay inside and never meet', async () => {
    const titles = [
      'README',
      'Index',
      'SUMMARY',
      'assets',
      '../../etc/passwd',
      'A',
      'a',
      'CON',
      '日本語',
      '',
      'x'.repeat(200),
      'a.md',
    ];
    const pages = titles.map((title, index) => ({
      id: `p${index}`,
      title,
      pages: [{ id: `c${index}`, title: 'Child' }],
    }));
    const paths = Object.keys(await texts(pages));
    expect(paths).toHaveLength(2 * titles.length + 1);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    // Nor does the file of one stand where another needs its folder.
    const folded = paths.map((path) => path.toLowerCase());
    expect(folded.filter((path) => folded.some((other) => other.startsWith(`${path}/`)))).toEqual([]);
    expect(paths).toContain('日本語.md');
    expect(paths.filter((path) => /(^|\/)(\.\.?|readme\.md|index\.md|con\.md|assets\.md)(\/|$)/i.test(path))).toEqual(
      [],
    );
  });

  it('bounds the paths of a deep tree', async () => {
    let page: PageSpec = { id: 'p0', title: 'Deep' };
    for (let depth = 1; depth < 40; depth++)
      page = { id: `p${depth}`, title: `${'long '.repeat(6)}${depth}`, pages: [page] };
    const paths = Object.keys(await texts([page]));
    expect(paths).toHaveLength(41);
    expect(Math.max(...paths.map((path) => path.length))).toBeLessThan(300);
  });

  it('points links at files, from where each page lies, and leaves the others', async () => {
    const text =
      '[a](/pages/p2#x) [self](/spaces/s1/pages/p1) ![i](/files/f1) [gone](/pages/p9) [o](/spaces/s2/pages/p1) [nofile](/files/f2)';
    const files = await layOut({
      pages: [{ id: 'p1', title: 'One', text, pages: [{ id: 'p2', title: 'Two', text }] }],
      files: [
        { id: 'f1', name: 'my pic.png', bytes: 'png' },
        { id: 'f2', name: 'lost.png', bytes: null },
      ],
    });
    const tail = '[gone](/pages/p9) [o](/spaces/s2/pages/p1) [nofile](/files/f2)';
    expect(files.slice(1)).toEqual([
      { path: 'one.md', text: `# One\n\n[a](one/two.md#x) [self](one.md) ![i](assets/my%20pic.png) ${tail}` },
      { path: 'one/two.md', text: `# Two\n\n[a](two.md#x) [self](../one.md) ![i](../assets/my%20pic.png) ${tail}` },
      { path: 'assets/my pic.png', object: sha256('png'), size: 3 },
    ]);
  });

  it('asks the resolver about links that lead out', async () => {
    const text = '[o](/spaces/s2/pages/p1#a) [p](/pages/p9) [f](/files/f9) [s](/spaces/s2#b)';
    const links = {
      page: (space: string | null, page: string, from: string) => `/${space ?? 'own'}/${page}/${from}`,
      file: (file: string) => `/new/${file}`,
      space: (space: string) => `/other/${space}`,
    };
    const files = await texts([{ id: 'p1', title: 'One', text }], { links });
    expect(files['one.md']).toBe('# One\n\n[o](/s2/p1/one.md#a) [p](/own/p9/one.md) [f](/new/f9) [s](/other/s2#b)');
  });

  it('keeps the path of a page whatever else is selected', async () => {
    const pages = [
      { id: 'p1', title: 'Same', text: 'first', pages: [{ id: 'p3', title: 'Below', text: '[up](/pages/p1)' }] },
      { id: 'p2', title: 'Same', text: 'second' },
    ];
    const all = await texts(pages);
    const some = await texts(pages, { only: ({ id }) => id !== 'p1' });
    expect(Object.keys(some)).toEqual(Object.keys(all).filter((path) => path !== 'same.md'));
    expect(some['same/below.md']).toBe('# Below\n\n[up](/pages/p1)');
    expect(some['SUMMARY.md']).toMatch(/^\* \[Below\]\(same\/below.md\)\n\* \[Same\]\(same-[0-9a-f]{8}.md\)$/m);
  });

  it('keeps the group of a page that is selected: a restore of it alone brought it back outside of its group', async () => {
    const pages = [
      { id: 'g1', title: 'Basics', type: 'group', pages: [{ id: 'p1', title: 'One' }] },
      { id: 'g2', title: 'More', type: 'group', pages: [{ id: 'p2', title: 'Two' }] },
    ];
    const { 'SUMMARY.md': summary } = await texts(pages, { only: ({ id }) => id === 'p1' });
    expect(summary).toBe('# Table of contents\n\n## Basics\n\n* [One](basics/one.md)\n');
  });

  it('gives attached files one name each and none that reads back as a page', async () => {
    const files = await layOut({
      files: [
        { id: 'f1', name: 'a.png', bytes: '1' },
        { id: 'f2', name: 'A.PNG', bytes: '2' },
        { id: 'f3', name: 'notes.md', bytes: '3' },
        { id: 'f4', name: '../../x', bytes: '4' },
      ],
    });
    expect(files.slice(1).map(({ path }) => path)).toEqual([
      'assets/a.png',
      expect.stringMatching(/^assets\/A-[0-9a-f]{8}\.PNG$/),
      'assets/notes.md.txt',
      'assets/-..-x',
    ]);
  });

  it('takes the text of a page that a change request did not touch from the space', async () => {
    using world = await createTestMirror();
    const pages = [{ id: 'p1', title: 'One', text: 'main', body: { documentId: 'd1' } }];
    const requests = [
      {
        id: 'c1',
        number: 1,
        subject: 'x',
        pages: [{ id: 'p1', title: 'One', text: null, body: { documentId: 'd1' } }],
      },
    ];
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Space', pages, requests }] });
    const reader = readerAt(world.mirror, snapshot);
    const layout = spaceLayout({ reader, space: 's1', changeRequest: 'c1', links: keepLinks });
    expect([...layout.files].at(-1)).toEqual({ path: 'one.md', text: '# One\n\nmain' });
  });

  it('loses no page whose parent is not there or is below itself', async () => {
    using world = await createTestMirror();
    const below = [{ id: 'p2', title: 'Two', pages: [{ id: 'p3', title: 'Three' }] }];
    const snapshot = await world.add({
      spaces: [{ id: 's1', title: 'Space', pages: [{ id: 'p1', title: 'One', pages: below }] }],
    });
    world.mirror.store
      .prepare(
        `update versions set parent = (select rid from resources where id = 'p2') where rid = (select rid from resources where id = 'p1')`,
      )
      .run();
    const layout = spaceLayout({ reader: readerAt(world.mirror, snapshot), space: 's1', links: keepLinks });
    expect([...layout.files].map(({ path }) => path)).toEqual(['SUMMARY.md', 'one.md', 'two.md', 'two/three.md']);
  });

  it('lists a page at the root whose parent is gone: the table of contents had it no more', async () => {
    using world = await createTestMirror();
    const pages = [{ id: 'p1', title: 'One', pages: [{ id: 'p2', title: 'Two' }] }];
    await world.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
    world.mirror.store
      .prepare(`update versions set valid_to = ? where rid = (select rid from resources where id = 'p1')`)
      .run(snapshot);
    const reader = readerAt(world.mirror, snapshot);
    const layout = spaceLayout({ reader, space: 's1', links: keepLinks, keepNames: true });
    expect([...layout.files].map(({ path }) => path)).toEqual(['SUMMARY.md', 'two.md']);
    expect(layout.summary()).toContain('* [Two](two.md)');
  });

  it('is the same whether texts are read with the names or later, and when it is read again', async () => {
    using world = await createTestMirror();
    // More than are held.
    const pages = Array.from({ length: 40 }, (_, nth) => ({
      id: `p${nth}`,
      title: `${nth}`,
      text: `${nth} `.repeat(30_000),
    }));
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
    const input = { reader: readerAt(world.mirror, snapshot), space: 's1', links: keepLinks };
    const later = [...spaceLayout(input).files];
    const eager = spaceLayout({ ...input, eager: true });
    expect([...eager.files]).toEqual(later);
    expect([...eager.files]).toEqual(later);
  });
});
