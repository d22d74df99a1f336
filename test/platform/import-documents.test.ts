import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord, systemClock } from '../../src/base/index.ts';
import { documentNodes } from '../../src/document/index.ts';
import type { ImportedContent } from '../../src/platform/content/imported-content.ts';
import { readHtml } from '../../src/platform/import/html.ts';
import { readImport } from '../../src/platform/import/index.ts';
import { packZip } from '../../src/platform/import/pack.ts';
import { at, createWorld, spaceWithPages } from './world.ts';
import { serve } from '../support/served.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function read(source: string, bytes: Buffer | string, path = '/'): Promise<ImportedContent> {
  const url = (await serve((_, response) => void response.end(bytes))) + path;
  return readImport({ url, source, clock: systemClock(), allowedHosts: [] });
}

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** A Word document: a title, a heading, a sentence in bold, a list of one and a picture. */
function docx(more = ''): Promise<Buffer> {
  const styled = (style: string, text: string): string =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const picture = `<w:p><w:r><w:drawing><wp:inline><wp:docPr descr="Dot"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>
    <a:blip r:embed="rId2"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xmlns:r="${RELATION}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">
    <w:body>${styled('Heading1', 'Report')}${styled('Heading2', 'Part')}
    <w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Bold</w:t></w:r><w:r><w:t xml:space="preserve"> words</w:t></w:r></w:p>${picture}${more}</w:body></w:document>`;
  const styles = `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
    <w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>`;
  return packZip([
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="png" ContentType="image/png"/></Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ],
    [
      'word/_rels/document.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">
      <Relationship Id="rId1" Type="${RELATION}/styles" Target="styles.xml"/>
      <Relationship Id="rId2" Type="${RELATION}/image" Target="media/dot.png"/></Relationships>`,
    ],
    ['word/document.xml', document],
    ['word/styles.xml', styles],
    ['word/media/dot.png', PNG],
  ]);
}

/** What a reader sees of each block that holds text, in order. */
function textsIn(nodes: readonly unknown[]): string[] {
  return nodes.flatMap((node) => {
    if (!isRecord(node)) return [];
    const inside = Array.isArray(node['nodes']) ? (node['nodes'] as unknown[]) : [];
    const isLine = inside.some((one) => isRecord(one) && Array.isArray(one['leaves']));
    return isLine ? [lettersOf(inside)] : textsIn(inside);
  });
}

function lettersOf(nodes: readonly unknown[]): string {
  const written = nodes.filter(isRecord).map((node) => {
    const below = [node['leaves'], node['nodes']].find((some) => Array.isArray(some)) as unknown[] | undefined;
    if (below) return lettersOf(below);
    return typeof node['text'] === 'string' ? node['text'] : '';
  });
  return written.join('');
}

describe('platform/import html', () => {
  it('makes one page of what a document shows, with its tables, and addresses for its relative links', async () => {
    const html = `<!doctype html><html><head><title>Head &amp; title</title><style>p{}</style></head><body>
      <p>Some <b>bold</b> text, <a href="../other">a link</a> and <a href="#part">an anchor</a>.</p><script>x()</script>
      <img src="data:image/png;base64,AAAA" alt="inline"><table><tr><th>a</th></tr><tr><td>b</td></tr></table>
      <pre><code class="language-js">let a = 1;</code></pre></body></html>`;
    const { pages, imported, total } = await read('html', html, '/docs/guide.html');
    expect({ imported, total }).toEqual({ imported: 1, total: 1 });
    const page = at(pages, 0);
    expect(page).toMatchObject({ type: 'document', title: 'Head & title', slug: 'guide' });
    expect(page.body).toMatch(
      /^Some \*\*bold\*\* text, \[a link\]\(http:\/\/127\.0\.0\.1:\d+\/other\) and \[an anchor\]\(#part\)\./,
    );
    expect(page.body).toMatch(/\| a +\|\n\| --- \|\n\| b +\|/);
    expect(page.body).toContain('```js\nlet a = 1;\n```');
    expect(page.body).not.toContain('data:');
    expect(page.body).not.toContain('x()');
  });

  it('keeps every letter of a text that looks like markup, and all preformatted text as code', async () => {
    const html = `<h1>The &lt;div&gt; tag</h1><p>Use &lt;script&gt;x&lt;/script&gt;, &amp;amp; and {% hint %}</p><p>&lt;br&gt;</p>
      <p>{% endhint %}</p><h2>C #</h2><table><tr><th>or</th></tr><tr><td>||</td></tr></table>
      <pre>one\n  &lt;two&gt;<br>\`\`\`</pre><pre class="lang-py">\n<code>x</code></pre>`;
    const page = at((await read('html', html)).pages, 0);
    expect(page.title).toBe('The <div> tag');
    const nodes = documentNodes(page.body ?? '') as { type: string }[];
    expect(nodes.map(({ type }) => type)).toEqual([
      'paragraph',
      'paragraph',
      'paragraph',
      'heading-2',
      'table',
      'code',
      'code',
    ]);
    const shown = ['Use <script>x</script>, &amp; and {% hint %}', '<br>', '{% endhint %}', 'C #', 'or', '||'];
    expect(textsIn(nodes)).toEqual([...shown, 'one\n  <two>\n```', 'x']);
  });

  it('shows any plain text as it was written', () => {
    const unit = fc.constantFrom(
      ...Array.from('ab1 -+*_`~$<>&;#{%}[]()!|=\\/.:"@^'),
      '&lt;',
      '<div>',
      '{% tab %}',
      '1. ',
      '# ',
      '---',
    );
    const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (written) => {
        const shown = written.replaceAll(/\s+/g, ' ').trim();
        const nodes = documentNodes(readHtml(`<p>${escaped(written)}</p>`).markdown);
        expect(textsIn(nodes).join('')).toBe(shown);
      }),
    );
  });

  it('reads code with more runs of backticks than a function takes arguments', () => {
    expect(readHtml(`<pre>${'`\n'.repeat(200_000)}</pre>`).markdown).toMatch(/^```\n`\n/);
  });

  it('takes the first heading for the title', async () => {
    const { pages } = await read('html', '<title>Site</title><h1>Own</h1><p>x</p>');
    expect(at(pages, 0)).toMatchObject({ title: 'Own', body: 'x' });
  });

  it.each(['html', 'docx', 'website'])('refuses other bytes as %s', async (source) => {
    await expect(read(source, 'just text')).rejects.toThrow(/^url: /);
    await expect(read(source, PNG)).rejects.toThrow(/^url: /);
  });
});

