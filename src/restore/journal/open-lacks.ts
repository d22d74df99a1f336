// What an import left behind that a later one of the same content may bring yet: kept as what it is, and told only once nothing more comes.
import type { RestoreStep } from '../../mirror/index.ts';
import { pagesNamed } from '../with-problems.ts';
import { detailOf } from './step-detail.ts';
import { untakenLine, type Untaken } from './untaken.ts';

export interface OpenLacks {
  /** Titles of pages that it brought and that the platform shows nowhere, by their keys. */
  readonly notFound?: Readonly<Record<string, string>>;
  /** Pages that link as they were written to what came with other imports. */
  readonly unlinked?: readonly Untaken[];
  /** How many of its resources the platform says that it imported. */
  readonly imported?: ImportedCount;
}

interface ImportedCount {
  readonly imported: number;
  readonly of: number;
}

/** What a step still lacks of that, in words; of one that is done. */
export function openLacksOf(entry: RestoreStep, entries: readonly RestoreStep[]): string[] {
  const { open = {} } = detailOf(entry);
  // Of most nothing is open, and the others are not looked through for each of them.
  if (isNothing(open)) return [];
  const { notFound = {}, unlinked = [], imported } = open;
  const later = entries.filter((one) => isLaterOf(entry, one)).map(detailOf);
  const brought = new Set(later.flatMap(({ map = {} }) => Object.values(map).flatMap(Object.keys)));
  const linked = new Set(later.flatMap((one) => one.linked ?? []));
  const isCounted = later.some(({ open: since }) => isWhole(since?.imported));
  const lost = Object.entries(notFound).flatMap(([key, title]) => (brought.has(key) ? [] : [title]));
  return [
    ...(imported === undefined || isWhole(imported) || isCounted ? [] : [countedLine(imported)]),
    ...unlinked.filter(({ id }) => !linked.has(id)).map(untakenLine),
    ...(lost.length === 0 ? [] : [`not found among what the platform imported: ${pagesNamed(lost)}`]),
  ];
}

function isNothing({ notFound, unlinked, imported }: OpenLacks): boolean {
  return notFound === undefined && unlinked === undefined && (imported === undefined || isWhole(imported));
}

function isLaterOf(entry: RestoreStep, { kind, key, step, state }: RestoreStep): boolean {
  return kind === entry.kind && key === entry.key && step > entry.step && state === 'done';
}

function isWhole(counted: ImportedCount | undefined): boolean {
  return counted !== undefined && counted.imported >= counted.of;
}

/** Said of an import that took in less than all. */
export function countedLine({ imported, of }: ImportedCount): string {
  return `the platform imported ${imported} of ${of} resources`;
}
