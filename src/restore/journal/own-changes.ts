// What a restore changes in what another one has made: noted from when to when, by the word of the platform, so that the undo of that
// other one does not take it for the work of people.
import { listRestores, stepsOf } from '../../mirror/index.ts';
import type { OwnChange } from './step-detail.ts';
import { changedAt, madeSpaces } from './made-spaces.ts';
import type { ApplyContext } from '../types.ts';
import { firstOf } from '../resource.ts';

/** When spaces were last changed, by their ids. */
export type SpaceTimes = ReadonlyMap<string, string>;

type Writing = Pick<ApplyContext, 'client' | 'ids' | 'journal' | 'log' | 'mirror' | 'plan' | 'signal'>;

/** Before the first write of a run: of the spaces that it writes in and that a restore of this mirror has made. */
export async function openOwnChanges(writing: Writing): Promise<SpaceTimes> {
  const times = new Map<string, string>();
  for (const space of madeAndWritten(writing)) {
    const at = await changedAt(writing, space);
    if (at !== null) times.set(space, at);
  }
  return times;
}

/** After the last write of a run. One that was cut off before this notes nothing: then nobody can tell what others have changed. */
export async function settleOwnChanges(writing: Writing, opened: SpaceTimes): Promise<void> {
  const changes: OwnChange[] = [];
  for (const [space, from] of opened) {
    const to = await changedAt(writing, space);
    if (to !== null && to !== from) changes.push({ space, from, to });
  }
  if (changes.length > 0) writing.journal.noteOwnChanges(changes);
}

function madeAndWritten({ mirror, plan, ids }: Writing): string[] {
  const written = new Set<string>();
  for (const { part, key } of plan.steps) {
    const holder = firstOf(key);
    if (part !== 'none') written.add(ids.get('space', holder) ?? holder);
  }
  const made = listRestores(mirror)
    .filter(({ target }) => target === plan.target.url)
    .flatMap(({ id }) => madeSpaces(stepsOf(mirror, id)).map(({ new_id: space }) => space ?? ''));
  return [...new Set(made)].filter((space) => written.has(space));
}
