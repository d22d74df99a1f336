import type { LedgerEntry } from '../../restore/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { count } from './units.ts';

const CLASSES = { exact: 'exact', bestEffort: 'best effort', lost: 'lost' } as const;

/** A block for each kind: its exact fields in one line, then each of the others with how or why. */
export function ledgerView(entries: readonly LedgerEntry[], look: Look): string {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const totals = (['exact', 'bestEffort', 'lost'] as const).map((name) => {
    return `${count(entries.filter((entry) => entry.class === name).length, 'field')} ${CLASSES[name]}`;
  });
  const blocks = kinds.map((kind) =>
    kindBlock(
      entries.filter((entry) => entry.kind === kind),
      look,
    ),
  );
  return [...blocks, `${kinds.length} kinds: ${totals.join(', ')}`].join('\n\n');
}

function kindBlock(entries: readonly LedgerEntry[], look: Look): string {
  const title = look.style.bold(entries[0]?.kind ?? '');
  const reasons = new Set(entries.map(({ reason }) => reason));
  const [first] = entries;
  if (first?.class === 'lost' && reasons.size === 1) return `${title}: lost, ${first.reason}`;
  const exact = entries.filter((entry) => entry.class === 'exact').map(({ field }) => field);
  const others = entries.filter((entry) => entry.class !== 'exact');
  const rows = table(
    others,
    [
      { title: 'field', value: (row) => row.field },
      { title: 'class', keep: true, value: (row) => CLASSES[row.class] },
      { title: 'how, or why not', wraps: true, value: (row) => row.reason },
    ],
    look,
  );
  return [`${title}: exact are ${exact.join(', ') || 'none'}`, rows].join('\n');
}
