// What a run leaves: tables, and the last of each in test/bench/results.md with the machine, the versions, the day and the commit.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { root, type Benchmark, type Figure } from './harness.ts';
import { versionsOfPeers } from './peers.ts';

const results = join(root, 'test', 'bench', 'results.md');

export function isMet({ value, bound }: Figure): boolean {
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

export function section(benchmark: Benchmark, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const value = figure.value.toLocaleString('en', { maximumFractionDigits: Math.abs(figure.value) < 0.1 ? 4 : 2 });
    const verdict = figure.bound === undefined ? '' : isMet(figure) ? 'met' : 'MISSED';
    return `| ${figure.what} | ${value} ${figure.unit} | ${boundText(figure)} | ${verdict} |`;
  });
  return [
    `## ${benchmark.name}`,
    '',
    `${benchmark.about}.`,
    '',
    `Run on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}.`,
    '',
    '| figure | measured | bound | |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...shortfalls(figures),
  ].join('\n');
}

function shortfalls(figures: readonly Figure[]): string[] {
  const missed = figures.filter((figure) => !isMet(figure) && figure.shortfall !== undefined);
  return missed.flatMap(({ what, shortfall }) => [`Missed, ${what}: ${shortfall}`, '']);
}

/** Keeps the section in the place of the one before; the others stay. `names` gives their order. */
export async function keep(name: string, text: string, names: readonly string[]): Promise<void> {
  const before = await readFile(results, 'utf8').catch(() => '');
  const sections = new Map(
    [...before.matchAll(/^## (\S+)\n[\s\S]*?(?=^## |(?![\s\S]))/gm)].map((found) => [found[1] ?? '', found[0]]),
  );
  sections.set(name, text);
  const head = `# Benchmark results\n\nLast run of each, by \`npm run bench\`. ${machine()}\n\n`;
  const texts = names.flatMap((one) => sections.get(one) ?? []);
  await writeFile(results, `${head}${texts.map((one) => one.trimEnd()).join('\n\n')}\n`);
}

/** With a + where the files of the program differ from it. */
function commit(): string {
  const git = (...args: string[]): string =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const name = git('rev-parse', '--short=10', 'HEAD');
  return name === ''
    ? 'unknown'
    : `${name}${git('status', '--porcelain', 'src', 'package-lock.json') === '' ? '' : '+'}`;
}

function machine(): string {
  const database = new SQLite(':memory:');
  const sqlite = String(database.prepare('select sqlite_version()').pluck().get());
  database.close();
  const [processor] = cpus();
  const parts = [`${cpus().length} cores (${processor?.model.trim()})`, `${Math.round(totalmem() / 2 ** 30)} GiB`];
  const versions = [
    `${type()} ${release().split('.', 2).join('.')}`,
    `Node ${process.versions.node}`,
    `SQLite ${sqlite}`,
    ...versionsOfPeers(),
  ];
  return `Machine: ${parts.join(', ')}. Versions: ${versions.join(', ')}.`;
}
