// Rounds of chaos: edits, faults at random requests, kills of either side, clock jumps, a full disk, commands at once. Whenever the
// mirror says that it is complete, it must hold what the platform holds.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, seededRandom, silentLogger, systemClock, type Random } from '../../src/base/index.ts';
import { createClient, type ApiClient } from '../../src/client/index.ts';
import { listSnapshots, readMirror, type Snapshot } from '../../src/mirror/index.ts';
import { LIMITS } from '../support/world.ts';
import { editOnce, pick } from './edits.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { demandTruth } from './truth.ts';
import { setFaults } from './faults.ts';
import { start, startPlatformProcess, TOKEN, type Ended, type PlatformProcess } from './processes.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** False when enough rounds were made. */
  readonly goOn: (round: number) => boolean;
  readonly tell: (line: string) => void;
}

interface Stage {
  readonly platform: PlatformProcess;
  readonly client: ApiClient;
  readonly random: Random;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A small file system that holds the mirror; null where none can be made. */
  readonly disk: SmallDisk | null;
  readonly tell: (line: string) => void;
}

const CONFIG = `limits:
  timeout: 2s
  retries: 1
  maxWait: 2s
walk:
  rereadNights: 1
  brake:
    deletedCount: 1000000
    rewrittenCount: 1000000
export:
  enabled: true
status:
  port: 0
`;