describe('platform/import docx', () => {
  it('makes one page with its pictures', async () => {
    const { pages, files, imported, total } = await read('docx', await docx(), '/Report%201.docx');
    expect(at(pages, 0)).toMatchObject({ title: 'Report', slug: 'report-1' });
    expect(at(pages, 0).body?.trim()).toBe('## Part\n\n**Bold** words\n\n![Dot](import:file/a1)');
    expect(files).toMatchObject([{ key: 'a1', name: '1.png', contentType: 'image/png' }]);
    expect({ imported, total }).toEqual({ imported: 2, total: 2 });
  });

  it('refuses one of very many elements: a few kilobytes filled the memory, and ended the platform', async () => {
    const bomb = await docx('<w:p/>'.repeat(600_000));
    await expect(read('docx', bomb, '/Report%201.docx')).rejects.toThrow(/more than 500000 elements/);
  });
});

describe('platform/import zip of documents', () => {
  it('reads HTML and Word files as pages that link to each other, and leaves attached ones as files', async () => {
    const archive = await packZip([
      [
        'SUMMARY.md',
        '* [Intro](intro.md)\n  * [Word](word/my report.docx)\n'.replace(
          'word/my report.docx',
          '<word/my report.docx>',
        ),
      ],
      ['intro.md', '# Intro\n\n[html](page.html) [attached](assets/form.docx)'],
      ['page.html', '<h1>Page</h1><p><a href="word/my%20report.docx">word</a></p>'],
      ['word/my report.docx', await docx()],
      ['assets/form.docx', await docx()],
      ['bad.docx', 'not a document'],
    ]);
    const { pages, files, imported, total, problems } = await read('zip', archive);
    expect(pages.map(({ title }) => title)).toEqual(['Intro', 'Page']);
    const intro = at(pages, 0);
    expect(intro.body).toMatch(/\[html\]\(import:page\/page\) \[attached\]\(import:file\/a\d\)/);
    expect(at(intro.pages, 0)).toMatchObject({ title: 'Word', path: 'intro/my-report' });
    expect(at(pages, 1).body).toBe('[word](import:page/intro/my-report)');
    expect(files.map(({ name }) => name).toSorted()).toEqual(['1.png', 'form.docx']);
    expect({ imported, total }).toEqual({ imported: 5, total: 6 });
    expect(problems).toMatchObject([{ resource: 'bad.docx' }]);
  });
});

