// Disasters and restores through the command line, with kills and faults at any instant: what a restore says that it brought must stand,
// once, and a plan made afterwards must find nothing left to do.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/base/index.ts';
import { startPlatform } from '../../src/platform/index.ts';
import { readPlan } from '../../src/restore/index.ts';
import { settled, settledSince, type Settled } from '../support/belongings.ts';
import { organizationOf, perform, type Edited } from '../support/edits.ts';
import { isRefused } from '../support/refused.ts';
import { TestWorld } from '../support/world.ts';
import { disasterOf, type Disaster, type Happened } from './disaster-world.ts';
import { said, shifted, untilDone, type Disturbing } from './disturbed.ts';
import { start, type Ended } from './processes.ts';
import { demandTruth } from './truth.ts';

const CONFIG = `limits:
  timeout: 2s
  retries: 1
  maxWait: 2s
walk:
  rereadNights: 2
  brake:
    deletedCount: 1000000
    rewrittenCount: 1000000
export:
  enabled: false
`;
const HOUR_MS = 3_600_000;
// What was done to a space before it was deleted shows once it is out of the bin; what a collection held, once that is back.
const MOST_PLANS = 4;

interface Stage extends Disturbing {
  readonly edited: Edited;
  readonly people: Settled;
  readonly folder: string;
}

interface Written {
  readonly restore: string;
  /** False where a space may have been in the bin and was not: a new plan makes it anew. */
  readonly isDone: boolean;
}

export interface DisasterOptions {
  readonly seed: number;
  readonly tell: (line: string) => void;
  /** Where mirror and plans stay if a promise was not kept. */
  readonly keepIn?: string;
}

/** Throws with the seed where a promise was not kept. */
export async function runDisaster({ seed, tell, keepIn }: DisasterOptions): Promise<void> {
  const disaster = disasterOf(seed);
  const random = seededRandom(seed);
  await using world = await TestWorld.create();
  const folder = world.folder();
  try {
    writeFileSync(join(folder, 'docmirror.yaml'), CONFIG);
    const edited = await organizationOf(world, disaster.made);
    const people = await settled(world, disaster.settled);
    const environment = environmentOf(world, folder);
    const stage = { world, edited, people, random, folder, tell, against: world.platform, environment };
    const snapshots = await mirrored(stage, disaster);
    for (const { done, inPlace } of disaster.disasters) {
      const snapshot = snapshots[random.int(snapshots.length)] ?? 1;
      await happen(stage, done);
      if (inPlace === null) await anew(stage, snapshot);
      else await mended(stage, snapshot, inPlace);
    }
    await whole(stage);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    if (keepIn !== undefined) cpSync(folder, join(keepIn, `seed-${seed}`), { recursive: true });
    throw new Error(`disaster with seed ${seed}: ${what}`, { cause: error });
  }
}

function environmentOf({ platform }: TestWorld, folder: string): Record<string, string> {
  return {
    DOCMIRROR_BASE_URL: platform.url,
    DOCMIRROR_TOKEN: platform.token,
    DOCMIRROR_CONFIG: join(folder, 'docmirror.yaml'),
    DOCMIRROR_DATA_DIR: join(folder, 'data'),
    DOCMIRROR_LOG_LEVEL: 'error',
  };
}

/** The nights before; answers the numbers of their snapshots. */
async function mirrored(stage: Stage, { nights }: Disaster): Promise<number[]> {
  const complete = [await night(stage)];
  for (const one of nights) {
    await happen(stage, one);
    complete.push(await night(stage));
  }
  return complete;
}

async function night(stage: Stage): Promise<number> {
  const { stdout } = await untilDone(stage, { args: () => ['sync', '--json'], ends: [0] });
  return (JSON.parse(stdout) as { snapshot: number }).snapshot;
}

