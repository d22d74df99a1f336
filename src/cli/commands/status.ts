import type { Command } from 'commander';
import type { App } from '../../app.ts';
import type { ExitCode } from '../../base/index.ts';
import { runQuery } from '../../mirror/index.ts';
import type { StatusReport } from '../../status/index.ts';
import { noteDoubt } from '../advice.ts';
import { createCommand, does, type Run } from '../command.ts';
import { statusDocument, statusView } from '../views/status.ts';

export function statusCommand(run: Run): Command {
  const command = createCommand({
    name: 'status',
    examples: ['status', 'status --json'],
    notes: ['Exit code 1: not ready, that is no fresh complete snapshot or no fresh passed drill.'],
  });
  return does(run, command, async ({ app, screen }): Promise<ExitCode> => {
    const report = await app.status();
    const { dataDir, flags, platform } = app.config;
    const around = { holder: app.holder(), pages: pagesIn(app, report), configured: platform.baseUrl };
    const seen = { dataDir, flags, ...around };
    await screen.show(statusDocument(report, seen), (look) => statusView(report, seen, look));
    if (report.lastSealed !== null) await noteDoubt(app, screen, report.lastSealed.id);
    return report.ready ? 0 : 1;
  });
}

/** Pages that readers see; what the last walk saw may be less. */
function pagesIn(app: App, { lastSealed }: StatusReport): number {
  if (lastSealed === null) return 0;
  return Number(runQuery(app.config.dataDir, 'select count(*) from pages', null).rows[0]?.[0] ?? 0);
}
