import { freshDirectory, start, type Benchmark } from './harness.ts';

/** From a fresh data directory to "ready": platform seeded, first walk, export, drill. */
export const startToReady: Benchmark = {
  name: 'start',
  about: '`npm start` on an empty data directory until it is ready (build and npm ci not counted)',
  async run() {
    await using directory = await freshDirectory();
    const began = performance.now();
    const environment = {
      DOCMIRROR_DATA_DIR: directory.path,
      DOCMIRROR_BASE_URL: '',
      DOCMIRROR_TOKEN: '',
      DOCMIRROR_STATUS_PORT: '0',
    };
    const running = start(['start'], environment);
    const text = await running.until(/\bready\b/i);
    const seconds = (performance.now() - began) / 1000;
    running.child.kill('SIGINT');
    const stopping = performance.now();
    const { peakMiB } = await running.finished;
    const pages = Number((/([\d,]+)\s+pages?\b/.exec(text)?.[1] ?? '0').replaceAll(',', ''));
    return [
      { what: 'to ready', value: seconds, unit: 's', bound: { most: 60 } },
      { what: 'pages mirrored', value: pages, unit: 'pages', bound: { least: 300 } },
      { what: 'end after SIGINT', value: (performance.now() - stopping) / 1000, unit: 's', bound: { most: 5 } },
      { what: 'peak memory of platform and mirror in one process', value: peakMiB, unit: 'MiB' },
    ];
  },
};
