import { BESIDE, besideBareRoute, type Question } from './beside-bare-route.ts';
import {
  callApi,
  freshDirectory,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Platform,
} from './harness.ts';

/** How fast and how large the embedded platform is. */
export const platform: Benchmark = {
  name: 'platform',
  about: `the embedded platform in a process of its own: requests per second ${BESIDE}; "new" is what was never asked before; and the scale seed`,
  async run() {
    return [...(await speed()), ...(await seeding()), ...(await size())];
  },
};

async function speed(): Promise<Figure[]> {
  await using asked = await startPlatformProcess(['--seed', 'scale', '--spaces', '100', '--pages', '20']);
  return await besideBareRoute({
    name: 'platform',
    server: asked,
    questions: await questionsTo(asked),
    isNewToo: true,
    least: 0.5,
  });
}

interface List<Item> {
  readonly count: number;
  readonly items: readonly Item[];
  readonly next?: { readonly page: string };
}

interface Page {
  readonly id: string;
  readonly type: string;
  readonly pages?: readonly Page[];
}

const spacesPath = async (asked: Platform): Promise<`/${string}`> => {
  const [organization] = asked.organizations;
  const members = await callApi<List<{ id: string }>>(asked, `GET /v1/orgs/${organization}/members`);
  return `/v1/orgs/${organization}/members/${members.items[0]?.id}/spaces`;
};

async function questionsTo(asked: Platform): Promise<Question[]> {
  const list: `/${string}` = `${await spacesPath(asked)}?limit=100`;
  const spaces = await callApi<List<{ space: { id: string } }>>(asked, `GET ${list}`);
  const content: `/${string}` = `/v1/spaces/${spaces.items[0]?.space.id}/content`;
  const tree = await callApi<{ pages: readonly Page[] }>(asked, `GET ${content}`);
  const leaf = documentsIn(tree.pages).find((page) => (page.pages ?? []).length === 0);
  return [
    { what: 'page of 4 KB', path: `${content}/page/${leaf?.id}?format=markdown` },
    { what: 'list of 100 spaces', path: list },
  ];
}

function documentsIn(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documentsIn(page.pages ?? [])]);
}

async function seeding(): Promise<Figure[]> {
  const began = performance.now();
  await using seeded = await startPlatformProcess(['--seed', 'scale', '--spaces', '1000', '--pages', '20']);
  const seconds = (performance.now() - began) / 1000;
  const listed = await callApi<List<unknown>>(seeded, `GET ${await spacesPath(seeded)}?limit=1`);
  return [
    { what: 'scale seed of 1,000 spaces x 20 pages, in memory', value: seconds, unit: 's', bound: { most: 60 } },
    { what: 'spaces listed then', value: listed.count, unit: 'spaces', bound: { least: 1000 } },
  ];
}

const LARGE = { spaces: 1600, pages: 100 };

async function size(): Promise<Figure[]> {
  await using directory = await freshDirectory();
  const began = performance.now();
  const { spaces, pages } = LARGE;
  const seed = ['--seed', 'scale', '--spaces', String(spaces), '--pages', String(pages)];
  const large = await startPlatformProcess([...seed, '--data', directory.path]);
  const seeded = performance.now();
  const found = await countPages(large);
  const counted = performance.now();
  const peakMiB = await large.stop();
  return [
    { what: 'scale seed of 160,000 pages on disk', value: (seeded - began) / 1000, unit: 's' },
    { what: 'pages found in a full listing', value: found, unit: 'pages', bound: { least: spaces * pages } },
    { what: 'full listing', value: (counted - seeded) / 1000, unit: 's' },
    { what: 'peak memory of the platform over both', value: peakMiB, unit: 'MiB', bound: { most: 512 } },
  ];
}

async function countPages(asked: Platform): Promise<number> {
  const path = await spacesPath(asked);
  let found = 0;
  for (let token: string | undefined = ''; token !== undefined;) {
    const query: string = token === '' ? '' : `&page=${token}`;
    const list: List<{ space: { id: string } }> = await callApi(asked, `GET ${path}?limit=100${query}`);
    for (const { space } of list.items) {
      const tree = await callApi<{ pages: readonly Page[] }>(asked, `GET /v1/spaces/${space.id}/content/pages`);
      found += documentsIn(tree.pages).length;
    }
    token = list.next?.page;
  }
  return found;
}
