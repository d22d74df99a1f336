import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { exportLine, syncDocument, syncView } from '../views/sync.ts';
import { showWalk } from '../views/walk-progress.ts';

interface Options {
  full?: boolean;
  organization?: string[];
  space?: string[];
}

export function syncCommand(run: Run): Command {
  const command = createCommand({
    name: 'sync',
    summary: 'Walk the platform once and seal one snapshot.',
    examples: ['sync', 'sync --full', 'sync --space SPACE_ID --json'],
    notes: ['Exit code 3: the snapshot is stored but partial or suspect. A walk that was cut off is continued.'],
  })
    .option('--full', 'read everything again, changed or not')
    .option('--organization <id...>', 'only these organizations')
    .option('--space <id...>', 'only these spaces, nothing above them');
  return does<Options>(run, command, async ({ app, screen, signal }, options): Promise<ExitCode> => {
    using progress = screen.progress('walk');
    const result = await app.sync({
      full: options.full === true,
      ...(options.organization ? { organizations: options.organization } : {}),
      ...(options.space ? { spaces: options.space } : {}),
      onProgress: showWalk(progress, app.clock),
      signal,
    });
    progress[Symbol.dispose]();
    await screen.show(syncDocument(result), (look) => `${syncView(result, look)}\n${exportLine(result.export)}`);
    if (result.export.state === 'failed') {
      const { code, message, hint } = result.export.error;
      await screen.fault(code, `Snapshot ${result.snapshot.id} is stored, but its export failed: ${message}`, hint);
      return 1;
    }
    return result.snapshot.state === 'complete' ? 0 : 3;
  });
}
