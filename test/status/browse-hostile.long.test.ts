// Whoever may write a page must not get any power over who reads it here.
import { describe, expect, it } from 'vitest';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const TITLE = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>`;

const TEXTS = [
  '<script>alert(1)</script>',
  '<script src="https://evil.test/x.js"></script>',
  'words <script>alert(1)</script> words',
  '<img src=x onerror=alert(1)>',
  'words <img src="x" onerror="alert(1)"> words',
  '<img src="/files/f1" onerror="alert(1)" style="position:fixed">',
  '<svg onload=alert(1)><g/></svg>',
  '<style>body { display: none }</style>',
  '<p style="background:url(https://evil.test/x)">styled</p>',
  '<iframe src="https://evil.test"></iframe>',
  '<object data="https://evil.test"></object><embed src="https://evil.test">',
  '<form action="https://evil.test"><input name="a"></form>',
  '<base href="https://evil.test/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<link rel="stylesheet" href="https://evil.test/x.css">',
  '[run](javascript:alert(1))',
  '[run](JaVaScRiPt:alert(1))',
  '[run](java\tscript:alert(1))',
  '[run](&#106;avascript:alert(1))',
  '[run](\u0001javascript:alert(1))',
  '[run](vbscript:msgbox(1))',
  '[data](data:text/html,<script>alert(1)</script>)',
  '[file](file:///etc/passwd)',
  '[other host](//evil.test/x)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  '![x](https://evil.test/track.png)',
  '![" onerror="alert(1)](/files/f1 "\\" onload=\\"alert(1)")',
  '[x](https://ok.test/"onmouseover="alert(1))',
  '{% embed url="javascript:alert(1)" %}',
  '{% tabs %}\n{% tab title="<script>alert(1)</script>" %}\nx\n{% endtab %}\n{% endtabs %}',
  '{% hint style="x\\" onclick=\\"alert(1)" %}\nx\n{% endhint %}',
  '```"><script>alert(1)</script>\ncode </code></pre><script>alert(1)</script>\n```',
  '$$</code><script>alert(1)</script>$$',
  '# <script>alert(1)</script>',
  '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '<details open ontoggle=alert(1)><summary>x</summary>\n\ny\n\n</details>',
  '<a href="javascript:alert(1)">x</a>',
  '<!--><script>alert(1)</script>-->',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
];