/** Throws with the seed when the mirror is not what it says it is; answers the number of rounds. */
export async function runChaos({ seed, goOn, tell }: ChaosOptions): Promise<number> {
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-chaos-'));
  let round = 0;
  try {
    writeFileSync(join(folder, 'docmirror.yaml'), CONFIG);
    await using platform = await startPlatformProcess(folder, ['--seed', 'scale', '--spaces', '5', '--pages', '8']);
    await using client = createClient({
      baseUrl: platform.url,
      token: Secret.of(TOKEN),
      clock: systemClock(),
      random: seededRandom(seed + 1),
      log: silentLogger(),
      limits: { ...LIMITS, retries: 2 },
    });
    const environment = {
      DOCMIRROR_BASE_URL: platform.url,
      DOCMIRROR_TOKEN: TOKEN,
      DOCMIRROR_CONFIG: join(folder, 'docmirror.yaml'),
      DOCMIRROR_DATA_DIR: join(folder, 'data'),
    };
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    using disk = mountSmallDisk(join(folder, 'data'));
    if (disk === null) tell('no small file system can be made here: the disk is never full');
    const stage = { disk, platform, client, random, folder, environment, tell };
    for (; goOn(round); round++) await Promise.race([oneRound(stage, round), platform.lost]);
    return round;
  } catch (error) {
    throw new Error(
      `chaos with seed ${seed}, round ${round}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(stage: Stage, round: number): Promise<void> {
  const { random, tell, client, platform } = stage;
  const editor = { api: client.api, organization: platform.organization };
  for (let left = random.int(4); left > 0; left--) tell(`${round}: ${(await editOnce(editor, random)) ?? 'nothing'}`);
  for (let walks = 1 + random.int(3); walks > 0; walks--) await disturbedWalk(stage, round);
  await setFaults({ url: platform.url, token: TOKEN }, []);
  await settled(stage, round);
}

const EFFECTS = [
  { status: 500 },
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 403 },
  { status: 404 },
  'cut-before',
  'cut-after',
  'truncate',
  'html',
  'empty-list',
  'short-list',
  'repeat-token',
  'expired-download',
  { delayMs: 300 },
] as const;

/**
 * One walk with something going wrong; when it ends complete all the same, it must be true. A listing that is empty whenever it is asked
 * for, and that nobody has seen full nor counts, is all that there is to know: until a walk has seen it, nothing else is demanded.
 */
async function disturbedWalk(stage: Stage, round: number): Promise<void> {
  const { random, tell, platform, environment } = stage;
  const effect = pick(random, EFFECTS) ?? 'cut-before';
  const faulty = random.int(3) > 0;
  await setFaults(
    { url: platform.url, token: TOKEN },
    faulty ? [{ probability: 0.02 + random.int(20) / 100, seed: random.int(1_000_000), effect }] : [],
  );
  const disturbance = pick(random, DISTURBANCES) ?? 'none';
  const { disk } = stage;
  if (disturbance === 'full disk') disk?.fill();
  if (disturbance === 'clock jump') await advanceClock(stage, random.int(60) * HOUR_MS);
  tell(`${round}: walk, ${faulty ? JSON.stringify(effect) : 'no fault'}, ${disturbance}`);
  const isHidden = faulty && effect === 'empty-list' && !hasSeenAll(stage);
  const { child, ended } = start(['sync', '--json'], environment);
  const clock = systemClock();
  const wait = (ms: number): Promise<void> => clock.sleep(ms);
  switch (disturbance) {
    case 'kill the mirror':
      await wait(300 + random.int(1500));
      child.kill('SIGKILL');
      break;
    case 'interrupt the mirror':
      await wait(300 + random.int(1500));
      child.kill('SIGINT');
      break;
    case 'kill the platform':
      await wait(300 + random.int(1000));
      await platform.killAndRestart();
      break;
    case 'commands at once':
      await others(stage);
      break;
    case 'full disk':
    case 'clock jump':
    case 'none':
  }
  const result = await ended;
  disk?.free();
  tell(`${round}:   exit ${result.code ?? 'by signal'}`);
  demandKnownExit(result);
  await setFaults({ url: platform.url, token: TOKEN }, []);
  if (result.code !== 0) return;
  if (isHidden) tell(`${round}:   nobody can tell what was hidden from a first walk`);
  else await demandTruth(stage, 'a disturbed walk said that it is complete');
}

const DISTURBANCES = [
  'none',
  'kill the mirror',
  'interrupt the mirror',
  'kill the platform',
  'commands at once',
  'full disk',
  'clock jump',
] as const;
const HOUR_MS = 3_600_000;
const EXITS: ReadonlySet<number | null> = new Set([0, 1, 3, 4, 130, null]);

/** Whatever happens, the program ends with one of its own codes and its own words. */
function demandKnownExit({ code, stderr }: Ended): void {
  if (!EXITS.has(code)) throw new Error(`sync ended with ${code}: ${stderr.slice(-500)}`);
  if (/DM_INTERNAL|\n {4}at /.test(stderr)) throw new Error(`sync broke: ${stderr.slice(-800)}`);
}

/** Readers and a second writer while the walk goes on. */
async function others({ environment }: Stage): Promise<void> {
  const query = start(['query', '--json', 'select count(*) as n from pages'], environment);
  const second = start(['sync', '--json'], environment);
  const [answered, refused] = await Promise.all([query.ended, second.ended]);
  const isKnown = (code: number | null): boolean => EXITS.has(code) || code === 2;
  if (!isKnown(answered.code) || /DM_INTERNAL|locked/.test(answered.stderr))
    throw new Error(`query beside a walk: ${answered.stderr.slice(-300)}`);
  if (!isKnown(refused.code) || /DM_INTERNAL/.test(refused.stderr))
    throw new Error(`a second walk: ${refused.stderr.slice(-300)}`);
}

/** The time of the platform moves ahead: addresses expire, and what was deleted long ago is purged. */
async function advanceClock({ platform }: Stage, advanceMs: number): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ advanceMs });
  const response = await fetch(`${platform.url}/_platform/clock`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`clock: ${await response.text()}`);
}

/** Without faults, a walk ends complete and true, and everything that is stored is whole. */
async function settled(stage: Stage, round: number): Promise<void> {
  const { environment, tell } = stage;
  let last: Ended = { code: null, stdout: '', stderr: '' };
  for (let turn = 0; turn < 3 && last.code !== 0; turn++) last = await start(['sync', '--json'], environment).ended;
  if (last.code !== 0)
    throw new Error(`a walk without faults ended with ${last.code}: ${lastReason(stage)} ${last.stderr.slice(-600)}`);
  await demandTruth(stage, 'a walk without faults');
  const check = await start(['check', '--read-data', '--json'], environment).ended;
  if (check.code !== 0) throw new Error(`check: ${check.stdout.slice(0, 600)}${check.stderr.slice(-300)}`);
  tell(`${round}: true and whole`);
}

function lastReason(stage: Stage): string {
  return snapshotsOf(stage).at(-1)?.reason ?? '';
}

function hasSeenAll(stage: Stage): boolean {
  return snapshotsOf(stage).some(({ state }) => state === 'complete');
}

function snapshotsOf({ environment }: Stage): Snapshot[] {
  const dataDir = environment['DOCMIRROR_DATA_DIR'] ?? '';
  if (!existsSync(join(dataDir, 'mirror.db'))) return [];
  using mirror = readMirror({ dataDir, clock: systemClock() });
  return listSnapshots(mirror);
}
