import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { noteDoubt } from '../advice.ts';
import { createCommand, does, TIME_NOTE, type Run } from '../command.ts';
import { sayKept } from '../kept.ts';
import { followRestore } from '../views/restore-progress.ts';
import { drillDocument, verifyView } from '../views/verify.ts';

interface Options {
  snapshot?: string;
}

export function drillCommand(run: Run): Command {
  const command = createCommand({
    name: 'drill',
    examples: ['drill', 'drill --snapshot 3 --json'],
    notes: [
      'The real platform is not touched. Exit code 1: what came back differs from the snapshot.',
      'Readiness rests on drills of the newest complete snapshot: one of another proves that one alone.',
      TIME_NOTE,
    ],
  }).option('--snapshot <snapshot>', 'number, time or "latest"; the last complete one without');
  return does<Options>(run, command, async ({ app, screen, signal }, { snapshot }): Promise<ExitCode> => {
    using progress = followRestore(screen, 'drill', app.clock);
    const { onProgress, onRead } = progress;
    const report = await app
      .drill({ ...(snapshot === undefined ? {} : { snapshot }), onProgress, onRead, signal })
      .catch(sayKept('The drill was interrupted; it is not recorded', 'Run it again: `docmirror drill`.'));
    progress[Symbol.dispose]();
    const title = `Drill of snapshot ${report.snapshot}`;
    await screen.show(drillDocument(report), (look) => verifyView(report, title, look));
    await noteDoubt(app, screen, report.snapshot);
    if (report.passed && !report.ofNewest) await screen.note(notTheNewest(report.snapshot));
    if (!report.passed) {
      await screen.fault(
        'DM_DRILL_FAILED',
        `The drill of snapshot ${report.snapshot} did not pass`,
        'Read the differences above; the real platform was not touched.',
      );
    }
    return report.passed ? 0 : 1;
  });
}

function notTheNewest(snapshot: number): string {
  return `Snapshot ${snapshot} is not the newest complete one of everything: readiness rests on the last drill of that`;
}
