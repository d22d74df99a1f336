// HTML and tags in the text of a page: tables with lists or cards, as the platform's editor writes them, and links of people who know it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

let test: TestMirror;

const TABLE =
  '<table><thead><tr><th>Name</th><th data-hidden></th><th>Size</th></tr></thead><tbody>' +
  '<tr><td><a href="/pages/two">Two &amp; more</a></td><td></td><td>5 &#x3C; 6 &#38; c:\\\\*</td></tr></tbody></table>';
const CELLS = '| a |\n|---|\n| <ul><li>one</li><li>two</li></ul> |';
const LINE =
  'Before <a class="x" href="/pages/two">**two**, [three](/pages/one)</a> and <a href="javascript:run()">none</a>.';
const HEADING = '## Place <a href="#there" id="there"></a>';
const ADDRESS = '<div><a href="https://elsewhere.test/?a=1&#x26;b=2">out</a></div>';
const TAGS = [
  '{% code title="a.js" %}\n```js\nclone <address> there\n```\n{% endcode %}',
  '{% columns %}\n{% column %}\nleft\n{% endcolumn %}\n{% endcolumns %}',
  '{% swagger-parameter name="id" in="path" %}\nWhich\n{% endswagger-parameter %}',
  '{% openapi src="/files/none" path="/pets" method="get" %}\n{% endopenapi %}',
];
const COMMENTED = '<div>\n<!-- if a > b then\n<b>never</b> -->\nshown\n</div>';
const FOLLOWED = '<a href="/files/none">First, <a href="/pages/two">second</a>';
const UNENDED = 'An <a href="/pages/two">open one';

beforeAll(async () => {
  test = await createTestMirror();
  const text = [TABLE, CELLS, LINE, HEADING, ADDRESS, COMMENTED, ...TAGS, FOLLOWED, UNENDED].join('\n\n');
  const pages = [
    { id: 'one', title: 'One', text },
    { id: 'two', title: 'Two', text: '' },
  ];
  await test.add({ spaces: [{ id: 's', title: 'Space', pages }] });
});
afterAll(() => test[Symbol.dispose]());

async function shown(): Promise<string> {
  const { text } = await visitor(test)('/browse/spaces/s/pages/one');
  return text.slice(text.indexOf('<div class="text"'), text.indexOf('<dl'));
}

const TWO = '<a href="/browse/spaces/s/pages/two">';

it('shows the cells of a table in HTML apart: their words ran together', async () => {
  const between = '<span class="soft"> | </span>';
  expect(await shown()).toContain(
    `<div class="raw">Name${between}Size<br>${TWO}Two &amp; more</a>${between}5 &lt; 6 &amp; c:\\\\*</div>`,
  );
});

it('shows each item of a list in a cell on a line of its own', async () => {
  expect(await shown()).toContain('<td>one<br>two<br></td>');
});

it('leads on from links in HTML, as from others: they were words only', async () => {
  const text = await shown();
  expect(text).toContain(`Before ${TWO}<strong>two</strong>, three</a> and `);
  expect(text).toContain('<span class="dead" title="This link leads nowhere: javascript:run()">none</span>.');
});

it('reads the references that the platform writes in HTML: they stood there as &#x3C;', async () => {
  const text = await shown();
  expect(text).toContain('5 &lt; 6 &amp; c:');
  expect(text).toContain('href="https://elsewhere.test/?a=1&amp;b=2"');
});

it('leads to a heading by the anchor that it names: a link to it led to the beginning of the page', async () => {
  expect(await shown()).toContain('<h3 id="there">Place </h3>');
});

it('calls a block that it does not know by the name of its tag: each was called tag', async () => {
  const text = await shown();
  expect(
    [...text.matchAll(/<div class="card"><span class="soft">([^<]*)<\/span>([^<]*)/g)].map(([, ...all]) => all),
  ).toEqual([
    ['code: ', 'a.js'],
    ['columns', ''],
    ['column', ''],
    ['swagger-parameter: ', 'id'],
    ['openapi: ', ''],
  ]);
});

it('shows no tags in what a search found, unless the word stands in one: of a table there was nothing else to read', async () => {
  const excerpts = async (words: string): Promise<string[]> => {
    const { text } = await visitor(test)(`/browse/search?q=${words}`);
    return [...text.matchAll(/<p>([^]*?)<\/p>\s*<\/li>/g)].map(([, excerpt = '']) => excerpt);
  };
  const [size = ''] = await excerpts('Size');
  expect(size).toMatch(/^… <mark>Size<\/mark> Two &amp; more 5…$/);
  expect(await excerpts('place')).toEqual(['…none . <mark>Place</mark> out…']);
  // What is to be put there is a word of the command.
  expect(await excerpts('clone')).toEqual([expect.stringMatching(/<mark>clone<\/mark> &lt;address /)]);
  expect(await excerpts('hidden')).toEqual([expect.stringContaining('data-<mark>hidden</mark>')]);
});

it('takes the place of a heading, and what is never closed, for no link', async () => {
  const text = await shown();
  expect(text).toContain('>Place </h3>');
  expect(text).toContain('<p>An open one</p>');
});

it('ends a link that is not closed where the next one begins, as browsers do: the next one was lost in it', async () => {
  expect(await shown()).toContain(
    `<span class="dead" title="This link leads nowhere: /files/none">First, </span>${TWO}second</a>`,
  );
});

it('shows nothing of a comment in HTML: what stood in it after the first > did', async () => {
  const text = await shown();
  expect(text).toContain('<div class="raw">shown</div>');
  expect(text).not.toContain('never');
});
