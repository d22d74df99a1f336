import type { Command } from 'commander';
import { diffSnapshots, resolveSnapshot } from '../../mirror/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { diffView } from '../views/diff.ts';

export function diffCommand(run: Run): Command {
  const command = createCommand({
    name: 'diff',
    summary: 'Show what was added, changed or removed from one snapshot to another.',
    examples: ['diff 1 2', 'diff 2025-03-01 latest', 'diff 1 2 --json'],
  })
    .argument('<a>', 'a snapshot: number, time or "latest"')
    .argument('<b>', 'the other one');
  return does(run, command, async ({ app, screen, args }) => {
    using mirror = app.reader();
    const from = resolveSnapshot(mirror, args[0] ?? '').id;
    const to = resolveSnapshot(mirror, args[1] ?? '').id;
    const changes = [...diffSnapshots(mirror, from, to)];
    await screen.show({ from, to, changes }, (look) => diffView({ from, to, changes }, look));
  });
}
