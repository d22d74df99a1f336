import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ZipFile } from 'yazl';
import { manualClock, systemClock } from '../../src/base/index.ts';
import { ImportRefused, readImport, type ImportRequest } from '../../src/platform/import/index.ts';
import type { ImportedContent, ImportedPage } from '../../src/platform/content/imported-content.ts';
import { packZip } from '../../src/platform/import/pack.ts';
import { serve } from '../support/served.ts';

function serveBytes(bytes: Buffer | string): Promise<string> {
  return serve((_request, response) => void response.end(bytes));
}

async function readFrom(url: string, options: Partial<ImportRequest> = {}): Promise<ImportedContent> {
  return readImport({ url, source: 'zip', clock: systemClock(), allowedHosts: [], ...options });
}

async function readZip(
  files: Record<string, string | Buffer>,
  options?: Partial<ImportRequest>,
): Promise<ImportedContent> {
  return readFrom(await serveBytes(await packZip(Object.entries(files))), options);
}

async function readMarkdown(text: string, path: string): Promise<ImportedContent> {
  return readFrom((await serveBytes(text)) + path, { source: 'markdown' });
}

function allPages(pages: ImportedPage[]): ImportedPage[] {
  return pages.flatMap((page) => [page, ...allPages(page.pages)]);
}

/** The tree as lines: two spaces for each level, path and title. */
function outline(pages: ImportedPage[], indent = ''): string[] {
  return pages.flatMap((page) => [
    `${indent}${page.type} ${page.path} = ${page.title}`,
    ...outline(page.pages, `${indent}  `),
  ]);
}

const SUMMARY = `# Table of contents

* [Welcome](README.md)

## Basics <a href="#start" id="start"></a>

* [Install *it*](guide/install.md)
  * [On a Mac](guide/mac.md "Mac")
* [Site](https://example.test/ä?x=1)
* Later

***

* [Last](last.md)
`;

