// One process that runs many command lines, one after the other, and tells how each ended. What stays up is interrupted.
// Arguments: a file with a JSON list of command lines, and one that gets the list of ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../src/base/index.ts';
import { createRun } from '../../src/cli/command.ts';
import { run } from '../../src/cli/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { CommandLineEnd } from './command-lines.ts';

const PATIENCE_MS = 500;
const FIRST_MS = 60_000;

async function runOne(argv: readonly string[], patienceMs: number): Promise<CommandLineEnd> {
  const streams = ['stdout', 'stderr'] as const;
  const written = { stdout: '', stderr: '' };
  for (const name of streams) {
    process[name].write = ((chunk: unknown, ...rest: unknown[]) => {
      written[name] += String(chunk);
      const done = rest.find((one) => typeof one === 'function');
      if (done) process.nextTick(done);
      return true;
    }) as typeof process.stdout.write;
  }
  using _interrupt = systemClock().after(patienceMs, () => void process.emit('SIGINT'));
  const code = await run(argv);
  for (const name of streams) Reflect.deleteProperty(process[name], 'write');
  return { argv, code, ...written };
}

// Loading takes longer than the patience.
await Promise.all([import('../../src/app.ts'), createProgram(createRun(new AbortController().signal, []))]);

const [from = '', to = ''] = process.argv.slice(2);
const ends: CommandLineEnd[] = [];
for (const argv of JSON.parse(readFileSync(from, 'utf8')) as string[][]) {
  // Written before as well, so that a command which takes the process with it is named.
  writeFileSync(to, JSON.stringify([...ends, { argv, code: null, stdout: '', stderr: '' }]));
  // The first one makes the mirror that the others read.
  ends.push(await runOne(argv, ends.length === 0 ? FIRST_MS : PATIENCE_MS));
}
writeFileSync(to, JSON.stringify(ends));
process.exit(0);
