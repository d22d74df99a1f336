// An organization, what people do to it, and the command line beside it: where disasters and nights are played.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/base/index.ts';
import { settled, settledSince, type Belonging, type Settled } from '../support/belongings.ts';
import { organizationOf, perform, type Edit, type Edited } from '../support/edits.ts';
import { isRefused } from '../support/refused.ts';
import { TestWorld } from '../support/world.ts';
import type { Happened } from './disaster-world.ts';
import { said, shifted, untilDone, type Disturbing } from './disturbed.ts';
import { start } from './processes.ts';
import { demandTruth } from './truth.ts';

const HOUR_MS = 3_600_000;

export interface Stage extends Disturbing {
  readonly edited: Edited;
  readonly people: Settled;
  readonly folder: string;
}

export interface StageOptions {
  readonly seed: number;
  readonly tell: (line: string) => void;
  /** Where mirror and plans stay if a promise was not kept. */
  readonly keepIn?: string;
}

interface Organized {
  readonly made: readonly Edit[];
  readonly settled: readonly Belonging[];
  /** Of the configuration, beside what all have: it goes on within the settings of the walk. */
  readonly config: string;
}

const LIMITS = `limits:
  timeout: 2s
  retries: 1
  maxWait: 2s
walk:
  rereadNights: 2
  brake:
    deletedCount: 1000000
    rewrittenCount: 1000000
`;

/** Throws with the seed where a promise was not kept. */
export async function onStage(
  { seed, tell, keepIn }: StageOptions,
  organized: Organized,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  await using world = await TestWorld.create();
  const folder = world.folder();
  try {
    writeFileSync(join(folder, 'docmirror.yaml'), LIMITS + organized.config);
    const edited = await organizationOf(world, organized.made);
    const people = await settled(world, [...organized.settled]);
    const environment = environmentOf(world, folder);
    await play({
      world,
      edited,
      people,
      random: seededRandom(seed),
      folder,
      tell,
      against: world.platform,
      environment,
    });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    if (keepIn !== undefined) cpSync(folder, join(keepIn, `seed-${seed}`), { recursive: true });
    throw new Error(`seed ${seed}: ${what}`, { cause: error });
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

/** A walk until it is complete; the number of its snapshot. */
export async function night(stage: Stage): Promise<number> {
  const { stdout } = await untilDone(stage, { args: () => ['sync', '--json'], ends: [0] });
  return (JSON.parse(stdout) as { snapshot: number }).snapshot;
}

/** What the platform refuses did not happen. */
export async function happen(stage: Stage, { edits, belongings, hours }: Happened): Promise<void> {
  const { world, edited, people, tell } = stage;
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

/** After all of it the mirror is true, nothing in it is damaged, and what it holds can be restored. */
export async function demandWhole(stage: Stage): Promise<void> {
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
