// Commands with something going wrong: killed, interrupted, or against a platform that fails.
import { systemClock, type Random } from '../../src/base/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import type { TestWorld } from '../support/world.ts';
import { endingOf, faultOf } from './disaster-world.ts';
import { setFaults } from './faults.ts';
import { start, type Ended } from './processes.ts';

// So often it may be begun with something going wrong, and then without.
const DISTURBED = 4;
const MOST_RUNS = 8;

/** What commands run against, and by what chance. */
export interface Disturbing {
  readonly world: TestWorld;
  readonly random: Random;
  readonly tell: (line: string) => void;
  /** That fails meanwhile. */
  readonly against: Pick<EmbeddedPlatform, 'url' | 'token'>;
  /** Of the command line. */
  readonly environment: Readonly<Record<string, string>>;
  /** What that lacks at all times, beside what fails now and then. */
  readonly lacks?: readonly unknown[];
}

interface Command {
  readonly args: () => readonly string[] | Promise<readonly string[]>;
  /** Exit codes with which it is done; others are begun anew. */
  readonly ends: readonly number[];
}

/** Runs it with something going wrong, again and again, and in the end without; answers how it ended then. */
export async function untilDone(stage: Disturbing, { args, ends }: Command): Promise<Ended> {
  let ended: Ended = { code: null, stdout: '', stderr: '' };
  for (let run = 0; run < MOST_RUNS; run++) {
    const command = await args();
    const disturbed = run < DISTURBED;
    ended = await once(stage, command, disturbed);
    demandKnownExit(command, ended);
    if (ended.code === 0 || (!disturbed && ended.code !== null && ends.includes(ended.code))) return ended;
  }
  throw new Error(
    `${(await args()).join(' ')} ended with ${ended.code} where nothing went wrong:\n${said(ended.stdout)}${ended.stderr.slice(-1500)}`,
  );
}

async function once(stage: Disturbing, command: readonly string[], disturbed: boolean): Promise<Ended> {
  const { random, against, environment, world, tell, lacks = [] } = stage;
  const faults = disturbed ? faultOf(random) : [];
  const ending = disturbed ? endingOf(random) : null;
  await setFaults(against, [...lacks, ...faults]);
  const { child, ended } = start(command, shifted(environment, world));
  if (ending !== null) {
    const waited = systemClock()
      .sleep(ending.afterMs)
      .then(() => child.kill(ending.signal));
    await Promise.race([ended, waited]);
  }
  const result = await ended;
  await setFaults(against, []);
  const how = [JSON.stringify(faults), ending === null ? '' : `${ending.signal} after ${ending.afterMs}`].join(' ');
  tell(`  ${command.slice(0, 2).join(' ')}: ${how} → ${result.code ?? 'by signal'}`);
  return result;
}

const EXITS: ReadonlySet<number | null> = new Set([0, 1, 3, 4, 130, 143, null]);

/** Whatever happens, the program ends with one of its own codes and its own words. */
function demandKnownExit(command: readonly string[], ended: Ended): void {
  if (isKnownExit(ended)) return;
  throw new Error(`${command.join(' ')} ended with ${ended.code}: ${`${ended.stdout}${ended.stderr}`.slice(-1500)}`);
}

/** Bad usage is one only where chance asks for what is not there, or for what another command holds. */
export function isKnownExit(ended: Ended): boolean {
  const isKnown = EXITS.has(ended.code) || isNothingThere(ended) || isHeld(ended);
  return isKnown && !/DM_INTERNAL|\n {4}at /.test(`${ended.stdout}${ended.stderr}`);
}

function isHeld({ code, stderr }: Ended): boolean {
  return code === 2 && /DM_DATA_DIR_LOCKED|no snapshot/i.test(stderr);
}

/** What was asked for is not in the snapshot, or a kind in more than one organization. */
export function isNothingThere({ code, stdout, stderr }: Ended): boolean {
  return code === 2 && /has nothing for --scope|is of \d+ organizations/.test(`${stdout}${stderr}`);
}

/** With the present of the platform, in which days have passed. */
export function shifted(environment: Disturbing['environment'], { clock }: TestWorld): Record<string, string> {
  const ahead = clock.now() - systemClock().now();
  const code = `const now = Date.now.bind(Date); Date.now = () => now() + ${ahead};`;
  return { ...environment, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** What a report of a comparison says of what must be exact; else how the answer begins. */
export function said(stdout: string): string {
  const report = /^\{.*\}\s*$/s.test(stdout) ? (JSON.parse(stdout) as { differences?: { class: string }[] }) : {};
  const { differences, ...rest } = { differences: [], ...report };
  const exact = differences.filter((one) => one.class === 'exact');
  return `${JSON.stringify(exact)}\n${JSON.stringify(rest).slice(0, 1500)}\n`;
}
