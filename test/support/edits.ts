// Random edits of an organization through its API, by people and by vandals: each is told by an act and by numbers that pick what it is about.
import fc from 'fast-check';
import type { Page } from '../../src/contract/index.ts';
import { addCollection, addSpace, edit, flatten, importFiles, type Change } from './content.ts';
import type { TestWorld } from './world.ts';

export interface Edit {
  readonly act: Act;
  readonly space: number;
  readonly one: number;
  readonly other: number;
}

/** Spaces that stand, and those that were deleted; the edits keep them up to date. */
export interface Edited {
  readonly world: TestWorld;
  readonly spaces: string[];
  readonly deleted: string[];
}

interface Place {
  readonly edited: Edited;
  readonly space: string;
  readonly pages: readonly Page[];
  readonly page: Page;
  readonly other: Page;
  readonly edit: Edit;
}

const TITLES = ['Ant', 'Bee', 'Cat', 'Dog', 'Eel'] as const;
const DAY_MS = 86_400_000;

function titleOf(number: number): string {
  return TITLES[number % TITLES.length] ?? '';
}

function parentOf({ pages }: Pick<Place, 'pages'>, id: string): string | null {
  return pages.find((one) => (one.pages ?? []).some((child) => child.id === id))?.id ?? null;
}

function isBelow(page: Page, id: string): boolean {
  return page.id === id || (page.pages ?? []).some((child) => isBelow(child, id));
}

/** Where a page can go: below another one, or to the top, where groups always stand. */
function into({ page, other, edit: { one } }: Place): string | null {
  const isTop = one % 3 === 0 || page.type === 'group' || other.type === 'link' || isBelow(page, other.id);
  return isTop ? null : other.id;
}

function below({ other, edit: { one } }: Place): { into?: string } {
  return one % 3 === 0 || other.type === 'link' ? {} : { into: other.id };
}

function textOf({ edited, other, edit: { one, space } }: Place): string {
  const elsewhere = edited.spaces[space % edited.spaces.length] ?? '';
  const app = `${edited.world.platform.url}/app/s`;
  const links = [
    `[it](/pages/${other.id})`,
    `[there](/spaces/${elsewhere})`,
    'nothing',
    `[it](/pages/${other.id})`,
    `[there](${app}/${elsewhere})`,
    // As people copy it: what the app shows at no address, such as a link in the table of contents, has none.
    `[it](${other.urls?.app ?? `/pages/${other.id}`})`,
  ];
  return `Text ${one}: see ${links[one % links.length] ?? ''}.`;
}

function rewrite({ page }: Place, markdown: string): Change[] {
  return page.type === 'document'
    ? [{ type: 'update_page', page: page.id, title: page.title, document: { markdown } }]
    : [];
}

/** Edits of pages: batches of one change request each. */
const PAGE_ACTS = {
  rename: ({ page, edit: { one } }) => [[{ type: 'update_page', page: page.id, title: titleOf(one) }]],
  slug: ({ page, edit: { one } }) => [[{ type: 'update_page', page: page.id, slug: titleOf(one).toLowerCase() }]],
  move: (place) => [[{ type: 'update_page', page: place.page.id, into: into(place), at: place.edit.one % 3 }]],
  swap: ({ page, other }) => [
    [
      { type: 'update_page', page: page.id, title: other.title, slug: other.slug ?? 'x' },
      { type: 'update_page', page: other.id, title: page.title, slug: page.slug ?? 'y' },
    ],
  ],
  remove: ({ page }) => [[{ type: 'delete_page', page: page.id }]],
  recreate: (place) => [
    [{ type: 'delete_page', page: place.page.id }],
    [
      {
        type: 'insert_page',
        title: place.page.title,
        slug: place.page.slug ?? 'x',
        into: parentOf(place, place.page.id),
        document: { markdown: `Anew ${place.edit.one}.` },
      },
    ],
  ],
  takePlace: (place) => {
    const { page, other } = place;
    const above = parentOf(place, page.id);
    if (page.id === other.id || isBelow(page, other.id) || isBelow(other, page.id)) return [];
    if (other.type === 'group' && above !== null) return [];
    return [
      [{ type: 'delete_page', page: page.id }],
      [{ type: 'update_page', page: other.id, slug: page.slug ?? 'x', title: page.title, into: above }],
    ];
  },
  add: (place) => [
    [
      {
        type: 'insert_page',
        title: titleOf(place.edit.one),
        document: { markdown: textOf(place) },
        ...below(place),
      },
    ],
  ],
  belowNew: (place) => [
    [
      {
        type: 'insert_page',
        title: titleOf(place.edit.other),
        ref: 'new',
        document: { markdown: 'A cover.' },
        into: parentOf(place, place.page.id),
      },
    ],
  ],
  text: (place) => [rewrite(place, textOf(place))],
  hide: ({ page, edit: { one } }) => [[{ type: 'update_page', page: page.id, hidden: one % 2 === 0 }]],
  show: ({ page, edit: { one } }) => [
    [{ type: 'update_page', page: page.id, emoji: one % 2 === 0 ? '1f600' : '', description: titleOf(one) }],
  ],
  thereAndBack: ({ page }) => [
    [{ type: 'update_page', page: page.id, title: 'For a while' }],
    [{ type: 'update_page', page: page.id, title: page.title }],
  ],
} satisfies Record<string, (place: Place) => Change[][]>;

