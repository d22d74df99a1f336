// Acts upon collections and spaces, and upon what spaces hold beside the texts.
import { about, at, collectionsIn, LEVELS, spacesIn, wordOf, type Act, type Acting } from './belonging.ts';
import { addSpace, edit, flatten, importFiles, PNG } from './content.ts';

const EMOJI = ['1f600', '', 'rocket', '🙂'] as const;
const SLUGS = ['petstore', 'answers', 'nowhere'] as const;
const DAY_MS = 86_400_000;

/** Beside a space or a collection, or at the end. */
async function positionOf(acting: Acting) {
  const { one, other, word } = acting;
  const space = at(await spacesIn(acting), other);
  const collection = at(await collectionsIn(acting), other);
  const beside =
    word % 2 === 0 && space !== undefined
      ? { type: 'space' as const, space }
      : { type: 'collection' as const, collection: collection ?? '' };
  if (one % 3 === 0) return {};
  return { position: one % 3 === 1 ? { before: beside } : { after: beside } };
}

async function parentFor(acting: Acting) {
  return at([null, ...(await collectionsIn(acting))], acting.word) ?? null;
}

function looks({ one, other, word }: Acting): string {
  const yes = (number: number): boolean => Math.floor(one / number) % 2 === 0;
  return [
    '---',
    `title: ${JSON.stringify(`Look ${other}`)}`,
    ...(yes(1) ? [`description: ${JSON.stringify(wordOf({ word }))}`] : []),
    ...(yes(2) ? ['emoji: 1f600'] : ['icon: book']),
    ...(yes(3) ? ['hidden: true'] : []),
    ...(yes(4) ? ['noIndex: true', 'noRobotsIndex: true'] : []),
    ...(yes(5) ? ['cover: pic.png', 'coverY: 3'] : yes(6) ? ['cover: https://example.com/c.png'] : []),
    ...(yes(7) ? ['layout:', '  cover: true', '  title:', '    visible: false', '  outline: false'] : []),
    '---',
    '',
    'Text. ![](pic.png)',
    '',
  ].join('\n');
}

export const PLACE_ACTS = {
  addCollection: async (acting) => {
    const parent = await parentFor(acting);
    const body = { title: wordOf(acting), ...(parent === null ? {} : { parent }) };
    await acting.api.createCollection({ path: acting.path, body });
  },
  setCollection: async (acting) =>
    about(await collectionsIn(acting), acting.one, (collectionId) =>
      acting.api.updateCollection({
        path: { collectionId },
        body:
          at(
            [
              { title: wordOf(acting) },
              { description: wordOf(acting, 100) },
              { defaultLevel: at(LEVELS, acting.word) ?? null },
            ],
            acting.other,
          ) ?? {},
      }),
    ),
  moveCollection: async (acting) =>
    about(await collectionsIn(acting), acting.other, async (collectionId) =>
      acting.api.moveCollection({
        path: { collectionId },
        body: { parent: await parentFor(acting), ...(await positionOf(acting)) },
      }),
    ),
  removeCollection: async (acting) =>
    about(await collectionsIn(acting), acting.one, (collectionId) =>
      acting.api.deleteCollection({ path: { collectionId } }),
    ),
  addSpace: async (acting) => {
    const parent = await parentFor(acting);
    const emoji = at(EMOJI, acting.other) ?? '';
    const editMode = acting.one % 4 === 0 ? 'locked' : 'live';
    const body = { title: wordOf(acting), emoji, editMode, ...(parent === null ? {} : { parent }) } as const;
    await acting.api.createSpace({ path: acting.path, body });
  },
  setSpace: async (acting) => {
    const { other, word } = acting;
    const choices = [
      { title: wordOf({ word }) },
      { emoji: at(EMOJI, word) ?? '' },
      { defaultLevel: at(LEVELS, word) ?? null },
      { editMode: word % 2 === 0 ? ('locked' as const) : ('live' as const) },
    ];
    await about(await spacesIn(acting), acting.one, (spaceId) =>
      acting.api.updateSpace({ path: { spaceId }, body: at(choices, other) ?? {} }),
    );
  },
  moveSpace: async (acting) =>
    about(await spacesIn(acting), acting.other, async (spaceId) =>
      acting.api.moveSpace({
        path: { spaceId },
        body: { parent: await parentFor(acting), ...(await positionOf(acting)) },
      }),
    ),
  removeSpace: async (acting) => {
    const spaces = await spacesIn(acting);
    if (spaces.length < 2) return;
    await about(spaces, acting.one, async (spaceId) => {
      await acting.api.deleteSpace({ path: { spaceId } });
      acting.bin.push(spaceId);
    });
  },
  purgeSpace: async (acting) => {
    await PLACE_ACTS.removeSpace(acting);
    acting.world.clock.advance(8 * DAY_MS);
    // The bin is looked through whenever something goes into it.
    await acting.api.deleteSpace({ path: { spaceId: await addSpace(acting.world, 'Brief') } });
  },
  undeleteSpace: async ({ api, bin }) => {
    const spaceId = bin.pop();
    if (spaceId !== undefined) await api.restoreSpace({ path: { spaceId } });
  },
  duplicateSpace: async (acting) =>
    about(await spacesIn(acting), acting.one, (spaceId) => acting.api.duplicateSpace({ path: { spaceId } })),
  addLooks: async (acting) =>
    about(await spacesIn(acting), acting.word, (space) =>
      importFiles(acting.world, space, { [`look-${acting.other % 3}.md`]: looks(acting), 'pic.png': PNG }),
    ),
  addKinds: async (acting) =>
    about(await spacesIn(acting), acting.one, (space) =>
      importFiles(acting.world, space, {
        'SUMMARY.md': `* [${acting.other % 3}](https://example.com/${acting.one})\n\n## G${acting.other % 2}\n\n* [In](in.md)\n`,
        'in.md': '# In\n\n{% include "includes/part.md" %}\n',
        'includes/part.md': `# Part ${acting.one % 2}\n\nReused.\n`,
        [`notes-${acting.word % 2}.txt`]: `Notes ${acting.other}.\n`,
      }),
    ),
  addComputed: async (acting) =>
    about(await spacesIn(acting), acting.one, (space) =>
      acting.world.platform.addComputedPage({
        space,
        spec: at(SLUGS, acting.other) ?? '',
        title: `API ${acting.word % 3}`,
      }),
    ),
  setPage: async (acting) => {
    const { world, api, one, other, word } = acting;
    await about(await spacesIn(acting), other, async (space) => {
      const { pages } = await api.getRevision({ path: { spaceId: space } });
      const fields = [
        { emoji: at(EMOJI, word) ?? '' },
        { icon: word % 2 === 0 ? 'book' : '' },
        { description: wordOf({ word }) },
        { hidden: word % 2 === 0 },
        { noIndex: word % 2 === 0, noRobotsIndex: word % 3 === 0 },
        { slug: `s${word % 4}` },
        { into: null, at: word % 3 },
      ];
      await about(flatten(pages), one, ({ id }) =>
        edit(world, space, { type: 'update_page', page: id, ...at(fields, one + word) }),
      );
    });
  },
  removePage: async (acting) => {
    const { world, api, one, other } = acting;
    await about(await spacesIn(acting), other, async (space) => {
      const { pages } = await api.getRevision({ path: { spaceId: space } });
      await about(flatten(pages), one, ({ id }) => edit(world, space, { type: 'delete_page', page: id }));
    });
  },
} satisfies Record<string, Act>;