/** Elements and attributes of a page, read as a browser reads tags: quotes count. */
function elementsOf(text: string): { name: string; attributes: Map<string, string> }[] {
  return [...text.matchAll(/<([a-z][a-z0-9-]*)((?:\s+[^\s=>/"']+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = '', rest = '']) => ({
      name: name.toLowerCase(),
      attributes: new Map(
        [...rest.matchAll(/([^\s=>/"']+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
          key.toLowerCase(),
          value,
        ]),
      ),
    }),
  );
}

const NEVER = new Set('script style iframe object embed base svg frame applet audio video template'.split(' '));

function expectHarmless(text: string): void {
  // Every `<` that is not an end, a comment or the doctype begins an element that was read.
  const elements = elementsOf(text);
  expect(elements.length).toBe((text.match(/<(?![/!])/g) ?? []).length);
  for (const { name, attributes } of elements) {
    if (name !== 'svg' || attributes.get('role') !== 'img') expect(NEVER).not.toContain(name);
    expect([...attributes.keys()].filter((key) => /^on|^style$|^srcdoc$|^srcset$/.test(key))).toEqual([]);
    for (const key of ['src', 'action', 'href']) {
      const value = attributes.get(key) ?? '/';
      if (name === 'a' && /^(https?:\/\/|mailto:)/.test(value))
        expect(attributes.get('rel')).toBe('noopener noreferrer');
      else expect(value).toMatch(/^[/#?](?![/\\])|^#$/);
    }
  }
}

function visitor({ dataDir }: TestMirror) {
  const options = { dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
  const app = createStatusApp({ ...options, freshness: { snapshotMs: 1, drillMs: 1 } });
  return async (path: string): Promise<Response> => app.request(path);
}

describe('status/browse with hostile content', () => {
  it('gives no text of a page any power', async () => {
    using test = await createTestMirror();
    const pages = TEXTS.map((text, nth) => ({ id: `p${nth}`, title: `Page ${nth}`, text }));
    await test.add({ spaces: [{ id: 's', title: 'S', pages, files: [{ id: 'f1', name: 'a.png', bytes: 'x' }] }] });
    const visit = visitor(test);
    for (const { id } of pages) {
      const answer = await visit(`/browse/spaces/s/pages/${id}`);
      expect([id, answer.status]).toEqual([id, 200]);
      expectHarmless(await answer.text());
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|unsafe|https?:|\*/);
    }
  });

  // In time that grows by the square of their length these would take minutes, and the daemon does nothing else meanwhile. In proportion
  // to it they take seconds on a slow machine that does other things, too.
  it.each([
    ['spaces inside HTML', `<div>x${' '.repeat(200_000)}y</div>`],
    ['line ends inside HTML', `<div>x${'<br>'.repeat(200_000)}y</div>`],
    ['tags that do not end', `<div>\n${'<a '.repeat(200_000)}`],
    ['scripts that do not end', `<div>\n${'<script '.repeat(200_000)}`],
    ['spaces inside the title', `# x${' '.repeat(200_000)}y\n\nwords`],
    ['backticks around code', `${'`'.repeat(100_000)}x${'`'.repeat(100_000)} ${'words '.repeat(9000)}`],
    ['pictures in a line', '![](a)'.repeat(200_000)],
    ['headings of the same words', '# Words\n'.repeat(20_000)],
  ])('is not held up by a text that is made to be slow to show: %s', { timeout: 40_000 }, async (_, text) => {
    using test = await createTestMirror();
    await test.add({ spaces: [{ id: 's', title: 'S', pages: [{ id: 'p', title: 'P', text }] }] });
    const answer = await visitor(test)('/browse/spaces/s/pages/p');
    expect([answer.status, (await answer.text()).length > 20_000]).toEqual([200, true]);
  });

  it('gives no title, name, subject or comment any power, wherever it is shown', async () => {
    using test = await createTestMirror();
    const space = {
      id: 's',
      title: TITLE,
      parent: 'c',
      pages: [
        { id: 'p', title: TITLE, text: TEXTS.join('\n\n'), body: { emoji: TITLE, description: TITLE, path: TITLE } },
      ],
      files: [{ id: 'f', name: `${TITLE}.png`, bytes: 'x' }],
      requests: [{ id: 'r', number: 1, subject: TITLE, pages: [{ id: 'p', title: TITLE, text: 'other' }] }],
      comments: [{ id: 'k', markdown: TEXTS.join('\n\n') }],
    };
    const world = { organizations: [{ id: 'o', title: TITLE }], collections: [{ id: 'c', title: TITLE }] };
    await test.add({ ...world, spaces: [space] });
    await test.add({ ...world, spaces: [{ ...space, pages: [{ id: 'p', title: `${TITLE}2`, text: TITLE }] }] });
    const visit = visitor(test);
    for (const path of [
      '/browse',
      '/browse/spaces/s',
      '/browse/spaces/s/pages/p',
      '/browse/spaces/s/pages/p?at=1',
      '/browse/spaces/s/change-requests/r',
      '/browse/changes?from=1&to=2',
      '/browse/changes/detail?from=1&to=2&kind=page&key=s/p',
      `/browse/search?q=${encodeURIComponent(TITLE)}`,
      '/browse/search?q=alert',
      '/report',
      '/',
    ]) {
      const answer = await visit(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expectHarmless(await answer.text());
    }
  });

  it.each([
    ['a.svg', SVG, 'image/svg+xml', 'inline'],
    ['a.html', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
    ['a.xhtml', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
    ['a.js', 'alert(1)', 'application/octet-stream', 'attachment'],
    ['a.pdf', '%PDF', 'application/octet-stream', 'attachment'],
    ['a.png', 'x', 'image/png', 'inline'],
    ['half \uD800 a character', 'x', 'application/octet-stream', 'attachment'],
    ['no-ending', 'x', 'application/octet-stream', 'attachment'],
    ['a.png\r\nset-cookie: a=b', 'x', 'application/octet-stream', 'attachment'],
  ])('serves the file %j so that nothing in it runs', async (...[name, bytes, type, disposition]) => {
    using test = await createTestMirror();
    await test.add({ spaces: [{ id: 's', title: 'S', files: [{ id: 'f', name, bytes }] }] });
    const answer = await visitor(test)('/browse/spaces/s/files/f');
    expect(await answer.text()).toBe(bytes);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^${disposition}; filename\\*=UTF-8''[\\w.%~-]+$`),
    );
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*sandbox$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });
});
