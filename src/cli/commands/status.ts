import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { SUMMARIES } from '../summaries.ts';
import { statusDocument, statusView } from '../views/status.ts';

export function statusCommand(run: Run): Command {
  const command = createCommand({
    name: 'status',
    summary: SUMMARIES.status,
    examples: ['status', 'status --json'],
    notes: ['Exit code 1: not ready, that is no fresh complete snapshot or no fresh passed drill.'],
  });
  return does(run, command, async ({ app, screen }): Promise<ExitCode> => {
    const report = app.status();
    await screen.show(statusDocument(report), (look) => statusView(report, app.config.dataDir, look));
    return report.ready ? 0 : 1;
  });
}
