// What a step is to make anew in place, and what would therefore stand there twice if somebody else made it as well.
import type { KindName } from '../../contract/index.ts';
import type { PlanStep } from '../types.ts';
import type { Lineage, Made } from './lineage.ts';

export interface ToMake {
  readonly kind: KindName;
  /** Key of the original in the snapshot. */
  readonly key: string;
  readonly title: string;
}

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
