import type { Difference } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { count } from './units.ts';

export interface DiffInput {
  from: number;
  to: number;
  changes: readonly Difference[];
}

export function diffView({ from, to, changes }: DiffInput, look: Look): string {
  if (changes.length === 0) return `Nothing differs between snapshots ${from} and ${to}.`;
  const { good, bad, warn } = look.style;
  const paints = { added: good, changed: warn, removed: bad };
  const rows = table(
    changes,
    [
      { title: 'change', value: (row) => row.change, paint: (text, row) => paints[row.change](text) },
      { title: 'kind', value: (row) => row.kind },
      { title: 'what', value: (row) => row.label },
      { title: 'key', value: (row) => row.key },
    ],
    look,
  );
  const amount = (change: Difference['change']): number => changes.filter((row) => row.change === change).length;
  const sums = `${amount('added')} added, ${amount('changed')} changed, ${amount('removed')} removed`;
  return `${rows}\n\n${count(changes.length, 'difference')} from snapshot ${from} to ${to}: ${sums}`;
}
