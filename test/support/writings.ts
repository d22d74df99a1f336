// An organization in which people wrote whatever the platform takes: texts of every form, links of every kind to whatever is there,
// titles that collide and titles that are hard to keep, change requests and comments.
import fc from 'fast-check';
import type { Page } from '../../src/contract/index.ts';
import { addCollection, addRequest, addSpace, edit, flatten, importFiles, type Change } from './content.ts';
import { ODD_FILES, ODD_TEXTS, ODD_TITLES } from './odd-writings.ts';
import { isRefused } from './refused.ts';
import type { TestWorld } from './world.ts';

export interface Writing {
  readonly act: keyof typeof ACTS;
  readonly space: number;
  readonly one: number;
  readonly other: number;
  readonly title: number;
  /** Which fragments the text is made of. */
  readonly text: readonly number[];
}

interface Place {
  readonly world: TestWorld;
  readonly spaces: readonly string[];
  readonly collection: string;
  readonly space: string;
  readonly pages: readonly Page[];
  readonly page: Page;
  readonly other: Page;
  readonly files: readonly string[];
  readonly writing: Writing;
}

/** What a page may be called. */
export const TITLES = [
  'Ant',
  'ant',
  'Ant!',
  'Bee & Co. <b>',
  'C* [dog] (e)',
  'Été',
  'E\u0301te\u0301',
  '日本語',
  '../etc',
  'a/b',
  'CON',
  '#1 `code`',
  'x'.repeat(120),
  '🙂',
  'README',
  'SUMMARY',
  'Tail.',
  '1. One',
  '- Dash',
  '"Quoted" \\ back',
  '_under_ ~tilde~ | pipe',
  '{% hint %}',
  ...ODD_TITLES,
] as const;

type Fragment = (place: Place) => string;

function elsewhere({ spaces, writing: { other } }: Place): string {
  return spaces[other % spaces.length] ?? '';
}

const LINKS: readonly Fragment[] = [
  ({ other }) => `/pages/${other.id}`,
  ({ page }) => `/pages/${page.id}`,
  ({ other }) => `/pages/${other.id}#part-one`,
  ({ space, other }) => `/spaces/${space}/pages/${other.id}`,
  ({ space }) => `/spaces/${space}`,
  (place) => `/spaces/${elsewhere(place)}`,
  () => '#part-one',
  () => '/pages/missing',
  () => '/spaces/missing/pages/missing',
  ({ files, writing: { one } }) => `/files/${files[one % Math.max(1, files.length)] ?? 'missing'}`,
  ({ collection }) => `/collections/${collection}`,
  () => 'https://example.com/a?b=c&d=%20e#f',
  () => 'https://example.com/(paren)',
  () => 'mailto:somebody@example.com',
  () => '/openapi/petstore',
  ({ other }) => `${other.path ?? 'nowhere'}.md`,
  () => 'some/where.md',
  () => '../up.md',
  () => '',
];

const at = <T>(all: readonly T[], number: number): T | undefined => all[number % all.length];
const link = (place: Place, shift = 0): string =>
  at(LINKS, place.writing.other + place.writing.one + shift)?.(place) ?? '';

