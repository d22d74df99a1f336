// What an act upon an organization goes by: the place in which it happens, and numbers that pick what it is about.
import type { TestWorld } from './world.ts';
import { TITLES } from './writings.ts';

/** An act and its numbers. */
export interface Chosen {
  readonly one: number;
  readonly other: number;
  readonly word: number;
}

export interface Acting extends Chosen {
  readonly world: TestWorld;
  readonly api: TestWorld['api'];
  readonly path: { readonly organizationId: string };
  /** Spaces in the bin. */
  readonly bin: string[];
  /** Tokens of other people than the one whom everything is done as. */
  readonly tokens: string[];
}

export type Act = (acting: Acting) => Promise<unknown>;

/** One of them by a number; undefined where there is none. */
export function at<T>(all: readonly T[], number: number): T | undefined {
  return all[number % all.length];
}

/** Does something about one of them, where there is any. */
export async function about<T>(all: readonly T[], number: number, act: (one: T) => unknown): Promise<void> {
  const one = at(all, number);
  if (one !== undefined) await act(one);
}

export const ROLES = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export const LEVELS = [...ROLES, 'inherit', null] as const;

const WORDS = [
  ...TITLES,
  'null',
  '__proto__',
  'constructor',
  ' space around ',
  'two\nlines',
  '@robin hello',
  '{{name}} %s',
  '',
] as const;

/** Something that a person may have typed, no longer than a field takes. */
export function wordOf({ word }: Pick<Chosen, 'word'>, longest = 50): string {
  return (at(WORDS, word) ?? '').slice(0, longest);
}

/** The same, where a field takes no empty one. */
export function nameOf(chosen: Pick<Chosen, 'word'>, longest = 50): string {
  return wordOf(chosen, longest).padEnd(2, '-');
}

export async function spacesIn({ world, api, path }: Acting): Promise<string[]> {
  const { items } = await api.listMemberSpaces({
    path: { ...path, userId: world.platform.owner },
    query: { limit: 1000, order: 'asc' },
  });
  return items.map(({ space }) => space.id);
}

export async function collectionsIn({ api, path }: Acting): Promise<string[]> {
  const { items } = await api.listCollections({ path, query: { limit: 1000 } });
  return items.map(({ id }) => id);
}

export async function membersIn({ api, path }: Acting): Promise<string[]> {
  const { items } = await api.listMembers({ path, query: { limit: 1000, order: 'asc' } });
  return items.map(({ id }) => id);
}

export async function teamsIn({ api, path }: Acting): Promise<string[]> {
  const { items } = await api.listTeams({ path, query: { limit: 1000 } });
  return items.map(({ id }) => id);
}

/** The members other than the one whose token everything is done with. */
export async function othersIn(acting: Acting): Promise<string[]> {
  return (await membersIn(acting)).filter((id) => id !== acting.world.platform.owner);
}
