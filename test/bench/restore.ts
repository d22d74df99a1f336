import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory, runJson, startPlatformProcess, type Benchmark, type Figure } from './harness.ts';

const SPACES = 150;
const PAGES = 20;

interface Planned {
  readonly requests: number;
  readonly actions: Readonly<Record<string, number>>;
}

interface Applied {
  readonly restore: string;
  readonly done: number;
  readonly failed: number;
  readonly requests: number;
  readonly waitedMs: number;
  readonly durationMs: number;
}

/** What an apply costs beside what its platform does. */
export const restore: Benchmark = {
  name: 'restore',
  about:
    'a restore into an empty organization of an embedded platform in a process of its own on loopback: of the demo, and of ' +
    `${SPACES} spaces x ${PAGES} pages; one step at a time, so that the time of the exchanges is the time that is waited`,
  async run() {
    const scale = ['--seed', 'scale', '--spaces', String(SPACES), '--pages', String(PAGES)];
    return [...(await measure('demo', ['--seed', 'demo'])), ...(await measure('scale', scale))];
  },
};

async function measure(name: string, seed: readonly string[]): Promise<Figure[]> {
  await using directory = await freshDirectory();
  const config = join(directory.path, 'docmirror.yaml');
  await writeFile(config, 'export:\n  enabled: false\n');
  const settings = { DOCMIRROR_CONFIG: config, DOCMIRROR_DATA_DIR: join(directory.path, 'data') };
  {
    await using source = await startPlatformProcess(seed);
    await runJson(['sync'], { ...source.environment, ...settings });
  }
  await using target = await startPlatformProcess(['--seed', 'empty']);
  const environment = { ...settings, DOCMIRROR_TARGET_TOKEN: target.token };
  const file = join(directory.path, 'plan.json');
  const where = ['--target-url', target.url];
  const plan = await runJson<Planned>(
    ['restore', 'plan', '--snapshot', 'latest', '--out', file, ...where],
    environment,
  );
  const { json, cpuMs, ms, peakMiB } = await runJson<Applied>(['restore', 'apply', file, ...where], environment);
  // What every command costs before it begins is not the apply's.
  const idle = await runJson(['restore', 'list'], environment);
  const off = Math.abs(json.requests - plan.json.requests) / json.requests;
  return [
    { what: `${name}: steps done`, value: json.done, unit: 'steps' },
    { what: `${name}: apply`, value: json.durationMs / 1000, unit: 's' },
    { what: `${name}: writes`, value: json.done / (json.durationMs / 1000), unit: 'writes/s' },
    {
      what: `${name}: share of the time in which the platform or the limiter is waited for`,
      value: json.waitedMs / json.durationMs,
      unit: '',
      bound: { least: 0.8 },
    },
    {
      what: `${name}: share of the time in which the whole process computes nothing, its threads included`,
      value: Math.max(0, 1 - (cpuMs - idle.cpuMs) / (ms - idle.ms)),
      unit: '',
    },
    { what: `${name}: requests`, value: json.requests, unit: 'requests' },
    { what: `${name}: requests beside the forecast`, value: 100 * off, unit: '%', bound: { most: 5 } },
    { what: `${name}: peak memory`, value: peakMiB, unit: 'MiB', bound: { most: 256 } },
  ];
}
