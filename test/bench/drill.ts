import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory, runJson, startPlatformProcess, type Benchmark } from './harness.ts';

const SPACES = 1000;
const PAGES = 20;
const MOST_SECONDS = 300;
const MOST_MIB = 512;

interface Drilled {
  readonly passed: boolean;
  readonly requests: number;
  readonly durationMs: number;
  readonly fidelity: { readonly exact: { readonly fields: number; readonly equal: number } };
  readonly brokenLinks: { readonly before: number; readonly after: number };
}

/** A restore of everything, rehearsed: the embedded platform that it is rehearsed in lives in the same process. */
export const drill: Benchmark = {
  name: 'drill',
  about: `\`docmirror drill\` of ${SPACES} spaces x ${PAGES} pages: plan, apply, walk of what was restored, comparison; the platform that it goes into is part of the measured process`,
  async run() {
    await using directory = await freshDirectory();
    const config = join(directory.path, 'docmirror.yaml');
    await writeFile(config, 'export:\n  enabled: false\n');
    const settings = { DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: join(directory.path, 'data') };
    {
      await using platform = await startPlatformProcess([
        '--seed',
        'scale',
        '--spaces',
        String(SPACES),
        '--pages',
        String(PAGES),
      ]);
      await runJson(['sync'], { ...platform.environment, ...settings });
    }
    const { json, peakMiB, ms } = await runJson<Drilled>(['drill'], settings);
    const { fields, equal } = json.fidelity.exact;
    return [
      { what: 'drill', value: ms / 1000, unit: 's', bound: { most: MOST_SECONDS } },
      { what: 'peak memory', value: peakMiB, unit: 'MiB', bound: { most: MOST_MIB } },
      { what: 'requests', value: json.requests, unit: 'requests' },
      { what: 'exact fields that came back equal', value: (100 * equal) / fields, unit: '%', bound: { least: 100 } },
      {
        what: 'links newly broken',
        value: Math.max(0, json.brokenLinks.after - json.brokenLinks.before),
        unit: 'links',
        bound: { most: 0 },
      },
    ];
  },
};
