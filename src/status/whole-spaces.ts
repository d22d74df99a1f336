// Spaces that came or went between two snapshots: what is in them is counted, so that it does not bury the rest.
import { count } from '../base/index.ts';
import { diffSnapshots, type Difference, type Mirror } from '../mirror/index.ts';
import { kindWord } from './pages/words.ts';

export interface WholeSpace {
  readonly space: Difference;
  /** How many of each kind came or went with it. */
  readonly within: Map<string, number>;
}

/** Those that came or went, by id; nothing is counted in them yet. */
export function wholeSpacesOf(mirror: Mirror, span: readonly [from: number, to: number]): Map<string, WholeSpace> {
  const whole = new Map<string, WholeSpace>();
  for (const space of diffSnapshots(mirror, span, { kind: 'space' }))
    if (space.change !== 'changed') whole.set(space.key, { space, within: new Map() });
  return whole;
}

/** True for a change that is told with its space, where it is counted now. */
export function goesWithSpace(whole: ReadonlyMap<string, WholeSpace>, { kind, change, space }: Difference): boolean {
  const head = whole.get(space ?? '');
  if (kind === 'space' || head?.space.change !== change) return false;
  head.within.set(kind, (head.within.get(kind) ?? 0) + 1);
  return true;
}

/** `4 pages, 1 comment`: most first; nothing where nothing was in it. */
export function withinWords(within: ReadonlyMap<string, number>): string {
  const most = [...within].toSorted(([, a], [, b]) => b - a);
  return most.map(([kind, number]) => count(number, kindWord(kind))).join(', ');
}
