// `npm run bench [-- NAME…]`: runs benchmarks, prints tables and JSON, keeps the last results in test/bench/results.md.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';
import { drill } from './drill.ts';
import { exporting } from './export.ts';
import { growth } from './growth.ts';
import { root, type Benchmark, type Figure } from './harness.ts';
import { limiter } from './limiter.ts';
import { memory } from './memory.ts';
import { nights } from './nights.ts';
import { platform } from './platform.ts';
import { prune } from './prune.ts';
import { recipes } from './recipes.ts';
import { restore } from './restore.ts';
import { status } from './status.ts';
import { startToReady } from './start-to-ready.ts';
import { walk } from './walk.ts';

const benchmarks: readonly Benchmark[] = [
  startToReady,
  nights,
  walk,
  limiter,
  memory,
  platform,
  growth,
  check,
  prune,
  recipes,
  status,
  exporting,
  restore,
  drill,
];
const results = join(root, 'test', 'bench', 'results.md');

function isMet({ value, bound }: Figure): boolean {
  return value <= (bound?.most ?? Infinity) && value >= (bound?.least ?? -Infinity);
}

function boundText({ bound }: Figure): string {
  if (bound === undefined) return '';
  const parts = [
    bound.least === undefined ? '' : `at least ${bound.least}`,
    bound.most === undefined ? '' : `at most ${bound.most}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function section(benchmark: Benchmark, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const value = figure.value.toLocaleString('en', { maximumFractionDigits: 2 });
    const verdict = figure.bound === undefined ? '' : isMet(figure) ? 'met' : 'MISSED';
    return `| ${figure.what} | ${value} ${figure.unit} | ${boundText(figure)} | ${verdict} |`;
  });
  return [
    `## ${benchmark.name}`,
    '',
    `${benchmark.about}.`,
    '',
    '| figure | measured | bound | |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Replaces the sections that were measured now, keeps the others. */
async function keep(sections: ReadonlyMap<string, string>): Promise<void> {
  const before = await readFile(results, 'utf8').catch(() => '');
  const old = new Map(
    [...before.matchAll(/^## (\S+)\n[\s\S]*?(?=^## |(?![\s\S]))/gm)].map((found) => [found[1] ?? '', found[0]]),
  );
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, SQLite through better-sqlite3`;
  const head = `# Benchmark results\n\nLast run of each, by \`npm run bench\`. Machine: ${machine}.\n\n`;
  const texts = benchmarks.flatMap(({ name }) => sections.get(name) ?? old.get(name) ?? []);
  await writeFile(results, `${head}${texts.map((text) => text.trimEnd()).join('\n\n')}\n`);
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0)
  throw new Error(`no benchmark ${unknown.join(', ')}; there are ${benchmarks.map(({ name }) => name).join(', ')}`);
const sections = new Map<string, string>();
const json: Record<string, Figure[]> = {};
for (const benchmark of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue;
  const figures = await benchmark.run();
  const text = section(benchmark, figures);
  process.stdout.write(`${text}\n`);
  sections.set(benchmark.name, text);
  json[benchmark.name] = figures;
}
await keep(sections);
process.stdout.write(`${JSON.stringify(json)}\n`);
const missed = Object.values(json)
  .flat()
  .filter((figure) => !isMet(figure));
if (missed.length > 0) process.exitCode = 1;
