// A text may show a file by the address that its bytes are read from, with a signature of its own.
import { expect, it } from 'vitest';
import { exportSnapshot } from '../../src/export/index.ts';
import { givenExportPlace, readTree } from '../support/export-place.ts';
import type { TestMirror } from '../support/mirror-builder.ts';

let world: TestMirror;
let to: string;
givenExportPlace((place) => ({ world, to } = place));

const HOST = 'https://bytes.test/o/s1';

/** The text of the only page of a space with two pictures and one that could not be read. */
async function exported(text: string): Promise<string> {
  const file = (id: string, at: string, bytes: string | null = id) => ({
    id,
    name: `${id}.png`,
    bytes,
    body: { downloadURL: `${HOST}${at}` },
  });
  const files = [
    file('logo', '/lo%20go.png?token=1'),
    file('alone', '/show?file=1'),
    file('one', '/get?file=1'),
    file('two', '/get?file=2'),
    file('lost', '/lost.png?token=1', null),
  ];
  const pages = [{ id: 'p1', title: 'Home', text, body: { slug: 'home' } }];
  const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Guide', pages, files }] });
  await exportSnapshot({ mirror: world.mirror, snapshot, to });
  const tree = readTree(to, []);
  const page = Object.keys(tree).find((path) => path.endsWith('home.md')) ?? '';
  return String(tree[page]);
}

it.each([
  ['under another signature', `![a](${HOST}/lo%20go.png?token=2)`, '![a](assets/logo.png)'],
  ['in HTML', `<img src="${HOST}/lo%20go.png?expires=9&amp;token=3">`, '<img src="assets/logo.png">'],
  ['with a space in its anchor', `[a](<${HOST}/lo%20go.png?token=2#a b>)`, '[a](<assets/logo.png#a b>)'],
  ['with a bracket in its anchor', `[a](${HOST}/lo%20go.png?token=2#\\(b)`, '[a](assets/logo.png#\\(b)'],
  [
    'with a quote in its anchor',
    `<a href="${HOST}/lo%20go.png?token=2#&quot;b">x</a>`,
    '<a href="assets/logo.png#&quot;b">',
  ],
  ['told by its query', `[x](${HOST}/get?file=2)`, '[x](assets/two.png)'],
  ['told by what of its query is no signature', `![a](${HOST}/get?file=2&token=1)`, '![a](assets/two.png)'],
])(
  'export leads to the file that a text shows by its address, %s: pictures were read from the platform',
  async (_how, text, expected) => {
    expect(await exported(`${text}\n`)).toContain(expected);
  },
);

it.each([
  ['files that only an unknown query tells apart', `![a](${HOST}/get?file=3&token=1)`],
  ['another query where one file alone has the path: it led to that file', `![a](${HOST}/show?file=2)`],
  ['a file without bytes', `![a](${HOST}/lost.png?token=1)`],
  ['the same path elsewhere', '![a](https://other.test/o/s1/lo%20go.png)'],
  ['code', `\`![a](${HOST}/lo%20go.png)\``],
])('export leaves an address as it is that names no file for certain: %s', async (_what, text) => {
  expect(await exported(`${text}\n`)).toContain(text);
});

it('export leads to a file that a text shows by its address once its bytes are there: the page went on showing the platform', async () => {
  const pages = [{ id: 'p1', title: 'Home', text: `![a](${HOST}/late.png?token=2)\n`, body: { slug: 'home' } }];
  const put = async (bytes: string | null): Promise<string> => {
    const files = [{ id: 'late', name: 'late.png', bytes, body: { downloadURL: `${HOST}/late.png?token=1` } }];
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'Guide', pages, files }] });
    await exportSnapshot({ mirror: world.mirror, snapshot, to });
    const tree = readTree(to, []);
    return String(tree[Object.keys(tree).find((path) => path.endsWith('home.md')) ?? '']);
  };
  expect(await put(null)).toContain(HOST);
  expect(await put('late')).toContain('![a](assets/late.png)');
});
