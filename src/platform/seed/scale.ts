// Any number of spaces and pages, the same for the same seed: for measuring, not for reading.
import { seededRandom, type Random } from '../../base/index.ts';
import { createCaller } from './caller.ts';
import { importArchive, type Seeding } from './import-archive.ts';
import { DEFAULT_LIMITS } from '../import/limits.ts';
import { packZip } from '../import/pack.ts';
import { phrase, scaleText } from './scale-text.ts';
import { startSourceServer } from './source-server.ts';
import type { SeedOptions, SeedResult } from './target.ts';

export interface ScaleOptions extends SeedOptions {
  spaces: number;
  /** Pages in each space. */
  pages: number;
  /** Chooses the text (1). */
  seed?: number;
}

const PAGE_BYTES = 4096;
const SPACES_IN_COLLECTION = 50;
const CHILDREN = 5;

/** Pages of a space beyond which an import refuses its archive: one entry is the table of contents. */
export const MOST_SCALE_PAGES = DEFAULT_LIMITS.entries - 1;

/**
 * Fills the platform's first organization through its API with `spaces` spaces of `pages` pages of about 4 KB, nested, in collections
 * of 50. One space is in memory at a time. Throws DM_HTTP_STATUS or DM_IMPORT_FAILED when the platform refuses something.
 */
export async function seedScale(options: ScaleOptions): Promise<SeedResult> {
  const { platform, spaces, pages, seed = 1, onProgress, signal } = options;
  const organization = platform.organizations()[0] ?? (await platform.createOrganization({ title: 'Scale' }));
  await using caller = createCaller({ url: platform.url, token: platform.token, ...(signal ? { signal } : {}) });
  await using sources = await startSourceServer();
  const seeding: Seeding = { caller, sources, organization };
  let collection = '';
  for (let number = 0; number < spaces; number++) {
    if (number % SPACES_IN_COLLECTION === 0) collection = await addCollection(seeding, number);
    await addSpace(seeding, { parent: collection, number, pages, random: seededRandom(seed * 1_000_003 + number) });
    onProgress?.({ spaces: number + 1, totalSpaces: spaces, pages: (number + 1) * pages });
  }
  return { organizations: [organization], spaces, pages: spaces * pages };
}

async function addCollection({ caller, organization }: Seeding, number: number): Promise<string> {
  const title = `Spaces from ${number + 1}`;
  const path = { organizationId: organization };
  return (await caller.call('createCollection', { path, body: { title } })).id;
}

interface ScaleSpace {
  parent: string;
  number: number;
  pages: number;
  random: Random;
}

async function addSpace(seeding: Seeding, { parent, number, pages, random }: ScaleSpace): Promise<void> {
  const { caller, organization } = seeding;
  const body = { title: `Space ${number + 1}`, emoji: '📦', parent };
  const space = await caller.call('createSpace', { path: { organizationId: organization }, body });
  if (pages > 0) await importArchive(seeding, space.id, await packZip(files(pages, random), { compress: false }));
}

/** A table of contents in which every page holds up to five others, and the pages. */
function* files(pages: number, random: Random): Iterable<[path: string, content: string]> {
  const titles = Array.from({ length: pages }, (_, index) => `${phrase(random, 3)} ${index + 1}`);
  const lines: string[] = [];
  const addLines = (index: number, indent: string): void => {
    lines.push(`${indent}* [${titles[index] ?? ''}](page-${index + 1}.md)`);
    for (let child = 1; child <= CHILDREN; child++) {
      const next = index * CHILDREN + child;
      if (next < pages) addLines(next, `${indent}  `);
    }
  };
  addLines(0, '');
  yield ['SUMMARY.md', lines.join('\n')];
  for (const [index, title] of titles.entries()) {
    yield [`page-${index + 1}.md`, `# ${title}\n\n${scaleText(random, PAGE_BYTES)}`];
  }
}