const FRAGMENTS: readonly Fragment[] = [
  (place) => `A paragraph with [a link](${link(place)}).`,
  (place) => `Two: [one](${link(place, 1)}) and [**two**](${link(place, 2)} "title").`,
  (place) => `# Part one\n\nBelow [it](${link(place, 3)}).`,
  (place) => `## [Heading](${link(place, 4)}) with *marks* and \`code\``,
  (place) => `* item\n* [item](${link(place, 5)})\n  1. nested\n  2. **bold**\n\n     more\n* last`,
  (place) => `- [ ] to do\n- [x] done, see [it](${link(place, 6)})`,
  (place) => `| A | B |\n| - | :-: |\n| [a](${link(place, 7)}) | x \\| y |\n| \`c\` | **d** |`,
  (place) => `> A quote with [a link](${link(place, 8)}).\n>\n> And more.`,
  (place) => `\`\`\`js\nconst a = "[not](${link(place)})";\n\`\`\``,
  () => '````\n```\ninner\n```\n````',
  (place) => `{% hint style="warning" %}\nMind [this](${link(place, 9)}).\n{% endhint %}`,
  (place) =>
    `{% tabs %}\n{% tab title="One" %}\nFirst [x](${link(place, 10)}).\n{% endtab %}\n\n{% tab title="Two" %}\nSecond.\n{% endtab %}\n{% endtabs %}`,
  (place) => `<details>\n\n<summary>More</summary>\n\nHidden [x](${link(place, 11)}).\n\n</details>`,
  (place) => `![Picture](${link(place, 9)})`,
  (place) => `{% embed url="https://example.com/${place.writing.one}" %}`,
  () => '$$\na^2 + b^2\n$$',
  () => 'Inline $$x_1$$ formula, line  \nbreak and <br> html.',
  () => '***',
  () => 'Stars \\* and \\_ and \\[ and & and < and > and \\\\ and ~~gone~~.',
  () => '<div align="center">html</div>',
  () => 'Trailing space   ',
  () => '    indented code',
  () => 'A\tB\u00a0C\u200bD \u202eRTL',
  (place) => `<https://example.com/${place.writing.one}> and https://example.com/plain`,
  (place) => `[reference][1]\n\n[1]: ${link(place, 12) || '/x'}`,
  (place) => `[![in](${link(place, 9)})](${link(place, 13)})`,
  (place) => `{% content-ref url="${link(place)}" %}\n[x](${link(place)})\n{% endcontent-ref %}`,
  (place) => `{% file src="${link(place, 9)}" %}`,
  (place) => `<a href="${link(place, 2)}" class="button">Button</a>`,
  () => '{% unknown thing="1" %}\ntext\n{% endunknown %}',
  () => '{% hint %}\nnot closed',
  () => '1. one\n1. one more\n\n5. five',
  () => 'Term[^1].\n\n[^1]: A note.',
  (place) => `A mention of [somebody](/users/${place.world.platform.organizations()[0] ?? 'x'}).`,
  () => '---\ntitle: no front matter\n---\n\nText',
  () => 'line one\nline two',
  () => '',
  ...ODD_TEXTS.map((text) => () => text),
];

function textOf(place: Place): string {
  return place.writing.text.map((number) => at(FRAGMENTS, number)?.(place) ?? '').join('\n\n');
}

function titleOf({ title }: Writing): string {
  return at(TITLES, title) ?? '';
}

function below({ other, writing: { one } }: Place): { into?: string } {
  return one % 2 === 0 || other.type === 'link' ? {} : { into: other.id };
}

function rewritten(place: Place): Change {
  return { type: 'update_page', page: place.page.id, document: { markdown: textOf(place) } };
}

function inserted(place: Place): Change {
  return { type: 'insert_page', title: titleOf(place.writing), document: { markdown: textOf(place) }, ...below(place) };
}