describe('platform/import website', () => {
  const html = (title: string, body: string): string =>
    `<html><head><title>${title}</title></head><body><nav>Menu</nav><main>${body}</main></body></html>`;

  it('takes the page and those below its path that it links to, connected with each other', async () => {
    const site: Record<string, string> = {
      '/docs': html(
        'Docs',
        '<h1>Docs</h1><a href="/docs/a">A</a> <a href="docs/b.html#x">B</a> <a href="/blog">blog</a> <a href="/docs/logo.png">l</a> <a href="/docs/gone">gone</a>',
      ),
      '/docs/a': html('A page', '<p><a href="/docs">up</a> <a href="https://example.com/">out</a></p>'),
      '/docs/b.html': html('B page', '<p>b <a href="/docs/a#there">a</a></p>'),
    };
    const url = await serve((request, response) => {
      const found = site[request.url ?? ''];
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
    const content = await readImport({ url: `${url}/docs`, source: 'website', clock: systemClock(), allowedHosts: [] });
    expect(content.pages.map(({ title }) => title)).toEqual(['Docs', 'A page', 'B page']);
    const [start, a, b] = content.pages;
    expect(start?.body).toContain(`[A](import:page/a) [B](import:page/b#x) [blog](${url}/blog)`);
    expect(a?.body).toBe('[up](import:page/docs) [out](https://example.com/)');
    expect(b?.body).toBe('b [a](import:page/a#there)');
    expect(start?.body).not.toContain('Menu');
    expect([content.imported, content.total]).toEqual([3, 4]);
    expect(content.problems).toMatchObject([{ resource: `${url}/docs/gone` }]);
  });

  it('takes nothing from behind the main part of a page whose letters grow when they are made small', async () => {
    const page = html('T', `<p>${'İ'.repeat(40)}</p>`).replace('</body>', '<p>Imprint and more</p></body>');
    const url = await serve((_, response) => void response.end(page));
    const content = await readImport({ url, source: 'website', clock: systemClock(), allowedHosts: [] });
    expect(content.pages[0]?.body).toBe('İ'.repeat(40));
  });

  it('takes pages whose addresses hold a percent sign that encodes nothing: the import was answered with 500', async () => {
    const url = await serve((request, response) => {
      response.end(request.url === '/d/' ? html('Start', '<a href="/d/100%">all</a>') : html('All', '<p>of it</p>'));
    });
    const content = await readImport({ url: `${url}/d/`, source: 'website', clock: systemClock(), allowedHosts: [] });
    expect(content.pages.map(({ title, path: at }) => [title, at])).toEqual([
      ['Start', 'start'],
      ['All', '100'],
    ]);
    expect(content.pages[0]?.body).toBe('[all](import:page/100)');
  });

  it('stops after twenty pages and says how many there were', async () => {
    const links = Array.from({ length: 25 }, (_, i) => `<a href="/d/${i}">x</a>`).join('');
    const url = await serve((_, response) => void response.end(html('T', links)));
    const content = await readImport({ url: `${url}/d/`, source: 'website', clock: systemClock(), allowedHosts: [] });
    expect([content.imported, content.total]).toEqual([21, 26]);
  });
});

describe('platform/import over HTTP', () => {
  it('answers true counts, and names the supported sources for others', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const bytes = await docx();
    const url = await serve((_, response) => void response.end(bytes));
    const body = { url: `${url}/r.docx`, source: 'docx' };
    const answer = await world.call('importContent', { path: { spaceId }, body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ importedResources: 2, totalResources: 2 });
    const refused = await world.call('importContent', { path: { spaceId }, body: { url, source: 'notion' } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('supported are zip, markdown, html, docx, website');
  });
});