/** Edits of spaces, and of what only an import can make. */
const OTHER_ACTS = {
  removeSpace: async ({ edited, space }) => {
    if (edited.spaces.length < 2) return;
    await edited.world.api.deleteSpace({ path: { spaceId: space } });
    edited.spaces.splice(edited.spaces.indexOf(space), 1);
    edited.deleted.push(space);
  },
  purgeSpace: async (place) => {
    await OTHER_ACTS.removeSpace(place);
    place.edited.world.clock.advance(8 * DAY_MS);
    place.edited.deleted.length = 0;
  },
  undelete: async ({ edited }) => {
    const spaceId = edited.deleted.pop();
    if (spaceId === undefined) return;
    await edited.world.api.restoreSpace({ path: { spaceId } });
    edited.spaces.push(spaceId);
  },
  renameSpace: async ({ edited, space, edit: { one } }) => {
    await edited.world.api.updateSpace({ path: { spaceId: space }, body: { title: `Space ${titleOf(one)}` } });
  },
  addSpace: async ({ edited, edit: { one } }) => {
    edited.spaces.push(await addSpace(edited.world, `Added ${titleOf(one)}`));
  },
  moveSpace: async ({ edited, space }) => {
    const parent = await addCollection(edited.world, 'Elsewhere');
    await edited.world.api.moveSpace({ path: { spaceId: space }, body: { parent } });
  },
  importFile: async ({ edited, space, edit: { one, other } }) => {
    const [name, title] = [`f${one % 3}.txt`, titleOf(other)];
    const page = `# ${title}\n\nImported, with [a file](${name}).\n`;
    await importFiles(edited.world, space, { [`${title.toLowerCase()}.md`]: page, [name]: `Bytes ${other}.` });
  },
  importKinds: async ({ edited, space, edit: { one, other } }) => {
    const summary = `* [${titleOf(one)}](https://example.com/${other % 2})\n\n## ${titleOf(other)}\n\n* [In](in.md)\n`;
    await importFiles(edited.world, space, { 'SUMMARY.md': summary, 'in.md': '# In\n\nIn a group.\n' });
  },
} satisfies Record<string, (place: Place) => Promise<void>>;

type PageAct = keyof typeof PAGE_ACTS;
type Act = PageAct | keyof typeof OTHER_ACTS;

function isPageAct(act: Act): act is PageAct {
  return act in PAGE_ACTS;
}

/** What is deleted in one space stays within it: nothing is done where the pick finds nothing. */
export async function perform(edited: Edited, one: Edit): Promise<void> {
  const space = edited.spaces[one.space % edited.spaces.length] ?? '';
  const pages = flatten((await edited.world.api.getRevision({ path: { spaceId: space } })).pages);
  const [page, other] = [pages[one.one % pages.length], pages[one.other % pages.length]];
  if (page === undefined || other === undefined) return;
  const place: Place = { edited, space, pages, page, other, edit: one };
  const { act } = one;
  if (!isPageAct(act)) return OTHER_ACTS[act](place);
  for (const changes of PAGE_ACTS[act](place)) if (changes.length > 0) await edit(edited.world, space, ...changes);
  if (act === 'belowNew') await moveBelowNew(place);
}

async function moveBelowNew({ edited, space, pages, page }: Place): Promise<void> {
  const known = new Set(pages.map(({ id }) => id));
  const now = flatten((await edited.world.api.getRevision({ path: { spaceId: space } })).pages);
  const cover = now.find(({ id }) => !known.has(id));
  if (cover && page.type !== 'group')
    await edit(edited.world, space, { type: 'update_page', page: page.id, into: cover.id });
}

const number = fc.nat({ max: 40 });

function edits(acts: readonly Act[], maxLength: number): fc.Arbitrary<Edit[]> {
  return fc.array(fc.record({ act: fc.constantFrom(...acts), space: number, one: number, other: number }), {
    minLength: 1,
    maxLength,
  });
}

/** What makes an organization that is not the same twice. */
export const building = edits(['add', 'add', 'add', 'text', 'text', 'move', 'hide', 'importFile', 'importKinds'], 8);

/** What somebody did to it since. */
export const damaging = edits([...(Object.keys(PAGE_ACTS) as PageAct[]), ...(Object.keys(OTHER_ACTS) as Act[])], 6);

const PAGES = {
  'SUMMARY.md':
    '* [Ant](ant.md)\n  * [Bee](bee.md)\n    * [Cat](cat.md)\n* [Dog](dog.md)\n* [Out](https://example.com)\n',
  'ant.md': '# Ant\n\nSee the [cat](cat.md) and [a file](f0.txt).\n',
  'bee.md': '# Bee\n\n## Part\n\nBuzz.\n',
  'cat.md': '# Cat\n\nBack to the [ant](ant.md).\n',
  'dog.md': '# Dog\n\nBark.\n',
  'f0.txt': 'Bytes.\n',
};

/** Two spaces in a collection and one outside, with pages, files, a change request, and what the edits make of them. */
export async function organizationOf(world: TestWorld, made: readonly Edit[]): Promise<Edited> {
  const shelf = await addCollection(world, 'Shelf');
  const spaces = [await addSpace(world, 'Alpha', shelf), await addSpace(world, 'Beta', shelf)];
  for (const space of spaces) await importFiles(world, space, PAGES);
  const edited: Edited = { world, spaces, deleted: [] };
  for (const one of made) await perform(edited, one);
  await world.api.createChangeRequest({ path: { spaceId: spaces[0] ?? '' }, body: { subject: 'Waiting' } });
  return edited;
}
