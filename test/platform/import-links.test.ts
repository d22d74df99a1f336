import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { resolveTarget, rewriteLinks } from '../../src/platform/import/links.ts';

const MARK = 'import:page/there';

/** Points every link to `old.md` at the mark. */
function rewrite(text: string): string {
  return rewriteLinks(text, (target) => (target === 'old.md' ? MARK : undefined));
}

/** The addresses a reader could follow, as another Markdown reader finds them. */
function addresses(text: string): string[] {
  const html = new MarkdownIt({ html: true }).render(text).replaceAll(/<!--[^]*?(?:-->|$)/g, '');
  return [...html.matchAll(/<(?:a|img)\b[^>]*?(?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? '');
}

const CASES: [name: string, before: string, after: string][] = [
  ['an inline link', 'see [a](old.md) now', `see [a](${MARK}) now`],
  ['a link with a title', `[a](old.md "old.md")`, `[a](${MARK} "old.md")`],
  ['a bracketed target', '[a](<old.md>)', `[a](${MARK})`],
  ['an image', '![a](old.md)', `![a](${MARK})`],
  ['an image inside a link', '[![a](old.md)](old.md)', `[![a](${MARK})](${MARK})`],
  ['a reference definition', '[a]\n\n[a]: old.md "t"\n', `[a]\n\n[a]: ${MARK} "t"\n`],
  ['a definition on two lines', '[a]\n\n[a]:\n  <old.md>\n', `[a]\n\n[a]:\n  ${MARK}\n`],
  ['raw HTML', 'x <img alt="old.md" src="old.md"> y', `x <img alt="old.md" src="${MARK}"> y`],
  ['a block of HTML', "<p>\n<a href='old.md'>[a](old.md)</a>\n</p>", `<p>\n<a href='${MARK}'>[a](old.md)</a>\n</p>`],
  [
    'a block tag',
    '{% content-ref url="old.md" %}\n[a](old.md)\n{% endcontent-ref %}',
    `{% content-ref url="${MARK}" %}\n[a](${MARK})\n{% endcontent-ref %}`,
  ],
  ['a tag with other attributes', '{% file src="old.md" name="old.md" %}', `{% file src="${MARK}" name="old.md" %}`],
  [
    'a tag that shows an interface by its description',
    '{% openapi src="old.md" path="old.md" method="get" %}\n[old.md](old.md)\n{% endopenapi %}',
    `{% openapi src="${MARK}" path="old.md" method="get" %}\n[old.md](${MARK})\n{% endopenapi %}`,
  ],
  ['a tag that includes', '{% include "old.md" %}', `{% include "${MARK}" %}`],
  ['a link in a list', '- x\n  1. [a](old.md)\n', `- x\n  1. [a](${MARK})\n`],
  ['a link in a quote', '> > [a](old.md)\n', `> > [a](${MARK})\n`],
  [
    'a link in a table',
    '| a | b |\n|---|---|\n| ` | [a](old.md) ` |\n',
    `| a | b |\n|---|---|\n| \` | [a](${MARK}) \` |\n`,
  ],
  ['a link in a heading', 'Title [a](old.md)\n=====\n', `Title [a](${MARK})\n=====\n`],
];

const UNTOUCHED: [name: string, text: string][] = [
  ['a code span', 'a `[a](old.md)` b'],
  ['a tag in code', '```\n{% include "old.md" %}\n```'],
  ['a tag that shows no other page', '{% tab title="old.md" %}'],
  ['the path of an interface', '{% swagger method="get" path="old.md" baseUrl="old.md" %}'],
  ['a code span over two lines', 'a ``[a]\n`(old.md)`` b'],
  ['a fence', '```md\n[a](old.md)\n```\n'],
  ['a fence in a list', '- x\n\n  ~~~\n  [a](old.md)\n  ~~~\n'],
  ['an unclosed fence', '```\n[a](old.md)\n'],
  ['indented code', 'x\n\n    [a](old.md)\n'],
  ['escaped brackets', '\\[a](old.md)'],
  ['brackets that open nowhere', 'a](old.md)'],
  ['a link around a link', '[x [y](other.md) z](old.md)'],
  ['a comment', '<!-- <img src="old.md"> -->'],
  ['a script', '<script>\nx = \'<a href="old.md">\'\n</script>\n'],
  ['a target that does not end', '[a](old.md'],
];

describe('platform/import/links', () => {
  it.each(CASES)('rewrites %s', (_name, before, after) => {
    expect(rewrite(before)).toBe(after);
  });

  it.each(UNTOUCHED)('leaves %s alone', (_name, text) => {
    expect(rewrite(text)).toBe(text);
  });

  it('gives the target with escapes and entities resolved', () => {
    const seen: string[] = [];
    rewriteLinks('[a](a\\_b&amp;c.md) ![b](<x y.png>)', (target) => {
      seen.push(target);
      return undefined;
    });
    expect(seen).toEqual(['a_b&c.md', 'x y.png']);
  });

  it('changes link targets and nothing else in any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }), (pieces) => {
        const text = pieces.join('');
        const seen: string[] = [];
        const marked = rewriteLinks(text, (target) => {
          seen.push(target);
          return `${MARK}-${seen.length}-`;
        });
        // Undoing each replacement in turn gives the text back, so nothing else moved.
        const back = rewriteLinks(text, () => undefined);
        expect(back).toBe(text);
        for (const found of addresses(marked)) {
          if (addresses(text).includes(found)) continue;
          expect(found).toContain(MARK);
        }
        expect(addresses(marked).length).toBe(addresses(text).length);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same links as a Markdown reader does', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        const expected = addresses(text).map((found) => (found === 'old.md' ? MARK : found));
        expect(addresses(rewrite(text))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

const PIECES = [
  '[a](old.md)',
  '![b](old.md)',
  '[c][r]',
  '\n\n[r]: old.md\n',
  '<a href="old.md">x</a>',
  '`',
  '``',
  '\n```\n',
  '\n~~~\n',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '    ',
  '[',
  ']',
  '](old.md)',
  '\\',
  '| x | y |\n|---|---|\n',
  '|',
  '<!--',
  '-->',
  '\n<div>\n',
  '# ',
  'word',
  ' ',
  '*',
];

describe('platform/import/links resolveTarget', () => {
  it('resolves against the folder of the file and decodes percent signs', () => {
    expect(resolveTarget('a/b.md', '../c%20d/e.md#f%20g')).toEqual({ path: 'c d/e.md', rest: '#f%20g' });
    expect(resolveTarget('a/b.md', './c.svg?x=1')).toEqual({ path: 'a/c.svg', rest: '?x=1' });
    expect(resolveTarget('a/b.md', '/c.md')).toEqual({ path: 'c.md', rest: '' });
    expect(resolveTarget('a/b.md', 'x/')).toEqual({ path: 'a/x', rest: '' });
    expect(resolveTarget('a/b.md', '100%.md')).toEqual({ path: 'a/100%.md', rest: '' });
  });

  it.each(['https://x.test/a.md', '//x.test/a.md', 'mailto:a@x.test', '#here', '', '../../a.md'])(
    'leaves %j alone',
    (target) => {
      expect(resolveTarget('a/b.md', target)).toBeUndefined();
    },
  );
});
