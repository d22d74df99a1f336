// Every command with whatever options and arguments: it ends with a code of its own and says why, and --json stays JSON.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/base/index.ts';
import { testFolder, type TestFolder } from '../support/cli.ts';
import { programAt } from '../support/programs.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { allCommands, commandLine, wordsOf, type CommandLineEnd } from './command-lines.ts';
import { runs, SEED } from './runs.ts';

const EXITS: ReadonlySet<number | null> = new Set([0, ...Object.values(ERROR_CODES).map(({ exit }) => exit)]);
const DEPTH = 'a/b/c/d/e/f';

const commands = await allCommands();
const names = commands.map((command) => wordsOf(command).join(' '));

/** Runs all of them in one process, below a folder that is deep enough for every `..` among them. */
async function runAll(
  folder: TestFolder,
  lines: readonly string[][],
  env: Record<string, string>,
): Promise<CommandLineEnd[]> {
  const [cwd, from, to] = [folder.at(DEPTH), folder.at('lines.json'), folder.at('ends.json')];
  writeFileSync(from, JSON.stringify(lines));
  const settings = {
    PATH: process.env['PATH'] ?? '',
    HOME: cwd,
    TZ: 'UTC',
    DOCMIRROR_DATA_DIR: join(cwd, 'data'),
    ...env,
  };
  const program = programAt('test/fuzz/command-lines-process.ts');
  const run = promisify(execFile)(process.execPath, [program, from, to], { cwd, env: settings });
  await run.catch(() => undefined);
  return JSON.parse(readFileSync(to, 'utf8')) as CommandLineEnd[];
}

function expectClear({ argv, code, stdout, stderr }: CommandLineEnd): void {
  const line = JSON.stringify(argv).slice(0, 500);
  expect(EXITS, line).toContain(code);
  expect(stderr, line).not.toContain('DM_INTERNAL');
  if (!argv.some((word) => /^(debug|trace)$|=(debug|trace)$/.test(word))) expect(stderr, line).not.toMatch(/\n {4}at /);
  if (code !== 0 && stdout === '') expect(stderr, line).toMatch(/\(DM_[A-Z_]+\)\n {2}what to do: ./);
  const isPlain = argv.includes('--help') || argv[0] === 'completion' || argv[0] === 'complete';
  if (argv.includes('--json') && !isPlain && stdout !== '')
    expect(() => JSON.parse(stdout) as unknown, line).not.toThrow();
}

describe(`fuzz/command-lines (seed ${SEED})`, () => {
  const ends: CommandLineEnd[] = [];
  let beside: string[] = [];

  beforeAll(async () => {
    using folder = testFolder();
    mkdirSync(folder.at(DEPTH), { recursive: true });
    await using platform = await startSeeded();
    const env = { DOCMIRROR_BASE_URL: platform.url, DOCMIRROR_TOKEN: platform.token };
    const first = ['sync', '--json'];
    const lines = commands.flatMap((command) => fc.sample(commandLine(command), { seed: SEED, numRuns: runs(2) }));
    ends.push(...(await runAll(folder, [first, ...lines], env)));
    beside = readdirSync(folder.path);
  }, 600_000);

  it('runs every line to its end', () => {
    expect(ends.filter(({ code }) => code === null)).toEqual([]);
    expect(new Set(ends.map(({ argv }) => argv[0]))).toEqual(new Set(names.map((name) => name.split(' ')[0])));
  });

  it.each(names)('ends %s with a code of its own, whatever it is given', (name) => {
    const own = ends.filter(({ argv }) => argv.slice(0, name.split(' ').length).join(' ') === name);
    expect(own.length).toBeGreaterThan(0);
    for (const end of own) expectClear(end);
  });

  it('leaves everything else as it was', () => {
    expect(beside.toSorted()).toEqual(['a', 'ends.json', 'lines.json']);
  });
});
