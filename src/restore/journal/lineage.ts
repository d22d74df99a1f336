// What was made anew from what, over all restores: made anew and lost again, a thing has another id in each snapshot, and is the same.
import { listRestores, stepsOf, type Mirror, type RestoreRecord, type RestoreStep } from '../../mirror/index.ts';
import { lastOf } from '../resource.ts';
import { detailOf } from './step-detail.ts';
import type { KindName } from '../../contract/index.ts';
import type { PlanStep } from '../types.ts';

/** Something that a restore made, or brought back. */
export interface Made {
  readonly kind: string;
  /** Key of the original in the snapshot that was restored. */
  readonly key: string;
  readonly id: string;
}

/** Nothing of a step that is not done is known to stand. */
export function madeBy(step: RestoreStep): Made[] {
  if (step.state !== 'done') return [];
  const { map = {}, isFound = false } = detailOf(step);
  const made = Object.entries(map).flatMap(([kind, ids]) =>
    Object.entries(ids).map(([key, id]) => ({ kind, key, id })),
  );
  return step.new_id === null || isFound ? made : [{ kind: step.kind, key: step.key, id: step.new_id }, ...made];
}

/** Leads back from what was made anew to what was there first. */
export class Lineage {
  readonly #origins = new Map<string, string>();

  note({ kind, key, id }: Made): void {
    if (lastOf(key) !== id) this.#origins.set(`${kind} ${id}`, key);
  }

  /** Kind and key of the first of its line: the same for all that were made anew of one thing. */
  nameOf({ kind, key }: Omit<Made, 'id'>): string {
    return `${kind} ${this.rootOf(kind, key)}`;
  }

  /** Key of the first of its line; its own when no restore made it. */
  rootOf(kind: string, key: string): string {
    const seen = new Set<string>();
    let root = key;
    for (;;) {
      const id = lastOf(root);
      const origin = seen.has(id) ? undefined : this.#origins.get(`${kind} ${id}`);
      if (origin === undefined) return root;
      seen.add(id);
      root = origin;
    }
  }
}

/** Restores that went into one organization of a platform, the earliest first. */
export function restoresInto(
  journal: Mirror,
  { url, organization }: { readonly url: string; readonly organization: string },
): RestoreRecord[] {
  return listRestores(journal).filter((one) => one.target === url && one.organization === organization);
}

/** Over the restores that are given. */
export function lineageOf(journal: Mirror, restores: readonly RestoreRecord[]): Lineage {
  const lineage = new Lineage();
  for (const { id } of restores)
    for (const step of stepsOf(journal, id)) for (const one of madeBy(step)) lineage.note(one);
  return lineage;
}

export interface ToMake {
  readonly kind: KindName;
  /** Key of the original in the snapshot. */
  readonly key: string;
  readonly title: string;
}

/** What a step is to make anew in place, and would stand there twice if somebody else made it as well. */
export function toBeMade({ part, kind, key, title, pages }: PlanStep): ToMake[] {
  if (part === 'create') return [{ kind, key, title }];
  if (part !== 'pages' || pages === undefined) return [];
  const files = pages.files.filter(({ why }) => why.includes('gone'));
  return [
    ...pages.missing.map((page) => ({ kind: 'page' as const, key: `${key}/${page.id}`, title: page.title })),
    ...files.map((file) => ({ kind: 'file' as const, key: `${key}/${file.id}`, title: file.title })),
  ];
}

/** Which of them another restore has made as well, or was to make; undefined for anything else. */
export type WhatIs = (made: Omit<Made, 'id'>) => ToMake | undefined;

export function whatIsOf(all: readonly ToMake[], lineage: Lineage): WhatIs {
  const making = new Map(all.map((what) => [lineage.nameOf(what), what]));
  return (made) => making.get(lineage.nameOf(made));
}
