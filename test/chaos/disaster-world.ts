// What a disaster is made of: an organization, what people and vandals did to it, and how a restore brings it back.
import fc from 'fast-check';
import type { Random } from '../../src/base/index.ts';
import { anyOperationNames, operationOf, type AnyOperationName, type KindName } from '../../src/contract/index.ts';
import { RESTORED_KINDS } from '../../src/restore/restored-kinds.ts';
import { belongings, type Belonging } from '../support/belongings.ts';
import { building, damaging, type Edit } from '../support/edits.ts';
import { pick } from './edits.ts';

export interface Disaster {
  readonly made: readonly Edit[];
  readonly settled: readonly Belonging[];
  /** What happened before each of the nights that are mirrored. */
  readonly nights: readonly Happened[];
  readonly disasters: readonly Mended[];
  /** Of the configuration. */
  readonly settings: string;
}

/** What happened, and how it is brought back. */
export interface Mended {
  readonly done: Happened;
  readonly where: 'in place' | 'elsewhere';
  /** Of `restore plan`. */
  readonly options: readonly string[];
  /** Which of the kinds or spaces are asked for; null for all of the organization. */
  readonly scope: Scope | null;
  /** As the public platform: what is brought back goes by edits. */
  readonly isWithoutImport: boolean;
  /** What is refused whenever it is asked for, until a resume; null for nothing. */
  readonly refused: Refused | null;
}

export interface Refused {
  readonly operation: AnyOperationName;
  readonly effect: { readonly status: number };
}

/** One of the kinds, a space by its place among those that stand, or something else by its place in the snapshot. */
export type Scope = `kind:${KindName}` | number | { readonly of: (typeof HOLDERS)[number]; readonly which: number };

const HOLDERS = ['collection', 'site', 'page', 'change-request'] as const;

export interface Happened {
  readonly edits: readonly Edit[];
  readonly belongings: readonly Belonging[];
  readonly hours: number;
}

export const happened: fc.Arbitrary<Happened> = fc.record({
  edits: damaging,
  belongings,
  hours: fc.constantFrom(1, 1, 24, 24, 24 * 5),
});

const scope: fc.Arbitrary<Scope | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }) },
  { weight: 1, arbitrary: fc.record({ of: fc.constantFrom(...HOLDERS), which: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: fc.constantFrom(...RESTORED_KINDS.map((kind) => `kind:${kind}` as const)) },
);

const isWithoutImport = fc.constantFrom(false, false, true);

const WRITES = anyOperationNames.filter((name) => operationOf(name).method !== 'GET');

const refused: fc.Arbitrary<Refused | null> = fc.option(
  fc.record({
    operation: fc.constantFrom(...WRITES),
    effect: fc.constantFrom({ status: 403 }, { status: 500 }),
  }),
);

const inPlace: fc.Arbitrary<Mended> = fc.record({
  done: happened,
  where: fc.constant('in place' as const),
  options: fc.constantFrom(
    ['--in-place'],
    ['--in-place', '--delete'],
    ['--in-place', '--delete'],
    ['--in-place', '--delete', '--full'],
    ['--in-place', 'missing'],
    ['--in-place', 'changed'],
    ['--in-place', '--without-comments'],
    ['--in-place', 'missing,changed', '--delete', '--keep-mentions'],
    ['--in-place', 'new', '--delete'],
  ),
  scope,
  isWithoutImport,
  refused,
});

const elsewhere: fc.Arbitrary<Mended> = fc.record({
  done: happened,
  where: fc.constant('elsewhere' as const),
  options: fc.constantFrom([], [], ['--review'], ['--without-comments']),
  scope,
  isWithoutImport,
  refused,
});

const mended = fc.oneof({ weight: 3, arbitrary: inPlace }, { weight: 1, arbitrary: elsewhere });

/** Answers in pieces, imports in pieces, requests one at a time, and no trees of what pages consist of. */
const settings = fc.constantFrom(
  '',
  '',
  '  pageSize: 2\n',
  '  documents: false\n',
  'restore:\n  maxPagesPerImport: 2\n',
  '  pageSize: 3\nrestore:\n  maxPagesPerImport: 3\n',
);

const disaster: fc.Arbitrary<Disaster> = fc.record({
  settings,
  made: building,
  settled: belongings,
  nights: fc.array(happened, { minLength: 0, maxLength: 2 }),
  disasters: fc.array(mended, { minLength: 1, maxLength: 3 }),
});

/** The disaster of a seed: always the same one. */
export function disasterOf(seed: number): Disaster {
  const [one] = fc.sample(disaster, { seed, numRuns: 1 });
  if (one === undefined) throw new Error('no disaster was made');
  return one;
}

const EFFECTS = [
  { status: 500 },
  { status: 429, headers: { 'retry-after': '1' } },
  'cut-before',
  'cut-after',
  'truncate',
  'html',
  { delayMs: 100 },
] as const;

/** What the platform does wrong meanwhile; mostly nothing. */
export function faultOf(random: Random): readonly unknown[] {
  if (random.int(3) > 0) return [];
  const effect = pick(random, EFFECTS) ?? 'cut-before';
  return [{ probability: 0.02 + random.int(10) / 100, seed: random.int(1_000_000), effect }];
}

const SIGNALS = ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT'] as const;

/** When a process is ended, and how; null where it comes to its end by itself. */
export function endingOf(random: Random): { readonly afterMs: number; readonly signal: NodeJS.Signals } | null {
  if (random.int(2) === 0) return null;
  return { afterMs: 150 + random.int(random.int(2) === 0 ? 700 : 2200), signal: pick(random, SIGNALS) ?? 'SIGKILL' };
}
