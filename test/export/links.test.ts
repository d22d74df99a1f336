import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { linkDestination, relativeLink, rewriteStableLinks } from '../../src/export/layout/links.ts';
import { escapeMarkdown } from '../../src/export/layout/summary.ts';
import { createMarkdownParser } from '../../src/base/index.ts';
import { readLinkById } from '../../src/base/markdown-links.ts';

const PIECES = [
  '[a](/pages/p1)',
  '[a](/pages/p1#top "t")',
  '![i](/files/f1)',
  '[x](/spaces/s1/pages/p2)',
  '<img src="/files/f1">',
  '[r]: /pages/p1\n',
  '`[c](/pages/p1)`',
  '\n\n```\n[c](/pages/p1)\n```\n\n',
  '\n\n    [c](/pages/p1)\n\n',
  '[away](https://host/pages/p1)',
  '/pages/p1',
  '\\[a](/pages/p1)',
  'text ',
  '\n\n',
  '- item ',
  '| a | b |\n|---|---|\n| [a](/pages/p1) | `x` |\n',
];

describe('export/layout/links', () => {
  it('rewrites links by id and keeps their anchors', () => {
    const text = '[a](/pages/p1#x) ![i](</files/f1>) [o](/spaces/s1/pages/p2 "t") <a href="/pages/p1"> [s](/spaces/s1)';
    const seen: unknown[] = [];
    const out = rewriteStableLinks(text, (link) => {
      seen.push(link);
      return 'to.md';
    });
    expect(out).toBe('[a](to.md#x) ![i](to.md) [o](to.md "t") <a href="to.md"> [s](to.md)');
    expect(seen).toEqual([
      { to: 'page', space: null, id: 'p1', rest: '#x' },
      { to: 'file', space: null, id: 'f1', rest: '' },
      { to: 'page', space: 's1', id: 'p2', rest: '' },
      { to: 'page', space: null, id: 'p1', rest: '' },
      { to: 'space', space: 's1', id: 's1', rest: '' },
    ]);
  });

  it('rewrites links with a query, and those written with escapes or entities: they led nowhere', () => {
    const text = String.raw`[a](/pages/p1?q=1#x) ![i](/files/f1?alt=media) [s](/spaces/s1?x)`;
    expect(rewriteStableLinks(text, () => 'to.md')).toBe('[a](to.md?q=1#x) ![i](to.md?alt=media) [s](to.md?x)');
    for (const written of ['&#47;pages&#47;p1#x', '&sol;pages&sol;p1#x', String.raw`\/pages\/p1#x`])
      expect(rewriteStableLinks(`[a](${written})`, ({ id }) => `${id}.md`)).toBe('[a](p1.md#x)');
  });

  it('leads to the file in which an interface is described: its id led nowhere offline, and in no restore', () => {
    const tag = '{% openapi src="/files/f1" path="/pages/p1" method="get" %}\n[api](/files/f1)\n{% endopenapi %}';
    expect(rewriteStableLinks(tag, () => 'api.yaml')).toBe(tag.replaceAll('/files/f1', 'api.yaml'));
  });

  it('leaves code, other addresses and unknown targets as they are', () => {
    const text =
      '`[a](/pages/p1)`\n\n```md\n[a](/pages/p1)\n```\n\n[a](https://x/pages/p1) /pages/p1 \\[a](/pages/p1)\n';
    expect(rewriteStableLinks(text, () => 'changed')).toBe(text);
    expect(rewriteStableLinks('[a](/pages/p1)', () => null)).toBe('[a](/pages/p1)');
  });

  it('changes nothing but the targets', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 }))), (pieces) => {
        const text = pieces.join('').replaceAll('\r', '');
        expect(rewriteStableLinks(text, () => null)).toBe(text);
        const restored = rewriteStableLinks(text, (link) => `@@${link.to === 'page' ? (link.space ?? '') : 'f'}@@`)
          .replaceAll('@@@@', '/pages/p1')
          .replaceAll('@@s1@@', '/spaces/s1/pages/p2')
          .replaceAll('@@f@@', '/files/f1');
        expect(restored).toBe(text);
      }),
    );
  });

  it('knows a link by id from every other address', () => {
    expect(readLinkById('/pages/a/b')).toBeNull();
    expect(readLinkById('pages/a')).toBeNull();
    expect(readLinkById('/files/')).toBeNull();
    expect(readLinkById('/spaces/s/pages/p#h')).toEqual({ to: 'page', space: 's', id: 'p', rest: '#h' });
  });

  it('writes relative addresses that read back as the path', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }), (parts) => {
        const path = parts.map((part) => part.replaceAll(/[/.\p{Cs}]/gu, '_')).join('/');
        const link = relativeLink('SUMMARY.md', path);
        expect(decodeURIComponent(link)).toBe(path);
        expect(hrefOf(`[a](${link})`)).toBe(link);
      }),
    );
    expect(relativeLink('guide/a.md', 'assets/my pic.png')).toBe('../assets/my%20pic.png');
  });

  it('writes addresses of other sites so that they read back the same', () => {
    for (const url of ['https://x.test/a_(b)?c=1&copy;=2#d', 'https://x.test/<a>[b]\\c', 'https://x.test/é']) {
      expect(hrefOf(`[a](${linkDestination(url)})`)).toBe(url);
    }
  });

  it('leaves an ampersand as it is that begins no entity: tools that take no stroke away before it broke the address', () => {
    expect(linkDestination('https://x.test/?a=1&b=2')).toBe('https://x.test/?a=1&b=2');
    expect(escapeMarkdown('Questions & answers &lt;')).toBe(String.raw`Questions & answers \&lt;`);
  });
});

function hrefOf(markdown: string): unknown {
  return createMarkdownParser().parseInline(markdown, {})[0]?.children?.[0]?.attrGet('href');
}
