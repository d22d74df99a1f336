// `npm run bench [-- NAME… | --list]`: runs benchmarks, prints tables and JSON, keeps the last results in test/bench/results.md.
import { archive } from './archive.ts';
import { check } from './check.ts';
import { drill } from './drill.ts';
import { exporting } from './export.ts';
import { growth } from './growth.ts';
import { createScratch, type Benchmark, type Figure } from './harness.ts';
import { limiter } from './limiter.ts';
import { memory } from './memory.ts';
import { merges } from './merges.ts';
import { nights } from './nights.ts';
import { platform } from './platform.ts';
import { prune } from './prune.ts';
import { recipes } from './recipes.ts';
import { replica } from './replica.ts';
import { restore } from './restore.ts';
import { isMet, keep, section } from './results.ts';
import { status } from './status.ts';
import { startToReady } from './start-to-ready.ts';
import { walk } from './walk.ts';

// Those that make most files first: a disk from which much was removed makes new ones slowly.
const benchmarks: readonly Benchmark[] = [
  exporting,
  archive,
  startToReady,
  nights,
  merges,
  walk,
  limiter,
  memory,
  platform,
  growth,
  check,
  prune,
  recipes,
  status,
  restore,
  drill,
  replica,
];
const names = benchmarks.map(({ name }) => name);

async function runAll(wanted: readonly string[]): Promise<void> {
  const json: Record<string, Figure[]> = {};
  await using scratch = createScratch();
  for (const benchmark of benchmarks) {
    if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue;
    const figures = await benchmark.run(scratch);
    const text = section(benchmark, figures);
    process.stdout.write(`${text}\n`);
    await keep(benchmark.name, text, names);
    json[benchmark.name] = figures;
  }
  process.stdout.write(`${JSON.stringify(json)}\n`);
  const missed = Object.entries(json).flatMap(([name, figures]) =>
    figures.filter((figure) => !isMet(figure)).map(({ what }) => `${name}: ${what}`),
  );
  if (missed.length === 0) return;
  process.stderr.write(`MISSED:\n${missed.map((one) => `  ${one}\n`).join('')}`);
  process.exitCode = 1;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => name !== '--list' && !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are ${names.join(', ')}.\n`);
  process.exitCode = 2;
} else if (wanted.includes('--list')) {
  process.stdout.write(benchmarks.map(({ name, about }) => `${name}: ${about}\n`).join(''));
} else await runAll(wanted);
