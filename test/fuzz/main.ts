// npm run fuzz -- [--seed N] [--minutes M]: what the suite tries a little of, with one seed after the other until the time is up.
// Ends with the first seed that finds something; the same seed tries the same again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { setExitCode, writeStdout } from '../../src/base/index.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '5' } },
});
const RUNS = '15';
// Long histories, and restores of whatever people have made: the suite has time for a few of each.
const MODELS = [
  'test/mirror/model.long.test.ts',
  'test/mirror/retention.test.ts',
  'test/scenarios/two-mirrors.test.ts',
  'test/scenarios/edited-midway.test.ts',
  'test/restore/any-organization.test.ts',
  'test/restore/any-writing.test.ts',
  'test/restore/cut-off-random.test.ts',
  'test/restore/in-place-random.test.ts',
];
const LONGEST_TEST_MS = '600000';

const ends = performance.now() + Number(values.minutes) * 60_000;
for (let seed = Number(values.seed); performance.now() < ends; seed++) {
  await writeStdout(`seed ${seed}\n`);
  if (await isClean(seed)) continue;
  await writeStdout(`seed ${seed} found something\n`);
  setExitCode(1);
  break;
}

async function isClean(seed: number): Promise<boolean> {
  const env = { ...process.env, DOCMIRROR_TEST_SEED: String(seed), DOCMIRROR_TEST_RUNS: RUNS };
  const args = ['vitest', 'run', 'test/fuzz', ...MODELS, '--testTimeout', LONGEST_TEST_MS];
  const [code] = (await once(spawn('npx', args, { env, stdio: 'inherit' }), 'exit')) as [number | null];
  return code === 0;
}
