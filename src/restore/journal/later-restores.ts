// What other restores have done to what one restore has made or written: its undo is to tell their work from that of people.
import { isKindName, isReply, parentKind } from '../../contract/index.ts';
import {
  listRestores,
  stepsOf,
  halfUndone,
  undoesOf,
  undone,
  type Mirror,
  type Resource,
  type RestoreRecord,
  type RestoreStep,
} from '../../mirror/index.ts';
import { detailOf } from './step-detail.ts';
import { madeBy } from './lineage.ts';
import { wroteNothing } from './step-journal.ts';
import type { Plan } from '../types.ts';
import { firstOf, keyAbove } from '../resource.ts';

interface Change {
  /** Kind and id. */
  readonly of: string;
  readonly from: string;
  readonly to: string;
}

interface Later {
  readonly record: RestoreRecord;
  readonly changes: readonly Change[];
  /** Kinds and ids of what it made; ids of spaces in which it wrote. */
  readonly made: ReadonlySet<string>;
  readonly wroteIn: ReadonlySet<string>;
  /** Kinds and keys of what it wrote, and of comments that it wrote replies to. */
  readonly wrote: ReadonlySet<string>;
}

/** A space or page, as the restore left it and as it stands. */
interface Seen {
  readonly kind: 'space' | 'page';
  readonly id: string;
  readonly space: string;
  readonly left: string;
  readonly now: string;
}

/** How each reason ends for which an undo leaves something that --even-changed touches. */
export const IS_LEFT = 'it is left as it is';
export const CHANGED_SINCE = `somebody changed it after the restore: ${IS_LEFT}`;

/** True for an undo that leaves something as it is because somebody changed it after the restore. */
export function leavesChanged({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(({ action, note }) => action === 'unsupported' && note.endsWith(IS_LEFT));
}

/** Restores to the same platform that were begun after one. */
export class LaterRestores {
  readonly #journal: Mirror;
  readonly #all: readonly Later[];

  constructor(journal: Mirror, { id, target }: Pick<RestoreRecord, 'id' | 'target'>) {
    this.#journal = journal;
    const records = listRestores(journal).filter((one) => one.target === target);
    const later = records.slice(1 + records.findIndex((one) => one.id === id));
    this.#all = later.map((record) => ({ record, ...writtenBy(stepsOf(journal, record.id)) }));
  }

  /** Why something is left that is not as the restore left it; null when that was other restores, which were taken back since. */
  whyChanged(seen: Seen): string | null {
    const links = this.#chain(seen);
    const isWhole = (links.at(-1)?.to ?? seen.left) === seen.now;
    const by = this.#standing(isWhole ? links.map(({ restore }) => restore) : this.#writersIn(seen));
    if (by.length > 0 && isWhole) return `${named(by)} changed it since: ${this.#first(by)}, ${IS_LEFT}`;
    if (by.length > 0)
      return `${named(by)} has written there since, and maybe somebody as well: ${this.#first(by)}, and what is left then is of people; ${IS_LEFT}`;
    return isWhole ? null : CHANGED_SINCE;
  }

  /** The words for something that a later restore has put there, and that would go too; null for what no later restore put there. */
  whyThere(kind: string, id: string): string | null {
    const by = this.#standing(this.#all.filter(({ made }) => made.has(`${kind} ${id}`)).map(({ record }) => record.id));
    return by.length === 0
      ? null
      : `which ${named(by)} has brought there since, would go with it: ${this.#first(by)}, ${IS_LEFT}`;
  }

  /** True for what later restores wrote that were taken back since: nobody else need have changed it. */
  haveWritten({ kind, key }: Pick<Resource, 'kind' | 'key'>): boolean {
    const by = this.#all.filter(({ wrote }) => wrote.has(`${kind} ${key}`)).map(({ record }) => record.id);
    return by.length > 0 && this.#standing(by).length === 0;
  }

  /** From change to change, each of which found it as the one before had left it. */
  #chain({ kind, id, left }: Seen): { readonly restore: string; readonly to: string }[] {
    const links: { restore: string; to: string }[] = [];
    let at = left;
    for (const { record, changes } of this.#all)
      for (const { of, from, to } of changes) {
        if (of !== `${kind} ${id}` || from !== at) continue;
        links.push({ restore: record.id, to });
        at = to;
      }
    return links;
  }

  #writersIn({ space }: Seen): string[] {
    return this.#all.filter(({ wroteIn }) => wroteIn.has(space)).map(({ record }) => record.id);
  }

  /** What they did stands: they were not taken back, and take nothing back themselves. */
  #standing(restores: readonly string[]): string[] {
    const back = undone(this.#journal);
    const undos = new Set(this.#all.filter(({ record }) => undoesOf(record) !== null).map(({ record }) => record.id));
    return [...new Set(restores)].filter((id) => !back.has(id) && !undos.has(id));
  }

  /** The newest is taken back first. */
  #first(restores: readonly string[]): string {
    const last = restores.at(-1) ?? '';
    const half = halfUndone(this.#journal).get(last);
    return `take that back first with \`docmirror restore ${half === undefined ? `undo ${last}` : `resume ${half}`}\``;
  }
}

function named(restores: readonly string[]): string {
  return restores.map((id) => `restore ${id}`).join(' and ');
}

function writtenBy(steps: readonly RestoreStep[]): Omit<Later, 'record'> {
  const details = steps.map(detailOf);
  const written = steps.filter((step) => !wroteNothing(step));
  return {
    changes: details.flatMap(({ ownChanges = [], editedFrom = {}, editedAt = {} }) => [
      ...ownChanges.map(({ space, from, to }) => ({ of: `space ${space}`, from, to })),
      ...Object.entries(editedFrom).map(([id, from]) => ({ of: `page ${id}`, from, to: editedAt[id] ?? from })),
    ]),
    made: new Set(steps.flatMap(madeBy).map(({ kind, id }) => `${kind} ${id}`)),
    wroteIn: new Set(written.map(({ key }) => firstOf(key))),
    wrote: new Set(written.flatMap(namesOf)),
  };
}

function namesOf({ kind, key }: RestoreStep): string[] {
  const above = isKindName(kind) && isReply(kind) ? parentKind(kind) : null;
  return [`${kind} ${key}`, ...(above === null ? [] : [`${above} ${keyAbove(key)}`])];
}
