// npm run chaos -- [--seed N] [--minutes M]: rounds of chaos until the time is up. The same seed makes the same choices.
import { parseArgs } from 'node:util';
import { writeStdout } from '../../src/base/index.ts';
import { runChaos } from './chaos.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '5' } },
});
const ends = performance.now() + Number(values.minutes) * 60_000;
for (let seed = Number(values.seed); performance.now() < ends; seed++) {
  await say(`seed ${seed}`);
  const rounds = await runChaos({
    seed,
    goOn: (round) => round < 20 && performance.now() < ends,
    tell: (line) => void say(line),
  });
  await say(`seed ${seed}: ${rounds} rounds clean`);
}

function say(line: string): Promise<void> {
  return writeStdout(`${line}\n`);
}
