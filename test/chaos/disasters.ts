// Disasters and restores through the command line, with kills and faults at any instant: what a restore says that it brought must stand,
// once, and a plan made afterwards must find nothing left to do.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/index.ts';
import { readerAt, readMirror } from '../../src/mirror/index.ts';
import { startPlatform, type EmbeddedPlatform } from '../../src/platform/index.ts';
import { readPlan } from '../../src/restore/index.ts';
import { disasterOf, type Disaster, type Mended, type Refused } from './disaster-world.ts';
import { isKnownExit, isNothingThere, shifted, untilDone } from './disturbed.ts';
import { setFaults } from './faults.ts';
import { start, type Ended } from './processes.ts';
import { demandWhole, happen, night, onStage, type Stage, type StageOptions } from './stage.ts';

// What was done to a space before it was deleted shows once it is out of the bin; what a collection held, once that is back.
const MOST_PLANS = 4;

/** How a disaster is mended. */
interface Restoring extends Stage {
  readonly refused: Refused | null;
}

interface Written {
  readonly restore: string;
  /** False where a space may have been in the bin and was not: a new plan makes it anew. */
  readonly isDone: boolean;
}

/** Throws with the seed where a promise was not kept. */
export async function runDisaster(options: StageOptions): Promise<void> {
  const disaster = disasterOf(options.seed);
  const config = `${disaster.settings}export:\n  enabled: false\n`;
  await onStage(options, { ...disaster, config }, async (stage) => {
    const snapshots = await mirrored(stage, disaster);
    for (const one of disaster.disasters) {
      const snapshot = snapshots[stage.random.int(snapshots.length)] ?? 1;
      await happen(stage, one.done);
      const asked = [...one.options, '--snapshot', String(snapshot), '--scope', scopeOf(stage, one, snapshot)];
      const how = { ...stage, lacks: one.isWithoutImport ? NO_IMPORT : [], refused: one.refused };
      if (one.where === 'elsewhere') await anew(how, asked);
      else await mended(how, asked);
    }
    await demandWhole(stage);
  });
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

const NO_IMPORT = ['importContent', 'importChangeRequestContent'].map((operation) => ({
  operation,
  effect: { status: 404, body: { error: { code: 404, message: 'Not found' } } },
}));

function scopeOf({ world, edited, environment }: Stage, { scope }: Mended, snapshot: number): string {
  if (typeof scope === 'string') return scope;
  if (typeof scope === 'object' && scope !== null) {
    using mirror = readMirror({ dataDir: environment['DOCMIRROR_DATA_DIR'] ?? '', clock: systemClock() });
    const all = [...readerAt(mirror, snapshot).resources(scope.of)];
    return `${scope.of}:${all[scope.which % Math.max(1, all.length)]?.id ?? 'none'}`;
  }
  const space = scope === null ? undefined : [...edited.spaces, ...edited.deleted][scope];
  return space === undefined ? `organization:${world.organization}` : `space:${space}`;
}

async function mended(stage: Restoring, options: readonly string[]): Promise<void> {
  // What a listing lacks for the first time is believed the second time.
  await night(stage);
  const stood = await night(stage);
  const restores: string[] = [];
  for (let round = 1; ; round++) {
    const plan = await planned(stage, options);
    if (plan === null) break;
    const steps = await stepsOf(plan);
    if (steps.length === 0) break;
    // What no edit sets back differs for good, as each of them has said.
    if (round > MOST_PLANS && stage.lacks?.length) break;
    if (round > MOST_PLANS) throw new Error(`there is always something left to do:\n${steps.join('\n')}`);
    const { restore, isDone } = await applied(stage, plan);
    restores.push(restore);
    if (isDone) await verified(stage, restore);
  }
  const codes: (number | null)[] = [];
  for (const restore of restores.toReversed()) codes.push(await takenBack(stage, restore));
  const isAllBack = codes.every((code) => code === 0) && !stage.lacks?.length;
  if (restores.length > 0 && isAllBack) await demandAsItStood(stage, stood);
}

/** Where all was taken back, a restore of what stood before finds nothing to write. */
async function demandAsItStood(stage: Restoring, stood: number): Promise<void> {
  const all = ['--scope', `organization:${stage.world.organization}`, '--in-place', '--delete', '--full'];
  const plan = await planned(stage, ['--snapshot', String(stood), ...all]);
  const steps = plan === null ? [] : await stepsOf(plan);
  if (steps.length > 0) throw new Error(`all was taken back, and is not as it stood:\n${steps.join('\n')}`);
}

async function anew(stage: Restoring, options: readonly string[]): Promise<void> {
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
  const organization = target.organizations()[0] ?? '';
  const asked = [...options, '--to-organization', organization];
  const restores: string[] = [];
  // The second time beside what stands there by then.
  for (const more of [[], ...(stage.random.int(2) === 0 ? [['--into-existing']] : [])]) {
    const plan = await planned(into, [...asked, ...more]);
    if (plan === null) return;
    const { restore } = await applied(into, plan);
    await verified(into, restore);
    // What has written nothing cannot be taken back, and says so.
    if ((await stepsOf(plan)).length > 0) restores.push(restore);
  }
  const codes: (number | null)[] = [];
  for (const restore of restores.toReversed()) codes.push(await takenBack(into, restore));
  if (codes.every((code) => code === 0)) await demandEmpty(target, organization);
}

/** Where all was taken back, nothing stands that was brought. */
async function demandEmpty({ url, token, owner }: EmbeddedPlatform, organization: string): Promise<void> {
  const path = `/v1/orgs/${organization}`;
  for (const listing of [`${path}/members/${owner}/spaces`, `${path}/collections`, `${path}/teams`, `${path}/sites`]) {
    const response = await fetch(url + listing, { headers: { authorization: `Bearer ${token}` } });
    const { items } = (await response.json()) as { items: unknown[] };
    if (items.length > 0)
      throw new Error(`all was taken back, and ${listing} shows ${JSON.stringify(items).slice(0, 400)}`);
  }
}

/** Path of a plan; null where nothing of what is asked for is in the snapshot. */
async function planned(stage: Stage, options: readonly string[]): Promise<string | null> {
  mkdirSync(join(stage.folder, 'plans'), { recursive: true });
  const out = join(stage.folder, 'plans', `${stage.random.id(8)}.json`);
  const args = ['restore', 'plan', ...options, '--out', out, '--json'];
  stage.tell(`  ${options.join(' ')}${stage.lacks?.length ? ', without import' : ''}`);
  // What could not be read is taken as it was, and the plan asks to be made again.
  for (let isDoubted = true; isDoubted;) {
    if (isNothingThere(await untilDone(stage, { args: () => args, ends: [0, 2] }))) return null;
    const { preflight } = await readPlan(out);
    isDoubted = preflight.some(({ check, state }) => check === 'live state' && state === 'warn');
    if (isDoubted) rmSync(out);
  }
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

async function applied(stage: Restoring, plan: string): Promise<Written> {
  const before = await restoresOf(stage);
  await refusedOnce(stage, plan);
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
  return { restore, isDone: isAtEnd(stage, ended) };
}

/** As an account that lacks a right: what was refused comes with the resume, once it is granted. */
async function refusedOnce(stage: Restoring, plan: string): Promise<void> {
  const { refused, against, lacks = [], environment, world, tell } = stage;
  if (refused === null) return;
  await setFaults(against, [...lacks, refused]);
  const ended = await start(['restore', 'apply', plan, '--json'], shifted(environment, world)).ended;
  await setFaults(against, []);
  tell(`  ${refused.operation} refused with ${refused.effect.status} → ${ended.code}`);
  if (!isKnownExit(ended)) throw new Error(`restore apply ended with ${ended.code}: ${ended.stderr.slice(-1500)}`);
}

interface Failure {
  readonly error: string;
  readonly skipped: boolean;
}

/** Throws where something is left to be resumed. */
function isAtEnd({ lacks = [] }: Stage, { stdout }: Ended): boolean {
  const { left, failures: all } = JSON.parse(stdout) as { failures: Failure[]; left: number };
  const isTold = (error: string): boolean =>
    lacks.length > 0 && /the target has no import|the target did not set it back/.test(error);
  const failures = all.filter(({ error }) => !isTold(error));
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
  const isLacking = (stage.lacks ?? []).length > 0;
  const ends = isLacking ? [0, 1] : [0];
  const ended = await untilDone(stage, { args: () => ['restore', 'verify', restore, '--json'], ends });
  const { differences } = JSON.parse(ended.stdout) as { differences: Difference[] };
  const untold = differences.filter((one) => one.class === 'exact' && !(isLacking && isOfNoImport(one)));
  if (untold.length > 0) throw new Error(`a restore without import differs: ${JSON.stringify(untold)}`);
  stage.tell(`  verified: ${ended.stdout.slice(0, 120)}`);
}

interface Difference {
  readonly kind: string;
  readonly field: string;
  readonly class: string;
  readonly expected: string;
}

/** Of groups, links and files that stand, which no edit makes or writes. */
function isOfNoImport({ kind, field, expected }: Difference): boolean {
  if (kind === 'file' || kind === 'change-request-file') return true;
  const isPage = kind === 'page' || kind === 'change-request-page';
  return isPage && (field === 'href' || field === 'target' || (field === 'markdown' && expected === 'null'));
}

async function takenBack(stage: Stage, restore: string): Promise<number | null> {
  const before = await restoresOf(stage);
  const ended = await untilDone(stage, {
    args: async () => {
      const undo = (await restoresOf(stage)).find((id) => !before.includes(id));
      return undo === undefined ? ['restore', 'undo', restore, '--json'] : ['restore', 'resume', undo, '--json'];
    },
    ends: [0, 3],
  });
  stage.tell(`  taken back: exit ${ended.code}`);
  return ended.code;
}
