// Whether a mirror holds what its platform holds.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, systemClock } from '../../src/base/index.ts';
import { isKindName, kindOf } from '../../src/contract/index.ts';
import { listSnapshots, openMirror, readMirror, type Mirror } from '../../src/mirror/index.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { start } from './processes.ts';

export interface Mirrored {
  /** The mirror that it is compared with is made in it. */
  readonly folder: string;
  /** Of the command line. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tell: (line: string) => void;
}

/** The mirror holds what a first walk of the platform holds. */
export async function demandTruth({ environment, folder, tell }: Mirrored, what: string): Promise<void> {
  const truth = mkdtempSync(join(folder, 'truth-'));
  const walked = await start(['sync', '--json'], { ...environment, DOCMIRROR_DATA_DIR: truth }).ended;
  if (walked.code !== 0)
    throw new Error(`the walk for comparison ended with ${walked.code}: ${walked.stderr.slice(-300)}`);
  const clock = systemClock();
  using mirror = readMirror({ dataDir: environment['DOCMIRROR_DATA_DIR'] ?? '', clock });
  using fresh = await openMirror({ dataDir: truth, clock });
  const [own, theirs] = [lastStateOf(mirror), lastStateOf(fresh)];
  const names = new Set([...Object.keys(own), ...Object.keys(theirs)]);
  const wrong = [...names].filter((name) => {
    // What is fetched beside a page is fetched where its text is read, which may have been needed once and not again.
    if (isBeside(name) && (own[name] === undefined || theirs[name] === undefined)) return false;
    return saidOf(own[name]) !== saidOf(theirs[name]);
  });
  if (wrong.length > 0) {
    const shown = wrong.slice(0, 5).map((name) => `${name}: ${firstDifference(own[name], theirs[name])}`);
    throw new Error(`${what}, and ${wrong.length} resources differ from the platform:\n${shown.join('\n')}`);
  }
  demandHonest(mirror);
  tell(`   as the platform has it: ${names.size} resources`);
  rmSync(truth, { recursive: true, force: true });
}

/** A platform may tell the fields of the same thing in another order the next time, which is no change of it. */
function saidOf(one: unknown): string {
  return one === undefined ? 'nothing' : canonicalJson(one);
}

/** Where two texts part, with what comes before and after. */
function firstDifference(own: unknown, theirs: unknown): string {
  const [a, b] = [saidOf(own), saidOf(theirs)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 120);
  return `…${around(a)}… instead of …${around(b)}…`;
}

function isBeside(name: string): boolean {
  const kind = name.split(' ', 1)[0] ?? '';
  return isKindName(kind) && kindOf(kind).read.from === 'beside';
}

function lastStateOf(mirror: Mirror): ReturnType<typeof stateOf> {
  const last = listSnapshots(mirror).findLast(({ state }) => state === 'complete');
  return stateOf(mirror, last?.id ?? 0);
}

/** No snapshot is called complete although something of it was not read. */
function demandHonest(mirror: Mirror): void {
  const liars = rowsOf(
    mirror,
    `select s.id from snapshots s where s.state = 'complete' and exists (select 1 from requests_failed f where f.snapshot = s.id)`,
  );
  if (liars.length > 0) throw new Error(`snapshot ${String(liars[0]?.['id'])} is complete although it has failures`);
}
