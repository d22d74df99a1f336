// npm run chaos -- [--seed N] [--minutes M] [--only walks|restores|meanwhile|nights] [--keep FOLDER]: chaos until the time is up. The same seed
// makes the same choices. Of what breaks in restores and nights, mirror and plans are kept in the folder.
import { parseArgs } from 'node:util';
import { writeStdout } from '../../src/base/index.ts';
import { runChaos } from './chaos.ts';
import { runDisaster } from './disasters.ts';
import { runMeanwhile } from './meanwhile.ts';
import { runNights } from './nights.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});
const { keep } = values;
const ends = performance.now() + Number(values.minutes) * 60_000;
const tell = (line: string): void => void say(line);
for (let seed = Number(values.seed); performance.now() < ends; seed++) {
  await say(`seed ${seed}`);
  const options = { seed, tell, ...(keep === undefined ? {} : { keepIn: keep }) };
  if (isAsked('restores')) {
    await runDisaster(options);
    await say(`seed ${seed}: what was done was brought back, and taken back`);
  }
  if (isAsked('meanwhile')) {
    await runMeanwhile(options);
    await say(`seed ${seed}: what people did meanwhile stands`);
  }
  if (isAsked('nights')) {
    await runNights(options);
    await say(`seed ${seed}: what was kept stayed as it was`);
  }
  if (!isAsked('walks')) continue;
  const rounds = await runChaos({ seed, goOn: (round) => round < 20 && performance.now() < ends, tell });
  await say(`seed ${seed}: ${rounds} rounds clean`);
}

function isAsked(what: 'restores' | 'meanwhile' | 'nights' | 'walks'): boolean {
  return (values.only ?? what) === what;
}

function say(line: string): Promise<void> {
  return writeStdout(`${line}\n`);
}
