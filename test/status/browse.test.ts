import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestMirror, type SpaceSpec } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

/** Where Linux shows what this process has open. */
const OPEN_FILES = '/proc/self/fd';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const RICH = `Words with **weight**, a [page](/pages/p2), [other](https://elsewhere.test/x) and [mail](mailto:a@b.test).

{% hint style="warning" %}
Careful.
{% endhint %}

{% tabs %}
{% tab title="First" %}
one
{% endtab %}
{% tab title="Second" %}
two
{% endtab %}
{% endtabs %}

| Name | Value |
|---|---:|
| a | 1 |

- [x] done
- [ ] open

\`\`\`js
if (a < b) run();
\`\`\`

$$
x^2
$$

{% embed url="https://video.test/1" %}

![Ours](/files/f1) ![Theirs](https://elsewhere.test/track.png)
`;

const SPACE: SpaceSpec = {
  id: 's1',
  title: 'Handbook',
  parent: 'c1',
  pages: [
    { id: 'p1', title: 'Rich', text: RICH, pages: [{ id: 'p3', title: 'Below', text: 'x' }] },
    { id: 'p2', title: 'Second', text: 'old words' },
  ],
  files: [
    { id: 'f1', name: 'dot.png', bytes: PNG },
    { id: 'f2', name: 'lost.bin', bytes: null },
  ],
  requests: [{ id: 'r1', number: 7, subject: 'Rewrite it', pages: [{ id: 'p2', title: 'Second', text: 'new words' }] }],
  comments: [{ id: 'k1', markdown: 'a **comment**' }],
};

const WORLD = { collections: [{ id: 'c1', title: 'Products' }], spaces: [SPACE] };

