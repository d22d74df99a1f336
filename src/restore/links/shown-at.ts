// Where the app of a platform shows what was restored: links by address lead there afterwards.
import { appAddress, destinationPart, type StableLink } from '../../export/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { Leading } from '../journal/id-map.ts';

/** What an address leads to once it is restored, by its new ids. */
export interface NewTarget {
  readonly to: StableLink['to'];
  /** The space itself where that is meant. */
  readonly space: string;
  readonly id: string;
}

/** Where the app shows what was restored. */
export interface ShownAt {
  /** @returns Null where that is not known. */
  of(target: NewTarget): string | null;
}

/** By what stands in a snapshot of the platform. */
export function shownIn(reader: Pick<SnapshotReader, 'one'>): ShownAt {
  return {
    of: ({ to, space, id }) =>
      to === 'file' ? null : appAddress(reader.one(to, to === 'space' ? id : `${space}/${id}`)?.body),
  };
}

interface Showing extends Leading {
  readonly shown?: ShownAt | undefined;
}

/** Where the app shows now what an address led to, as a link is written; null where that is not known. */
export function addressNow(link: StableLink, { ids, own, shown }: Showing): string | null {
  const target = newTarget(ids, link, own);
  const address = target === undefined ? null : (shown?.of(target) ?? null);
  return address === null ? null : destinationPart(address) + link.rest;
}

/** Undefined for a link to what was not restored. @param own The space that a link means which names none. */
export function newTarget(
  ids: Leading['ids'],
  { to, space, id }: Omit<StableLink, 'rest'>,
  own: string,
): NewTarget | undefined {
  const within = space ?? own;
  const now = ids.byId(to, id, to === 'space' ? null : within);
  if (now === undefined) return undefined;
  // What was brought back into a space that stands has another id, and the space has not.
  return { to, space: to === 'space' ? now : (ids.byId('space', within) ?? within), id: now };
}