const ACTS = {
  insert: (place) => edit(place.world, place.space, inserted(place)),
  write: async (place) => {
    if (place.page.type === 'document') await edit(place.world, place.space, rewritten(place));
  },
  rename: ({ world, space, page, writing }) =>
    edit(world, space, { type: 'update_page', page: page.id, title: titleOf(writing) }),
  describe: ({ world, space, page, writing }) =>
    edit(world, space, { type: 'update_page', page: page.id, description: titleOf(writing) }),
  remove: async ({ world, space, page, pages }) => {
    if (pages.length > 2) await edit(world, space, { type: 'delete_page', page: page.id });
  },
  move: async ({ world, space, page, other, writing: { one } }) => {
    const isBelow = (from: Page): boolean => from.id === other.id || (from.pages ?? []).some(isBelow);
    const into = other.type === 'link' || isBelow(page) ? null : other.id;
    await edit(world, space, { type: 'update_page', page: page.id, into, at: one % 2 });
  },
  importFile: async ({ world, space, writing: { one } }) =>
    importFiles(world, space, {
      [`f${one % 3}.md`]: `# File ${one}\n\n[bytes](f${one % 3}.txt)\n`,
      [`f${one % 3}.txt`]: `${one}`,
    }),
  importOdd: async ({ world, space, writing: { one, other } }) => {
    const [first, second] = [at(ODD_FILES, one) ?? '', at(ODD_FILES, other) ?? ''];
    const links = [first, second].map((name) => `![it](<${name}>) [it](${encodeURI(name)})`).join('\n\n');
    await importFiles(world, space, { 'odd.md': `# Odd\n\n${links}\n`, [first]: 'one', [second]: 'two' });
  },
  request: async (place) => {
    const changes = [inserted(place), ...(place.page.type === 'document' ? [rewritten(place)] : [])];
    const { id } = await addRequest(place.world, place.space, {
      subject: titleOf(place.writing).slice(0, 100),
      changes,
    });
    const path = { spaceId: place.space, changeRequestId: id };
    if (place.writing.one % 2 === 0) await place.world.api.updateChangeRequest({ path, body: { status: 'open' } });
    await place.world.api.createChangeRequestComment({ path, body: { body: { markdown: textOf(place) || 'Empty' } } });
  },
  proposeRemoval: async ({ world, space, page, pages }) => {
    if (pages.length > 2)
      await addRequest(world, space, { subject: 'Away', changes: [{ type: 'delete_page', page: page.id }] });
  },
  comment: async (place) => {
    const path = { spaceId: place.space };
    const body = { page: place.page.id, body: { markdown: textOf(place) || 'Empty' } };
    const { id } = await place.world.api.createComment({ path, body });
    await place.world.api.createCommentReply({
      path: { ...path, commentId: id },
      body: { body: { markdown: `See [it](${link(place)})` } },
    });
  },
  retitle: async ({ world, space, writing }) => {
    await world.api.updateSpace({ path: { spaceId: space }, body: { title: titleOf(writing).slice(0, 50) } });
  },
} satisfies Record<string, (place: Place) => Promise<void>>;

const number = fc.nat({ max: 200 });

/** What people wrote, in turn. */
export const writings: fc.Arbitrary<Writing[]> = fc.array(
  fc.record({
    act: fc.constantFrom(
      ...(['insert', 'insert', 'insert', 'write', 'write', 'write'] as const),
      ...(Object.keys(ACTS) as (keyof typeof ACTS)[]),
    ),
    space: number,
    one: number,
    other: number,
    title: number,
    text: fc.array(number, { minLength: 0, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n  * [Deep](deep.md)\n',
  'README.md': '# Home\n\nSee [use](use.md).\n\n![Logo](logo.png)\n',
  'use.md': '# Use\n\n## Part one\n\nGo [home](README.md).\n',
  'deep.md': '# Deep\n\n[A file](notes.txt).\n',
  'notes.txt': 'Notes.\n',
  'logo.png': 'not really\n',
};

export interface Written {
  readonly spaces: readonly string[];
  readonly collection: string;
}

/** Two spaces with a little in them, one of them in a collection, and what was written since. */
export async function written(world: TestWorld, all: readonly Writing[]): Promise<Written> {
  const collection = await addCollection(world, 'Shelf');
  const spaces = [await addSpace(world, 'Alpha', collection), await addSpace(world, 'Beta')];
  for (const space of spaces) await importFiles(world, space, PAGES);
  await writtenSince(world, { spaces, collection }, all);
  return { spaces, collection };
}

/** What people went on writing. What the platform refuses did not happen. */
export async function writtenSince(world: TestWorld, made: Written, all: readonly Writing[]): Promise<void> {
  for (const writing of all) {
    const space = at(made.spaces, writing.space) ?? '';
    const revision = await world.api.getRevision({ path: { spaceId: space } });
    const pages = flatten(revision.pages);
    const [page, other] = [at(pages, writing.one), at(pages, writing.other)];
    if (page === undefined || other === undefined) continue;
    const files = revision.files.map(({ id }) => id);
    try {
      await ACTS[writing.act]({ ...made, world, space, pages, page, other, files, writing });
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
}
