import { describe, expect, it } from 'vitest';
import { rewriteLinks } from '../../src/base/index.ts';
import { readLinkById } from '../../src/base/markdown-links.ts';

function targetsIn(text: string): string[] {
  const targets: string[] = [];
  rewriteLinks(text, (target) => {
    targets.push(target);
    return undefined;
  });
  return targets;
}

/** Points every link by id at another page. */
function turned(text: string): string {
  return rewriteLinks(text, (_, link) => (link ? `/pages/other${link.rest}` : undefined));
}

describe('base/markdown-links', () => {
  it.each([
    '[a](/pages/b)',
    '![](/pages/b)',
    '[a]: /pages/b',
    '<a href="/pages/b">a</a>',
    '<img src="/pages/b">',
    '{% embed url="/pages/b" %}',
    '{% openapi src="/pages/b" path="/pets" method="get" %}',
    '{% swagger path="/pets" src="/pages/b" %}',
    '{% @maps/embed url="/pages/b" %}',
    '{% code title="[a](/pages/b)" %}',
    '| a |\n| - |\n| [a](/pages/b) |',
    '| a |\n| - |\n| [a \\| b](/pages/b) |',
    '[^1]: [a](/pages/b)',
    '> [^note]: ![](/pages/b)',
    '[^1]: <img src="/pages/b">',
  ])('finds the link in a text that has no other: %j', (text) => {
    expect(targetsIn(text)).toEqual(['/pages/b']);
  });

  it.each(['\n', '\r\n', '\r', '\r\r\n'])(
    'tells links from code whatever ends the lines: below a lone carriage return, links led to the platform (%j)',
    (end) => {
      const lines = ['a', '', '[x](b)', '', '```', '[no](c)', '```', '', '[y](d)', ''];
      const text = `odd\rline\n\n${lines.join(end)}`;
      expect(rewriteLinks(text, (target) => target.toUpperCase())).toBe(
        text.replace('(b)', '(B)').replace('(d)', '(D)'),
      );
    },
  );

  it.each(['a%20b.pdf', '100%.pdf', 'pic%20%281%29.png', '%7B%25.txt'])(
    'finds the address %s in a block tag: each restore lost a file whose name needs a percent sign',
    (name) => {
      expect(targetsIn(`{% file src="${name}" %}\n\n{% embed url="b" %} {% file src="${name}" %}`)).toEqual([
        name,
        'b',
        name,
      ]);
    },
  );

  it.each([
    [`[l](/pages/p#what's-new)`, `[l](/pages/other#what's-new)`],
    ['[l](/pages/p?q=1#a)', '[l](/pages/other?q=1#a)'],
    ['[l](/pages/p#f())', '[l](/pages/other#f())'],
    ['[l](</pages/p#a (b>)', '[l](</pages/other#a (b>)'],
    ['[l](</pages/p#a>)', '[l](/pages/other#a)'],
    [String.raw`[l](/pages/p#a\_b)`, String.raw`[l](/pages/other#a\_b)`],
    ['<a href="/pages/p#a&amp;b">l</a>', '<a href="/pages/other#a&amp;b">l</a>'],
    [`<a href='/pages/p#x"y'>l</a>`, `<a href='/pages/other#x"y'>l</a>`],
    ['[l]: </pages/p#a b> "t"', '[l]: </pages/other#a b> "t"'],
    [`{% embed url="/pages/p#it's" %}`, `{% embed url="/pages/other#it's" %}`],
    ['[l](&#47;pages/p&#35;a)', '[l](/pages/other&#35;a)'],
    [String.raw`[l](\/pages\/p#a)`, '[l](/pages/other#a)'],
    ['[l](/pages/p#&#nothing;)', '[l](/pages/other#&#nothing;)'],
    ['[l](/pages/p&num;&amp;)', '[l](/pages/other&num;&amp;)'],
  ])('turns %s and leaves query and anchor as they were written: an anchor came back otherwise', (text, wanted) => {
    expect(turned(text)).toBe(wanted);
    expect(targetsIn(wanted).map((target) => target.replace('other', 'p'))).toEqual(targetsIn(text));
  });

  it.each([
    [
      '<picture><source srcset="/files/a" media="(prefers-color-scheme: dark)"><img src="/files/b"></picture>',
      ['/files/a', '/files/b'],
    ],
    [
      `<img srcset=' /files/a 1x,\n/files/b?q=1,2 2x , /files/c, https://x.test/d,e 100w' src=/files/f>`,
      ['/files/a', '/files/b?q=1,2', '/files/c', 'https://x.test/d,e', '/files/f'],
    ],
    ['<video poster="/files/p" src="/files/v"></video>', ['/files/p', '/files/v']],
    ['<object type="image/svg+xml" data="/files/o"></object>', ['/files/o']],
    ['<div data="/files/n" data-src="/files/n" srcset=",, ,"></div>', []],
    ['`<img srcset="/files/a">`', []],
  ])('finds every address in %s: those of a dark picture, of a poster and of an object stayed ids', (text, targets) => {
    for (const written of [text, `in a line ${text}`]) expect(targetsIn(written)).toEqual(targets);
  });

  it.each([
    ['[a [b](/pages/b) c](/pages/c)', '[a [b](/pages/other) c](/pages/c)'],
    ['[a [b](/pages/b) c](/pages/c) [d](/pages/d)', '[a [b](/pages/other) c](/pages/c) [d](/pages/other)'],
    ['[a ![b](/pages/b) c](/pages/c)', '[a ![b](/pages/other) c](/pages/other)'],
    ['![a [b](/pages/b) c](/pages/c)', '![a [b](/pages/other) c](/pages/other)'],
  ])('takes what looks like a link around a link for the text that it is: %s', (text, wanted) => {
    expect(turned(text)).toBe(wanted);
  });

  it('turns one address of a list of pictures and leaves the rest of it', () => {
    const written = '<source srcset="/files/a 1x, https://x.test/b,c 2x,  /pages/p#x 3x" media="m">';
    expect(turned(written)).toBe(
      '<source srcset="/pages/other 1x, https://x.test/b,c 2x,  /pages/other#x 3x" media="m">',
    );
  });

  it('knows what a link by id leads to, in which space, and what of it is meant', () => {
    expect(readLinkById('/spaces/s/files/f?alt=media#page=2')).toEqual({
      to: 'file',
      space: 's',
      id: 'f',
      rest: '?alt=media#page=2',
    });
    expect(readLinkById('/spaces/s?x')).toEqual({ to: 'space', space: 's', id: 's', rest: '?x' });
    for (const other of [
      '/pages/p/',
      '/pages/(p',
      '/pages/a b',
      '/pages/',
      'pages/p',
      '/spaces/s/other/o',
      '/users/u',
      '#a',
      '',
    ])
      expect(readLinkById(other), other).toBeNull();
  });
});