async function happen({ world, edited, people, tell }: Stage, { edits, belongings, hours }: Happened): Promise<void> {
  world.clock.advance(hours * HOUR_MS);
  for (const one of edits) {
    try {
      await perform(edited, one);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
  await settledSince(world, people, belongings);
  world.clock.advance(60_000);
  tell(`  ${[...edits, ...belongings].map(({ act }) => act).join(', ')}; ${hours} h`);
}

async function mended(stage: Stage, snapshot: number, options: readonly string[]): Promise<void> {
  const all = [...options, '--snapshot', String(snapshot), '--scope', `organization:${stage.world.organization}`];
  const restores: string[] = [];
  for (let round = 1; ; round++) {
    const plan = await planned(stage, all);
    const steps = await stepsOf(plan);
    if (steps.length === 0) break;
    if (round > MOST_PLANS) throw new Error(`there is always something left to do:\n${steps.join('\n')}`);
    const { restore, isDone } = await applied(stage, plan);
    restores.push(restore);
    if (isDone) await verified(stage, restore);
  }
  const last = restores.at(-1);
  if (last !== undefined) await takenBack(stage, last);
}

/** After all of it the mirror is true, nothing in it is damaged, and what it holds can be restored. */
async function whole(stage: Stage): Promise<void> {
  const { world, folder, tell } = stage;
  await night(stage);
  const environment = shifted(stage.environment, world);
  await demandTruth({ folder, tell, environment }, 'a night after it all');
  for (const args of [
    ['check', '--read-data', '--json'],
    ['drill', '--json'],
  ]) {
    const { code, stdout, stderr } = await start(args, environment).ended;
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${said(stdout)}${stderr.slice(-500)}`);
  }
}

async function anew(stage: Stage, snapshot: number): Promise<void> {
  const { world, environment } = stage;
  await using target = await startPlatform({
    clock: world.clock,
    random: world.nextTarget(),
    log: world.log,
    database: ':memory:',
    checkAnswers: true,
  });
  const into = {
    ...stage,
    against: target,
    environment: { ...environment, DOCMIRROR_TARGET_URL: target.url, DOCMIRROR_TARGET_TOKEN: target.token },
  };
  const plan = await planned(into, [
    '--snapshot',
    String(snapshot),
    '--scope',
    `organization:${world.organization}`,
    '--to-organization',
    target.organizations()[0] ?? '',
  ]);
  const { restore } = await applied(into, plan);
  await verified(into, restore);
  await takenBack(into, restore);
}

/** Path of a plan. */
async function planned(stage: Stage, options: readonly string[]): Promise<string> {
  mkdirSync(join(stage.folder, 'plans'), { recursive: true });
  const out = join(stage.folder, 'plans', `${stage.random.id(8)}.json`);
  await untilDone(stage, { args: () => ['restore', 'plan', ...options, '--out', out, '--json'], ends: [0] });
  stage.tell(`  plan of ${(await stepsOf(out)).length} steps`);
  return out;
}

/** What it writes, a line for each step. */
async function stepsOf(path: string): Promise<string[]> {
  const { steps } = await readPlan(path);
  return steps
    .filter(({ part }) => part !== 'none')
    .map(({ part, kind, title, note }) => `${part} ${kind} ${title}: ${note}`);
}

async function applied(stage: Stage, plan: string): Promise<Written> {
  const before = await restoresOf(stage);
  let restore: string | undefined;
  const ended = await untilDone(stage, {
    args: async () => {
      restore = (await restoresOf(stage)).find((id) => !before.includes(id));
      return restore === undefined ? ['restore', 'apply', plan, '--json'] : ['restore', 'resume', restore, '--json'];
    },
    ends: [0, 3],
  });
  restore = (await restoresOf(stage)).find((id) => !before.includes(id));
  if (restore === undefined) throw new Error('an applied plan is in no list of restores');
  return { restore, isDone: isAtEnd(ended) };
}

interface Failure {
  readonly error: string;
  readonly skipped: boolean;
}

/** Throws where something is left to be resumed. */
function isAtEnd({ stdout }: Ended): boolean {
  const { failures, left } = JSON.parse(stdout) as { failures: Failure[]; left: number };
  const own = failures.filter(({ skipped }) => !skipped);
  const isOfBin = own.length > 0 && own.every(({ error }) => error.includes('in its bin'));
  if (failures.length > 0 && !isOfBin)
    throw new Error(`steps failed where nothing went wrong:\n${JSON.stringify(failures, null, 1)}`);
  if (left > 0) throw new Error(`${left} steps were not begun`);
  return failures.length === 0;
}

async function restoresOf({ environment, world }: Stage): Promise<string[]> {
  const { code, stdout, stderr } = await start(['restore', 'list', '--json'], shifted(environment, world)).ended;
  if (code !== 0) throw new Error(`restore list ended with ${code}: ${stderr}`);
  return (JSON.parse(stdout) as { restore: string }[]).map(({ restore }) => restore);
}

async function verified(stage: Stage, restore: string): Promise<void> {
  const ended = await untilDone(stage, { args: () => ['restore', 'verify', restore, '--json'], ends: [0] });
  stage.tell(`  verified: ${ended.stdout.slice(0, 120)}`);
}

async function takenBack(stage: Stage, restore: string): Promise<void> {
  const before = await restoresOf(stage);
  const ended = await untilDone(stage, {
    args: async () => {
      const undo = (await restoresOf(stage)).find((id) => !before.includes(id));
      return undo === undefined ? ['restore', 'undo', restore, '--json'] : ['restore', 'resume', undo, '--json'];
    },
    ends: [0, 3],
  });
  stage.tell(`  taken back: exit ${ended.code}`);
}
