// What a walk was limited to, as people read it.
import { count, isRecord } from '../../base/index.ts';
import type { Snapshot } from './snapshots.ts';

const LIMITS = [
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
  const limits = LIMITS.flatMap(([name, word]) =>
    amount(scope[name]) === 0 ? [] : [count(amount(scope[name]), word)],
  );
  const more = amount(scope['extraSpaces']);
  return [...limits, ...(more === 0 ? [] : [`and ${count(more, 'named space')}`])].join(', ');
}
