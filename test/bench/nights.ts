import { firstSpace, mergeEdit } from './edits.ts';
import { freshDirectory, runJson, startPlatformProcess, type Benchmark, type Figure } from './harness.ts';
import { quietNights, SIZES, type Sync } from './quiet-nights.ts';

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
  const { space, pages } = await firstSpace(platform);
  await mergeEdit(platform, { space, page: pages[0] ?? '', markdown: 'Edited by the benchmark.\n' });
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