describe('platform/import zip', () => {
  it('puts what the table of contents has below a link beside it: nothing stands below a link, and such pages were counted and lost', async () => {
    const content = await readZip({ 'SUMMARY.md': '* [Site](https://example.test)\n  * [B](b.md)\n', 'b.md': 'x' });
    expect(outline(content.pages)).toEqual(['link site = Site', 'document b = B']);
  });

  it('follows the table of contents: groups, nesting, links, pages without text, and the root again after a rule', async () => {
    const content = await readZip({
      'SUMMARY.md': SUMMARY,
      'README.md': '# Welcome\n\nHello\n',
      'guide/install.md': 'Run it',
      'guide/mac.md': 'x',
      'guide/extra.md': '# Extra\n',
      'last.md': 'x',
    });
    expect(outline(content.pages)).toEqual([
      'document welcome = Welcome',
      'group start = Basics',
      '  document start/install = Install it',
      '    document start/install/mac = On a Mac',
      '  link start/site = Site',
      '  document start/later = Later',
      'document last = Last',
      'document guide = Guide',
      '  document guide/extra = Extra',
    ]);
    expect(content.pages[1]?.pages[1]?.href).toBe('https://example.test/ä?x=1');
    expect([content.imported, content.total, content.problems]).toEqual([9, 9, []]);
  });

  it('gives a page the address that it names though a link of that title stands before it: it got another one, and no drill of such a space passed', async () => {
    const { pages } = await readZip({
      'SUMMARY.md':
        '* [Dog](https://example.com)\n* [Dog](https://example.com/other)\n* [Dog](dog.md)\n* [Ant](ant.md)\n',
      'dog.md': 'Bark.',
      'ant.md': '---\nslug: dog-2\n---\n\nNone.',
    });
    expect(outline(pages)).toEqual([
      'link dog-3 = Dog',
      'link dog-4 = Dog',
      'document dog = Dog',
      'document dog-2 = Ant',
    ]);
  });

  it('finds the table of contents in the one top folder', async () => {
    const content = await readZip({
      'repo/SUMMARY.md': '* [A](a/b.md)',
      'repo/a/b.md': '[up](/c.md)',
      'repo/c.md': '',
    });
    expect(outline(content.pages)).toEqual(['document b = A', 'document c = C']);
    expect(content.pages[0]?.body).toBe('[up](import:page/c)');
  });

  it('imports a file once and counts a line that leads nowhere as not imported', async () => {
    const content = await readZip({ 'SUMMARY.md': '* [A](a.md)\n* [B](a.md)\n* [C](gone.md)\n', 'a.md': 'x' });
    expect(outline(content.pages)).toEqual(['document a = A']);
    expect([content.imported, content.total]).toEqual([1, 2]);
    expect(content.problems).toEqual([expect.objectContaining({ resource: 'gone.md' })]);
  });

  it('takes folders as the tree when there is no table of contents', async () => {
    const content = await readZip({
      'README.md': '# My project\n',
      'docs/b.md': '---\ntitle: Bee\n---\n',
      'docs/a.md': 'no heading',
      'docs/sub-part/README.md': '# Sub\n',
      'docs/sub-part/x.md': '# X\n',
    });
    expect(outline(content.pages)).toEqual([
      'document my-project = My project',
      'document docs = Docs',
      '  document docs/a = A',
      '  document docs/b = Bee',
      '  document docs/sub-part = Sub',
      '    document docs/sub-part/x = X',
    ]);
  });

  it('reads front matter, in the form of the API and in that of repositories', async () => {
    const head = [
      'title: T',
      'slug: My.Slug',
      'description: D',
      'icon: bolt',
      'emoji: 🚀',
      'hidden: true',
      'noIndex: true',
      'noRobotsIndex: false',
      'layout: {title: {visible: false}, outline: true}',
      'cover: img/c.png',
      'coverY: 12',
    ];
    const content = await readZip({ 'a.md': `---\n${head.join('\n')}\n---\n\n# T\n\nBody`, 'img/c.png': 'png' });
    expect(content.pages[0]).toEqual({
      type: 'document',
      title: 'T',
      slug: 'My.Slug',
      path: 'My.Slug',
      description: 'D',
      icon: 'bolt',
      emoji: '🚀',
      hidden: true,
      noIndex: true,
      noRobotsIndex: false,
      layout: { title: false, outline: true },
      cover: { ref: { kind: 'file', file: 'import:file/a1' }, yPos: 12 },
      body: 'Body',
      pages: [],
    });
  });

  it.each([
    ['---\n---\ntext', 'text'],
    ['---\n\ntext\n\n---\nmore', '---\n\ntext\n\n---\nmore'],
    ['---\nopen: end', '---\nopen: end'],
  ])('tells front matter from rules: %j', async (text, body) => {
    expect((await readZip({ 'a.md': text })).pages[0]?.body).toBe(body);
  });

  it('brings any title and any text back that a table of contents and a heading hold', async () => {
    const line = fc.stringMatching(/^[ -~äß日🚀]{1,30}$/u).map((text) => text.trim());
    const title = line.filter((text) => text !== '');
    const body = fc.array(fc.oneof(line, fc.constantFrom('', '---', '# x', '    code')), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(title, body, async (shown, lines) => {
        const escaped = shown.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
        const text = lines.join('\n');
        const content = await readZip({ 'SUMMARY.md': `* [${escaped}](<a.md>)`, 'a.md': `# ${shown}\n\n${text}` });
        expect(content.pages[0]).toMatchObject({ title: shown, body: text });
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the text of a page whose front matter is broken and says so', async () => {
    const content = await readZip({ 'a.md': '---\ntitle: [\n---\n# Real\n\nText' });
    expect(content.pages[0]).toMatchObject({ title: 'Real', body: 'Text' });
    expect(content.problems).toEqual([{ resource: 'a.md', reason: expect.stringContaining('front matter') }]);
    expect(content.imported).toBe(1);
  });

  it.each([
    ['A leading heading that is the title', '# A\n\ntext\n', 'text\n'],
    ['only one blank line after it', '# A\n\n\ntext', '\ntext'],
    ['a heading underlined with =', 'A\n=\ntext', 'text'],
    ['a heading with markup', '# *A*\n\ntext', 'text'],
    ['not a heading that says something else', '# B\n\ntext', '# B\n\ntext'],
    ['not a heading further down', 'text\n\n# A\n', 'text\n\n# A\n'],
    ['nothing from an empty page', '', ''],
    ['carriage returns', '# A\r\n\r\none\r\ntwo\r', 'one\ntwo\n'],
  ])('takes off the body: %s', async (_name, text, body) => {
    const content = await readZip({ 'SUMMARY.md': '* [A](x.md)', 'x.md': text });
    expect(content.pages[0]?.body).toBe(body);
  });

  it('points links at the imported pages and files and brings the files along', async () => {
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    const content = await readZip({
      'docs/a.md': '[b](../other/b%20c.md#x) ![i](../pic) [gone](gone.md) [dir](../other/) `[b](../other/b c.md)`',
      'other/b c.md': '[a](/docs/a.md)',
      pic: png,
      '.platform/assets/logo.svg': '<svg/>',
      'unused.bin': 'x',
    });
    const [docs, other] = content.pages;
    expect(docs?.pages[0]?.body).toBe(
      '[b](import:page/other/b-c#x) ![i](import:file/a2) [gone](gone.md) [dir](import:page/other) `[b](../other/b c.md)`',
    );
    expect(other?.pages[0]?.body).toBe('[a](import:page/docs/a)');
    expect(content.files.map(({ key, name, contentType }) => [key, name, contentType])).toEqual([
      ['a1', 'logo.svg', 'image/svg+xml'],
      ['a2', 'pic', 'image/png'],
    ]);
    expect([...(content.files[1]?.parts() ?? [])]).toEqual([png]);
    expect([content.imported, content.total]).toEqual([6, 6]);
  });

  it('keeps letters of every script in a slug', async () => {
    const content = await readZip({ '日本語 ガイド.md': 'x', '!!!.md': 'y', 'Ünï-Cödé.md': 'z' });
    expect(content.pages.map(({ slug }) => slug).sort()).toEqual(['page', 'ünï-cödé', '日本語-ガイド']);
  });

  it('gives every page a path of its own, whatever the titles are', async () => {
    const title = fc.constantFrom('A', 'a', 'a!', '!', '?', '日本', 'README', 'a 2', 'a-2');
    const lines = fc.array(fc.tuple(title, fc.nat(2)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, async (entries) => {
        let depth = 0;
        const summary = entries.map(([text, level]) => {
          depth = Math.min(level, depth + 1);
          return `${'  '.repeat(depth)}* ${text}`;
        });
        const pages = allPages((await readZip({ 'SUMMARY.md': summary.join('\n') })).pages);
        expect(pages.every(({ slug }) => slug !== '' && !slug.includes('/'))).toBe(true);
        expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
        expect(pages.length).toBe(entries.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('platform/import zip that cannot be trusted', () => {
  /** Changes the names in an archive; both have the same length. */
  function renamed(zip: Buffer, from: string, to: string): Buffer {
    return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
  }

  it.each(['../../ev.md', '/abs/ev.md', 'C:/abc/e.md', '..\\..\\ev.md', 'abc//ev.md', 'abc/./e.md'])(
    'leaves out an entry named %s and counts it as not imported',
    async (name) => {
      const plain = 'nnnnnnnnnn.md'.slice(-name.length).padStart(name.length, 'n');
      const zip = renamed(
        await packZip([
          ['ok.md', 'fine'],
          [plain, 'evil'],
        ]),
        plain,
        name,
      );
      const content = await readFrom(await serveBytes(zip));
      expect(outline(content.pages)).toEqual(['document ok = Ok']);
      expect([content.imported, content.total]).toEqual([1, 2]);
      expect(content.problems).toHaveLength(1);
    },
  );

  it('leaves out symbolic links', async () => {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('/etc/passwd'), 'link.md', { mode: 0o120777 });
    zip.addBuffer(Buffer.from('x'), 'ok.md');
    zip.end();
    const chunks: Buffer[] = [];
    for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
    const content = await readFrom(await serveBytes(Buffer.concat(chunks)));
    expect(outline(content.pages)).toEqual(['document ok = Ok']);
    expect([content.imported, content.total]).toEqual([1, 2]);
  });

  it('keeps the rest when one entry is damaged', async () => {
    const zip = await packZip([
      ['bad.md', 'mmmm'.repeat(100)],
      ['ok.md', 'x'],
    ]);
    const data = zip.indexOf('bad.md') + 'bad.md'.length;
    zip.fill(0xff, data, data + 6);
    const content = await readFrom(await serveBytes(zip));
    expect(outline(content.pages)).toEqual(['document ok = Ok']);
    expect([content.imported, content.total]).toEqual([1, 2]);
  });

  it('refuses an archive that unpacks to far more than it packs', async () => {
    const bomb = readZip({ 'a.md': Buffer.alloc(17 * 1024 * 1024, 'a') });
    await expect(bomb).rejects.toThrow(/times its packed size; at most 200/);
    await expect(bomb).rejects.toMatchObject({ status: 400 });
  });

  it('refuses too many entries, too much text and what is no archive', async () => {
    const files = { 'a.md': 'x'.repeat(100), 'b.md': 'y' };
    await expect(readZip(files, { limits: { entries: 1 } })).rejects.toThrow(/2 entries; at most 1/);
    await expect(readZip(files, { limits: { unpackedBytes: 50 } })).rejects.toThrow(/unpacked bytes; at most 50/);
    await expect(readFrom(await serveBytes('<html>'))).rejects.toThrow(ImportRefused);
  });
});

describe('platform/import markdown', () => {
  it('makes one page named after the address', async () => {
    const content = await readMarkdown('# Hello\n\nWorld\n', '/docs/Getting%20Started.md?x=1');
    expect(content).toEqual({
      [Symbol.dispose]: expect.any(Function) as unknown,
      pages: [
        {
          type: 'document',
          title: 'Hello',
          slug: 'getting-started',
          path: 'getting-started',
          body: 'World\n',
          pages: [],
        },
      ],
      files: [],
      reusableContents: [],
      imported: 1,
      total: 1,
      problems: [],
    });
  });

  it('takes the title from the address when the text has none', async () => {
    const content = await readMarkdown('World', '/getting-started.md');
    expect(content.pages[0]).toMatchObject({ title: 'Getting started', body: 'World' });
  });
});

describe('platform/import fetch', () => {
  it.each(['notion', 'confluence', 'nonsense'])('refuses the source %s and names those supported', async (source) => {
    await expect(readFrom('http://127.0.0.1:9/', { source })).rejects.toThrow(
      /supported are zip, markdown, html, docx, website/,
    );
  });

  it.each(['ftp://127.0.0.1/a', 'file:///etc/passwd', 'nothing'])('refuses the address %s', async (url) => {
    await expect(readFrom(url)).rejects.toThrow(/expected an http or https address/);
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fe80::1]/',
    'http://0x0a000001/',
    'http://167772161/',
    'http://012.0.0.1/',
    'http://10.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:a00:1::]/',
    'http://198.51.100.7/',
  ])('refuses %s, which is outside the allowed networks', async (url) => {
    await expect(readFrom(url)).rejects.toThrow(/outside the networks/);
  });

  it('reaches loopback by name', async () => {
    const url = (await serveBytes('x')).replace('127.0.0.1', 'localhost');
    await expect(readFrom(url, { source: 'markdown' })).resolves.toMatchObject({ imported: 1 });
  });

  it('follows redirects up to the limit and checks each', async () => {
    const url = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else if (left < 0) response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
      else response.end('done');
    });
    await expect(readFrom(`${url}/3`, { source: 'markdown' })).resolves.toMatchObject({ imported: 1 });
    await expect(readFrom(`${url}/4`, { source: 'markdown' })).rejects.toThrow(/more than 3 redirects/);
    await expect(readFrom(`${url}/-1`, { source: 'markdown' })).rejects.toThrow(/outside the networks/);
  });

  it.each(['http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/', '//10.0.0.1/', 'http://0xa000001/'])(
    'follows no redirect to %s, in any way of redirecting',
    async (location) => {
      for (const status of [301, 302, 303, 307, 308]) {
        const url = await serve((_request, response) => response.writeHead(status, { location }).end());
        await expect(readFrom(url, { source: 'markdown' })).rejects.toThrow(/outside the networks/);
      }
    },
  );

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/a', 'data:text/plain,x'])(
    'follows no redirect to %s',
    async (location) => {
      const url = await serve((_request, response) => response.writeHead(302, { location }).end());
      await expect(readFrom(url, { source: 'markdown' })).rejects.toThrow(/expected an http or https address/);
    },
  );

  it('refuses an error status, too many bytes and a host that does not answer', async () => {
    const failing = await serve((_request, response) => void response.writeHead(404).end());
    await expect(readFrom(failing)).rejects.toThrow(/answered 404/);
    const large = await serveBytes('x'.repeat(1000));
    await expect(readFrom(large, { limits: { downloadBytes: 999 } })).rejects.toThrow(/larger than 999 bytes/);
    await expect(readFrom('http://127.0.0.1:1/')).rejects.toThrow(ImportRefused);
  });

  it('gives up after the time limit', async () => {
    const clock = manualClock();
    let refused: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      serve(() => resolve())
        .then((url) => {
          refused = expect(readFrom(url, { clock })).rejects.toThrow(/not read within 60000 ms/);
        })
        .catch(reject);
    });
    await clock.advance(60_000);
    await refused;
  });

  it('ends with the reason of the caller', async () => {
    const abort = new AbortController();
    const url = await serve(() => abort.abort(new Error('enough')));
    await expect(readFrom(url, { signal: abort.signal })).rejects.toThrow('enough');
  });
});
