import type { Command } from 'commander';
import { readableJson } from '../../base/index.ts';
import {
  holderOf,
  listRestores,
  restoreById,
  stepsOf,
  halfUndone,
  isDrill,
  undoesOf,
  undone,
} from '../../mirror/index.ts';
import { archiveOfUndo, leavesAny } from '../../restore/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { restoresView, type RestoreDocument } from '../views/restores.ts';

interface Options {
  all?: boolean;
}

export function restoreListCommand(run: Run): Command {
  const command = createCommand({
    name: 'list',
    summary: 'List the restores that were begun, oldest first.',
    examples: ['restore list', 'restore list --all', 'restore list --json'],
  }).option('--all', 'with those that the last drill rehearsed');
  return does<Options>(run, command, async ({ app, screen }, { all }) => {
    using mirror = app.reader();
    const wanted = listRestores(mirror).filter((record) => all === true || !isDrill(record));
    const [back, half] = [undone(mirror), halfUndone(mirror)];
    const partly = new Set<string>();
    for (const [restore, by] of back) if (await leavesAny(restoreById(mirror, by))) partly.add(restore);
    // No process writes while none holds the data directory.
    const holder = holderOf(app.config.dataDir);
    const restores = wanted.map((record): RestoreDocument => {
      const steps = stepsOf(mirror, record.id);
      return {
        restore: record.id,
        state: record.state === 'running' && holder === null ? 'cut off' : record.state,
        snapshot: record.snapshot,
        archive: archiveOfUndo(record),
        undoes: undoesOf(record),
        undoneBy: back.get(record.id) ?? null,
        beingUndoneBy: half.get(record.id) ?? null,
        undoneInPart: partly.has(record.id),
        target: record.target,
        organization: record.organization,
        plan: record.plan,
        createdAt: record.created_at,
        endedAt: record.ended_at,
        done: steps.filter((step) => step.state === 'done').length,
        failed: steps.filter((step) => step.state === 'failed' || step.state === 'skipped').length,
        verified: passedOf(record.report),
      };
    });
    await screen.show(restores, (look) => restoresView(restores, look));
  });
}

function passedOf(report: string | null): boolean | null {
  return report === null ? null : readableJson(report)?.['passed'] === true;
}
