// Weeks of nights through the command line, with kills and faults at any instant and other commands beside: what is kept stays as it was,
// what nobody keeps goes, and what is said to be whole is.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { sha256, systemClock, type Random } from '../../src/base/index.ts';
import { listSnapshots, readMirror } from '../../src/mirror/index.ts';
import { belongings } from '../support/belongings.ts';
import { building } from '../support/edits.ts';
import { stateOf } from '../support/state.ts';
import { happened } from './disaster-world.ts';
import { isKnownExit, shifted, untilDone } from './disturbed.ts';
import { pick } from './edits.ts';
import { start } from './processes.ts';
import { demandWhole, happen, night, onStage, type Stage, type StageOptions } from './stage.ts';

const nights = fc.record({
  made: building,
  settled: belongings,
  happened: fc.array(happened, { minLength: 4, maxLength: 10 }),
  isGit: fc.boolean(),
});

/** Throws with the seed where a promise was not kept. */
export async function runNights(options: StageOptions): Promise<void> {
  const [plan] = fc.sample(nights, { seed: options.seed, numRuns: 1 });
  if (plan === undefined) throw new Error('no nights were made');
  const config = `export:\n  enabled: true\n  git: ${plan.isGit}\n`;
  await onStage(options, { ...plan, config }, async (stage) => {
    const kept = new Map<number, string>();
    for (const one of plan.happened) {
      await happen(stage, one);
      const snapshot = await night(stage);
      kept.set(snapshot, held(stage, snapshot));
      for (let jobs = 1 + stage.random.int(4); jobs > 0; jobs--) await job(stage);
      demandKept(stage, kept);
    }
    await demandExport(stage);
    await demandWhole(stage);
    const oldest = Math.min(...snapshotsOf(stage));
    await untilDone(stage, { args: () => ['drill', '--snapshot', String(oldest), '--json'], ends: [0] });
  });
}

const JOBS: readonly ((stage: Stage) => readonly string[])[] = [
  ({ random }) => [...forget(random), '--json'],
  ({ random }) => [...forget(random), '--prune', '--json'],
  ({ random }) => [...forget(random), '--prune', '--json'],
  () => ['prune', '--json'],
  () => ['check', '--read-data', '--json'],
  () => ['check', '--json'],
  () => ['drill', '--json'],
  ({ folder }) => ['report', '--out', join(folder, 'report.html'), '--json'],
  (stage) => ['export', '--snapshot', anySnapshot(stage), '--to', join(stage.folder, 'another'), '--json'],
  (stage) => ['snapshots', 'pin', anySnapshot(stage), '--reason', 'by chance', '--json'],
  (stage) => ['snapshots', 'unpin', anySnapshot(stage), '--json'],
  () => ['query', '--recipe', 'stale-pages', '--json'],
];

function forget(random: Random): string[] {
  const [last, daily, weekly] = [1 + random.int(3), random.int(4), random.int(3)];
  return ['forget', '--keep-last', String(last), '--keep-daily', String(daily), '--keep-weekly', String(weekly)];
}

/** One of them, mostly with others beside, which are refused or wait. */
async function job(stage: Stage): Promise<void> {
  const { random } = stage;
  const args = (pick(random, JOBS) ?? forgetAll)(stage);
  const beside = random.int(3) === 0 ? (pick(random, JOBS) ?? forgetAll)(stage) : null;
  const other = beside && besides(stage, beside);
  // What another command holds is refused with a usage code, and pins of what is gone, too.
  await untilDone(stage, { args: () => args, ends: [0, 2] });
  await other;
}

const forgetAll = (): readonly string[] => ['forget', '--keep-last', '1'];

async function besides({ environment, world, tell }: Stage, args: readonly string[]): Promise<void> {
  const ended = await start(args, shifted(environment, world)).ended;
  tell(`  beside: ${args.slice(0, 2).join(' ')} → ${ended.code ?? 'by signal'}`);
  if (!isKnownExit(ended) || /locked|SQLITE/.test(ended.stderr))
    throw new Error(`${args.join(' ')} beside another ended with ${ended.code}: ${ended.stderr.slice(-800)}`);
}

/** What a snapshot holds, as a hash. */
function held(stage: Stage, snapshot: number): string {
  using mirror = mirrorOf(stage);
  return sha256(JSON.stringify(stateOf(mirror, snapshot)));
}

function demandKept(stage: Stage, kept: ReadonlyMap<number, string>): void {
  for (const snapshot of snapshotsOf(stage)) {
    const was = kept.get(snapshot);
    if (was !== undefined && held(stage, snapshot) !== was)
      throw new Error(`snapshot ${snapshot} holds something else than when it was sealed`);
  }
}

/** The export of the newest snapshot is what a first one writes, but for names that what stood beside has left. */
async function demandExport(stage: Stage): Promise<void> {
  await night(stage);
  const { folder, environment, world } = stage;
  const fresh = join(folder, 'fresh');
  const { code, stderr } = await start(['export', '--to', fresh, '--json'], shifted(environment, world)).ended;
  if (code !== 0) throw new Error(`export ended with ${code}: ${stderr.slice(-500)}`);
  const [own = [], first = []] = [join(folder, 'data', 'content'), fresh].map(written);
  const only = [...own.filter((one) => !first.includes(one)), ...first.filter((one) => !own.includes(one))];
  if (only.length > 0 || own.length !== first.length)
    throw new Error(`the export is not what a first one of the same snapshot writes: ${only.join(', ')}`);
}

/** The files of an export with the hashes of what they hold, without what tells names apart, and the slug of which such a name says nothing. */
function written(folder: string): string[] {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  return sums.map((line) => {
    const name = line.slice(line.indexOf('  ') + 2);
    const text = readFileSync(join(folder, name), 'latin1');
    const slug = `\nslug: ${basename(plain(name), '.md')}\n`;
    return `${plain(name)} ${sha256(plain(text).replace(slug, '\n'))}`;
  });
}

function plain(text: string): string {
  return text.replaceAll(/-[0-9a-f]{8}\b/g, '');
}

function anySnapshot(stage: Stage): string {
  return String(pick(stage.random, snapshotsOf(stage)) ?? 1);
}

function snapshotsOf(stage: Stage): number[] {
  using mirror = mirrorOf(stage);
  return listSnapshots(mirror).flatMap(({ id, state }) => (state === 'complete' ? [id] : []));
}

function mirrorOf({ environment }: Stage): ReturnType<typeof readMirror> {
  return readMirror({ dataDir: environment['DOCMIRROR_DATA_DIR'] ?? '', clock: systemClock() });
}
