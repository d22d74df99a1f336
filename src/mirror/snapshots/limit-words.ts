// What a walk was limited to, as people read it.
import { count, isRecord } from '../../base/index.ts';
import type { Snapshot } from './snapshots.ts';

/** Fields of the scope of a walk that limit it, each with the word for one of what it names; the flag of `sync` is called by that word. */
export const LIMITS = [
  ['organizations', 'organization'],
  ['onlyCollections', 'collection'],
  ['onlySpaces', 'space'],
  ['kinds', 'kind'],
] as const;

/** `2 spaces`, `3 kinds`; nothing for a walk of everything. */
export function limitWords({ scope: text }: Snapshot): string {
  const scope: unknown = text === null ? null : JSON.parse(text);
  if (!isRecord(scope)) return '';
  const amount = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
  const named = LIMITS.filter(([name]) => amount(scope[name]) > 0);
  return named.map(([name, word]) => count(amount(scope[name]), word)).join(', ');
}
