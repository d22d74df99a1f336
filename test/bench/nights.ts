import { quietNights, SIZES, type Sync } from './quiet-nights.ts';
import {
  callApi,
  freshDirectory,
  runJson,
  startPlatformProcess,
  type Benchmark,
  type Figure,
  type Platform,
} from './harness.ts';

/** What a night costs when nothing changed, and when one page did. */
export const nights: Benchmark = {
  name: 'nights',
  about:
    'first walk, unchanged night and night with one edited page of the demo platform; then ' +
    `nights in which nothing changed, of ${SIZES.join(', ')} spaces x 20 pages (NIGHTS_BENCH_SPACES sets them) on an embedded platform in a process ` +
    'of its own: mean over the seven nights in which every listing is read again once, best time',
  async run() {
    return [...(await demoNights()), ...(await quietNights())];
  },
};

async function demoNights(): Promise<Figure[]> {
  await using platform = await startPlatformProcess(['--seed', 'demo']);
  await using directory = await freshDirectory();
  const environment = { ...platform.environment, DOCMIRROR_DATA_DIR: directory.path };
  const first = await runJson<Sync>(['sync'], environment);
  const second = await runJson<Sync>(['sync'], environment);
  await editOnePage(platform);
  const third = await runJson<Sync>(['sync'], environment);
  const spaces = first.json.kinds['space']?.seen ?? 0;
  const versions = third.json.kinds['page'];
  const written = (versions?.added ?? 0) + (versions?.changed ?? 0);
  const perSpace = second.json.requests / spaces;
  return [
    { what: 'demo: first walk', value: first.json.durationMs, unit: 'ms' },
    { what: 'demo: first walk', value: first.json.requests, unit: 'requests' },
    { what: 'demo: unchanged night', value: second.json.durationMs, unit: 'ms' },
    { what: 'demo: unchanged night', value: perSpace, unit: 'requests per space', bound: { most: 7 } },
    { what: 'demo: one page edited', value: written, unit: 'page versions', bound: { least: 1, most: 1 } },
  ];
}

async function editOnePage(platform: Platform): Promise<void> {
  interface List {
    readonly items: { readonly id: string }[];
  }
  interface Tree {
    readonly pages: { readonly id: string; readonly type: string; readonly pages?: Tree['pages'] }[];
  }
  const [organization] = platform.organizations;
  const members = await callApi<List>(platform, `GET /v1/orgs/${organization}/members`);
  const seen = await callApi<{ items: { space: { id: string } }[] }>(
    platform,
    `GET /v1/orgs/${organization}/members/${members.items[0]?.id}/spaces`,
  );
  const space = seen.items[0]?.space.id ?? '';
  const tree = await callApi<Tree>(platform, `GET /v1/spaces/${space}/content`);
  const documents = tree.pages
    .flatMap((page) => [page, ...(page.pages ?? [])])
    .filter((page) => page.type === 'document');
  const request = await callApi<{ id: string }>(platform, `POST /v1/spaces/${space}/change-requests`, {
    subject: 'One edit',
  });
  const changes = [
    { type: 'update_page', page: documents[0]?.id, document: { markdown: 'Edited by the benchmark.\n' } },
  ];
  await callApi(platform, `POST /v1/spaces/${space}/change-requests/${request.id}/content`, { changes });
  await callApi(platform, `POST /v1/spaces/${space}/change-requests/${request.id}/merge`);
}
