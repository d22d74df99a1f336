import type { Forgotten } from '../../app.ts';
import type { Pruned } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { bytes, count, thousands } from './units.ts';

export function forgetDocument({ verdicts, pruned, refusal }: Forgotten, dryRun: boolean): unknown {
  const snapshots = verdicts.map(({ id, keep, reasons }) => ({ snapshot: id, keep, reasons }));
  const refused = refusal && { code: refusal.code, message: refusal.message, hint: refusal.hint };
  return { dryRun, snapshots, pruned, refused };
}

export function forgetView({ verdicts, pruned, refusal }: Forgotten, dryRun: boolean, look: Look): string {
  const rows = table(
    verdicts,
    [
      { title: 'snapshot', align: 'right', keep: true, value: (row) => row.id },
      {
        title: dryRun ? 'would be' : 'was',
        keep: true,
        value: (row) => (row.keep ? 'kept' : 'dropped'),
        paint: (text, row) => (row.keep ? text : look.style.warn(text)),
      },
      { title: 'because', wraps: true, value: (row) => row.reasons.join('; ') },
    ],
    look,
  );
  const dropped = verdicts.filter(({ keep }) => !keep).length;
  const sum = `${count(dropped, 'snapshot')} ${dryRun ? 'would be dropped' : 'dropped'}, ${thousands(verdicts.length - dropped)} kept${refusal ? '; not now, since forgetting is refused' : ''}`;
  const freed = pruned
    ? pruneView(pruned)
    : dropped > 0 && !dryRun
      ? look.named('Free the space with: docmirror prune')
      : '';
  return [rows, '', sum, ...(freed === '' ? [] : [freed])].join('\n');
}

export function pruneView(pruned: Pruned): string {
  return `Freed ${count(pruned.objects, 'object')} (${bytes(pruned.bytes)}) and ${count(pruned.bodies, 'text')}`;
}