describe('base/markdown-links of ids of another shape', () => {
  it.each(['Ab:c.d~e', '-Mx_1=+', '42', 'a@b;c', 'v3(y)'])(
    'turns links to the id %s: a restore left them leading to the old ids, and verified them as equal',
    (id) => {
      expect(readLinkById(`/spaces/${id}/pages/${id}#a`)).toEqual({ to: 'page', space: id, id, rest: '#a' });
      expect(readLinkById(`/files/${encodeURIComponent(id)}`)).toMatchObject({ space: null, id });
      expect(turned(`[l](/pages/${id}?q#a)`)).toBe('[l](/pages/other?q#a)');
    },
  );

  it('takes a percent sign that encodes nothing as it is', () => {
    expect(readLinkById('/pages/100%')).toMatchObject({ id: '100%' });
  });
});

// Each would take far longer than a test may if it were looked through once more for every piece of it.
const TIMES = 400_000;
const LINK = '[a](/pages/x)';

describe('base/link-scanner', () => {
  it.each([
    ['closing tags that do not end', `x${'</a'.repeat(TIMES)}`],
    ['comments that do not end', `x${'<!--'.repeat(TIMES)}`],
    ['instructions that do not end', `x${'<?'.repeat(TIMES)}`],
    ['sections of data that do not end', `x${'<![CDATA['.repeat(TIMES)}`],
    ['scripts that do not begin', `<div>${'<script'.repeat(TIMES)}`],
    ['block tags that do not end', `x${'{% embed %'.repeat(TIMES)}`],
    ['brackets before links', '['.repeat(TIMES) + LINK.repeat(TIMES / 10)],
    ['commas between pictures', `<img srcset="${', ,,'.repeat(TIMES)}">`],
    ['pictures for no screen', `<img srcset="${'/pages/x '.repeat(TIMES)}">`],
    ['runs of backticks, each of its own length', Array.from({ length: 2500 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
  ])('reads a text of %s in one go: the platform was silent for minutes', (_name, text) => {
    expect(new Set(targetsIn(`${text}\n\n${LINK}`))).toEqual(new Set(['/pages/x']));
  });

  it.each([
    ['paragraphs', 'a\n\n'.repeat(TIMES / 2)],
    ['cells in a row', `${'|a'.repeat(TIMES / 2)}|\n${'|-'.repeat(TIMES / 2)}|\n\n`],
  ])('reads a text of very many %s: it ended in an error of the stack', (_name, text) => {
    expect(targetsIn(`${text}${LINK}`)).toEqual(['/pages/x']);
  });
});
