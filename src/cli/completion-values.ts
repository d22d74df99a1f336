// What may stand after an option, or as an argument. What only the mirror or the settings know is looked up when it is asked for.
import type { Command as Completed, Complete } from '@bomb.sh/tab';
import { LOG_LEVELS, readEnvironment, systemClock } from '../base/index.ts';
import { loadConfig, loadConfigs, type ConfigSources } from '../config/index.ts';
import { kindNames, type KindName } from '../contract/index.ts';
import {
  isDrill,
  lastSealed,
  listRestores,
  listSnapshots,
  readerAt,
  readMirror,
  recipes,
  type Mirror,
} from '../mirror/index.ts';
import { SEEDS } from './commands/platform.ts';
import { IN_PLACE_WORDS } from './commands/restore-plan.ts';
import { flagIn } from './flag-in.ts';
import { oneLine } from './views/text.ts';

type Suggest = (complete: Complete) => void;

/** By the name of an option, whichever command has it. */
const VALUES: ReadonlyMap<string, Suggest> = new Map<string, Suggest>([
  ['snapshot', snapshots],
  ['at', snapshots],
  ['recipe', (complete) => recipes.forEach(({ name, about }) => complete(name, about))],
  ['kind', words(kindNames)],
  ['log-level', words(LOG_LEVELS)],
  ['seed', words(SEEDS)],
  ['in-place', words(IN_PLACE_WORDS)],
  ['organization', resources('organization')],
  ['collection', resources('collection')],
  ['space', resources('space')],
  ['platform', platforms],
]);

/** Lets each option of a command offer what may stand after it. */
export function offerValues({ options }: Completed): void {
  for (const [name, suggest] of VALUES) {
    const option = options.get(name);
    if (option) option.handler = (complete) => suggest(complete);
  }
}

/** Commands whose arguments are numbers of snapshots, or ids of restores. */
const BY_SNAPSHOT: ReadonlySet<string> = new Set([
  'diff',
  'snapshots show',
  'snapshots accept',
  'snapshots pin',
  'snapshots unaccept',
  'snapshots unpin',
]);
const BY_RESTORE: ReadonlySet<string> = new Set(['restore resume', 'restore verify', 'restore undo', 'restore remap']);

/** The same for its arguments. */
export function offerArguments({ value, arguments: positional }: Completed): void {
  const suggest = BY_SNAPSHOT.has(value) ? snapshots : BY_RESTORE.has(value) ? restores : undefined;
  if (suggest) for (const argument of positional.values()) argument.handler = (complete) => suggest(complete);
}

function words(list: readonly string[]): Suggest {
  return (complete) => list.forEach((word) => complete(word, ''));
}

function snapshots(complete: Complete): void {
  inMirror((mirror) => {
    for (const { id, state, started_at: at } of listSnapshots(mirror).toReversed())
      complete(String(id), `${state}, ${at}`);
    complete('latest', 'the newest sealed snapshot');
  });
}

function restores(complete: Complete): void {
  inMirror((mirror) => {
    // What a drill rehearsed, nobody can take up: its target is gone.
    const own = listRestores(mirror).filter((record) => !isDrill(record));
    for (const { id, state, snapshot } of own.toReversed()) complete(id, `${state}, snapshot ${snapshot}`);
  });
}

/** Ids of what the newest snapshot holds, by their titles. */
function resources(kind: KindName): Suggest {
  return (complete) =>
    inMirror((mirror) => {
      const newest = lastSealed(mirror);
      if (newest === undefined) return;
      const titled = [...readerAt(mirror, newest.id).resources(kind)].map(({ id, body }) => ({
        id,
        title: titleIn(body),
      }));
      for (const { id, title } of titled.toSorted((a, b) => (a.title < b.title ? -1 : 1))) complete(id, title);
    });
}

/** Each line of the answer is one that is offered. */
function titleIn({ title }: Readonly<Record<string, unknown>>): string {
  return typeof title === 'string' ? oneLine(title) : '';
}

function platforms(complete: Complete): void {
  quietly(() => {
    // The name that is being written is none yet.
    const { flags, ...rest } = sources();
    for (const { name } of loadConfigs({ ...rest, flags: { ...flags, platform: undefined } }))
      if (name !== null) complete(name, '');
  });
}

function inMirror(suggest: (mirror: Mirror) => void): void {
  quietly(() => {
    const { dataDir } = loadConfig(sources());
    using mirror = readMirror({ dataDir, clock: systemClock() });
    suggest(mirror);
  });
}

/** Settings as the command will have them, by what stands in its line so far. */
function sources(): ConfigSources {
  const given = (flag: string): string | undefined => flagIn(process.argv, flag);
  const flags = { config: given('--config'), platform: given('--platform'), dataDir: given('--data-dir') };
  return { flags, environment: readEnvironment(), cwd: process.cwd() };
}

/** Whoever presses a key is not told why there is nothing to suggest. */
function quietly(suggest: () => void): void {
  try {
    suggest();
  } catch {
    // No mirror, no configuration, or one that is wrong: the command itself will say so.
  }
}
