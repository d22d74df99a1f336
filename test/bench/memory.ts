import { freshDirectory, runJson, startPlatformProcess, type Benchmark } from './harness.ts';

/** Peak memory of the walking process. */
export const memory: Benchmark = {
  name: 'memory',
  about: 'peak resident memory of `docmirror sync` over 10,000 pages of the scale seed (platform in another process)',
  async run() {
    await using platform = await startPlatformProcess(['--seed', 'scale', '--spaces', '100', '--pages', '100']);
    await using directory = await freshDirectory();
    const environment = { ...platform.environment, DOCMIRROR_DATA_DIR: directory.path };
    const first = await runJson<{ durationMs: number }>(['sync'], environment);
    const second = await runJson<{ durationMs: number }>(['sync'], environment);
    return [
      { what: 'first walk of 10,000 pages', value: first.peakMiB, unit: 'MiB', bound: { most: 256 } },
      { what: 'unchanged walk', value: second.peakMiB, unit: 'MiB', bound: { most: 256 } },
      { what: 'first walk', value: 10_000 / (first.json.durationMs / 1000), unit: 'pages/s' },
    ];
  },
};