describe('status/browse', () => {
  it('says of a page that could not be read that its text is not known: that it had none', async () => {
    using test = await createTestMirror();
    const pages = [
      { id: 'p1', title: 'Unread', text: null, body: { documentId: 'd1' } },
      { id: 'p2', title: 'Empty', text: null },
    ];
    await test.add({ spaces: [{ id: 's1', title: 'Handbook', pages }] });
    const visit = visitor(test);
    expect((await visit('/browse/spaces/s1/pages/p1')).text).toContain('The text of this page could not be read.');
    expect((await visit('/browse/spaces/s1/pages/p2')).text).toContain('This page has no text.');
  });

  it('leads from organizations over collections and spaces to the pages in their order', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const visit = visitor(test);
    const home = await visit('/browse');
    expect(home.text).toMatch(/Acme[^]*Products[^]*href="\/browse\/spaces\/s1"[^>]*>Handbook/);
    const space = await visit('/browse/spaces/s1');
    expect(space.text).toMatch(/>Rich<\/a>[^]*>Below<\/a>[^]*>Second<\/a>/);
    for (const words of ['Rewrite it', '<strong>comment</strong>', 'dot.png', 'not in the mirror']) {
      expect(space.text).toContain(words);
    }
  });

  it('renders every kind of block readably', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const { text } = await visitor(test)('/browse/spaces/s1/pages/p1');
    for (const shown of [
      '<strong>weight</strong>',
      '<a href="/browse/spaces/s1/pages/p2">page</a>',
      '<a href="https://elsewhere.test/x" rel="noopener noreferrer" class="outside">other</a>',
      '<div class="hint warning" role="note">',
      '<details name="tabs-1" open><summary>First</summary>',
      '<details name="tabs-1"><summary>Second</summary>',
      '<td class="align-right">1</td>',
      'aria-label="done" checked',
      'if (a &lt; b) run();',
      '<pre class="math"><code>x^2</code></pre>',
      '<a href="https://video.test/1"',
      '<img src="/browse/spaces/s1/files/f1" alt="Ours" loading="lazy">',
      'Picture elsewhere: Theirs',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text.match(/<h1 class="title">/g)).toHaveLength(1);
  });

  it('has one heading of the first rank on each page: a page of content had that of the site, too, which is read out as a second title', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    await test.add({ ...WORLD, spaces: [{ ...SPACE, pages: [{ id: 'p1', title: 'Rich', text: 'all new' }] }] });
    const visit = visitor(test);
    const waiting = ['/', '/report', '/login', '/nothing', '/browse/nothing', '/browse/search?q=new'];
    const ranks = new Map<string, number>();
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (ranks.has(path) || path.includes('at=')) continue;
      const { text, headers } = await visit(path);
      if (headers.get('content-type')?.startsWith('text/html') !== true) continue;
      ranks.set(path, text.match(/<h1[ >]/g)?.length ?? 0);
      for (const [, href = ''] of text.matchAll(/href="(\/[^"#]*)/g)) waiting.push(href.replaceAll('&amp;', '&'));
    }
    expect([...ranks].filter(([, ones]) => ones !== 1)).toEqual([]);
    expect([...ranks.keys()]).toEqual(
      expect.arrayContaining(['/browse/spaces/s1/pages/p1', '/browse/spaces/s1/change-requests/r1']),
    );
  });

  it('shows a page as it stood at any snapshot, and its links stay there', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    await test.add({ ...WORLD, spaces: [{ ...SPACE, pages: [{ id: 'p1', title: 'Rich', text: 'all new' }] }] });
    const visit = visitor(test);
    const now = await visit('/browse/spaces/s1/pages/p1');
    expect(now.text).toContain('all new');
    expect(now.text.match(/since snapshot \d<\/a>, [^<]*\(shown\)/g)).toEqual([
      expect.stringMatching(/^since snapshot 2/) as string,
    ]);
    const old = await visit('/browse/spaces/s1/pages/p1?at=1');
    expect(old.text).toContain('<strong>weight</strong>');
    expect(old.text).toContain('href="/browse/spaces/s1/pages/p2?at=1"');
    expect(old.text).toContain('src="/browse/spaces/s1/files/f1?at=1"');
    const gone = await visit('/browse/spaces/s1/pages/p2');
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('It was there at snapshot 1')]);
  });

  it('shows what changed between two snapshots by space, down to the lines of a page', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    await test.add({ ...WORLD, spaces: [{ ...SPACE, pages: [{ id: 'p2', title: 'Second', text: 'other words' }] }] });
    const visit = visitor(test);
    const changes = await visit('/browse/changes?from=1&to=2');
    expect(changes.text).toMatch(/Handbook<\/a>: \d/);
    expect(changes.text).toMatch(/removed<\/td>\s*<td>page<\/td>[^]*?>Rich</);
    const detail = await visit('/browse/changes/detail?from=1&to=2&kind=page&key=s1%2Fp2');
    expect(detail.text).toContain('<div class="minus">-old words</div>');
    expect(detail.text).toContain('<div class="plus">+other words</div>');
    expect((await visit('/browse/changes')).text).toContain('Changes from snapshot 1 to 2');
  });

  it('says that a space is gone by its name, and does not bury the rest under what was in it', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    await test.add({ ...WORLD, spaces: [] });
    const visit = visitor(test);
    const { text } = await visit('/browse/changes?from=1&to=2');
    expect(text).toMatch(/Space Handbook: <span class="bad">removed<\/span>/);
    expect(text).toMatch(/With [^.]*\b\d+ pages\b/);
    expect(text).not.toMatch(/<td>page<\/td>/);
    expect((await visit('/browse/changes?from=1&to=2&space=s1')).text).toMatch(/removed<\/td>\s*<td>page<\/td>/);
  });

  it.runIf(existsSync(OPEN_FILES))('leaves no file open that is asked for without its bytes', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const visit = visitor(test);
    const open = (): string[] =>
      readdirSync(OPEN_FILES).flatMap((name) => {
        const link = join(OPEN_FILES, name);
        const target = existsSync(link) ? readlinkSync(link) : '';
        return target.startsWith(join(test.dataDir, 'objects')) ? [target] : [];
      });
    const head = await visit('/browse/spaces/s1/files/f1', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
    expect(open()).toEqual([]);
  });

  it('shows a picture that a text names by the address that the platform gave it out at, whatever its signature', async () => {
    using test = await createTestMirror();
    const address = 'https://files.test/raw/dot.png';
    const files = [{ id: 'f1', name: 'dot.png', bytes: PNG, body: { downloadURL: `${address}?token=1` } }];
    const text = `![a](${address}?token=2) ![b](https://files.test/raw/other.png)`;
    await test.add({ spaces: [{ id: 's1', title: 'S', files, pages: [{ id: 'p9', title: 'P', text }] }] });
    const page = await visitor(test)('/browse/spaces/s1/pages/p9');
    expect(page.text).toContain('<img src="/browse/spaces/s1/files/f1" alt="a"');
    expect(page.text).toContain('Picture elsewhere: b');
  });

  it('unfolds beside a page only what leads to it, where a space has very many', async () => {
    using test = await createTestMirror();
    const pages = Array.from({ length: 30 }, (_, nth) => ({
      id: `a${nth}`,
      title: `Part ${nth}`,
      text: 'x',
      pages: Array.from({ length: 20 }, (__, below) => ({
        id: `a${nth}-${below}`,
        title: `Page ${nth}.${below}.`,
        text: 'x',
      })),
    }));
    await test.add({ spaces: [{ id: 's1', title: 'Large', pages }] });
    const { text } = await visitor(test)('/browse/spaces/s1/pages/a7-3');
    expect(text).toContain('Page 7.19.');
    expect(text).not.toContain('Page 8.19.');
    expect(text).toContain('Part 8');
    expect((await visitor(test)('/browse/spaces/s1')).text).toContain('Page 8.19.');
  });

  it('shows what a change request would change', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const { text } = await visitor(test)('/browse/spaces/s1/change-requests/r1');
    expect(text).toContain('#7 Rewrite it');
    expect(text).toMatch(/changed<\/span>\s*<a href="\/browse\/spaces\/s1\/pages\/p2">Second</);
  });

  it('finds words, marks them and leads to the page', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const { text } = await visitor(test)('/browse/search?q=old+wor');
    expect(text).toContain('href="/browse/spaces/s1/pages/p2"');
    expect(text).toContain('<mark>old</mark> <mark>words</mark>');
    expect((await visitor(test)('/browse/search?q=%22+OR+*')).status).toBe(200);
    expect((await visitor(test)('/browse/search?q=absent')).text).toContain('Nothing has these words');
  });

  it('says where more pages have the words than it shows: the thirty that it showed passed for all', async () => {
    using test = await createTestMirror();
    const pagesOf = (number: number) =>
      Array.from({ length: number }, (_, at) => ({ id: `p${at}`, title: `Page ${at}`, text: 'find me' }));
    const asked = async (): Promise<readonly [hits: number, isMoreTold: boolean]> => {
      const { text } = await visitor(test)('/browse/search?q=find');
      return [text.match(/<mark>/g)?.length ?? 0, text.includes('more have these words')];
    };
    await test.add({ spaces: [{ id: 's1', title: 'Docs', pages: pagesOf(30) }] });
    expect(await asked()).toEqual([30, false]);
    await test.add({ spaces: [{ id: 's1', title: 'Docs', pages: pagesOf(31) }] });
    expect(await asked()).toEqual([30, true]);
  });

  it('names a page without a title by its id, in what was found as in the tree: there was nothing to click', async () => {
    using test = await createTestMirror();
    await test.add({ spaces: [{ id: 's1', title: '', pages: [{ id: 'p9', title: '', text: 'find me' }] }] });
    const visit = visitor(test);
    for (const path of ['/browse/search?q=find', '/browse/spaces/s1'])
      expect((await visit(path)).text).toContain('<a href="/browse/spaces/s1/pages/p9">p9</a>');
    expect((await visit('/browse/spaces/s1/pages/p9')).text).toContain('<summary>s1</summary>');
  });

  it.each([
    '/browse/spaces/none',
    '/browse/spaces/s1/pages/none',
    '/browse/spaces/s1/files/none',
    '/browse/spaces/s1/files/f2',
    '/browse/spaces/s1/change-requests/none',
    '/browse/changes/detail?kind=page&key=none',
    '/browse/changes/detail?kind=nonsense&key=x',
    '/browse?at=99',
    '/browse?at=nonsense',
    '/browse/changes?from=7',
  ])('answers 404 with a way back: %s', async (path) => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const { status, text } = await visitor(test)(path);
    expect([status, text]).toEqual([404, expect.stringContaining('href="/browse"')]);
  });

  it('tells that there is no snapshot yet, and leads to the status: it led back to itself', async () => {
    using test = await createTestMirror();
    for (const path of ['/browse', '/browse/search?q=x', '/browse/changes?from=1&to=2']) {
      const { status, text } = await visitor(test)(path);
      expect([status, text]).toEqual([404, expect.stringContaining('<code>docmirror sync</code>')]);
      expect(text.slice(text.indexOf('<main>'))).toContain('<a href="/">');
      expect(text.slice(text.indexOf('<main>'))).not.toContain('href="/browse"');
    }
  });

  it('shows a command that an error names as code: it stood between backticks, as on a terminal', async () => {
    using test = await createTestMirror();
    await test.add(WORLD);
    const visit = visitor(test);
    const { text } = await visit('/browse?at=99');
    expect(text).toContain('that <code>docmirror snapshots</code> lists');
    expect(text.slice(text.indexOf('<body'))).not.toContain('`');
    expect((await visit('/browse?at=%60')).text).toContain('No snapshot &quot;`&quot;');
  });
});
