import { resolve } from 'node:path';
import type { Command } from 'commander';
import { noteDoubt } from '../advice.ts';
import { createCommand, does, TIME_NOTE, type Run } from '../command.ts';
import { sayKept } from '../kept.ts';
import { exportView, showExport } from '../views/export.ts';

interface Options {
  snapshot?: string;
  to: string;
  git?: boolean;
}

export function exportCommand(run: Run): Command {
  const command = createCommand({
    name: 'export',
    examples: [
      'export --to ./docs',
      'export --snapshot 3 --to ./docs-of-march',
      'export --snapshot 2025-03-01 --to ./march',
    ],
    notes: [
      'The folder must be new, empty or an earlier export; only what changed is written.',
      'Files of your own in it stay; edits to exported files are overwritten.',
      TIME_NOTE,
    ],
  })
    .option('--snapshot <snapshot>', 'number, time or "latest"; the last complete one without')
    .requiredOption('--to <dir>', 'the folder to write into')
    .option('--git', 'commit what changed to a git repository that is kept beside the folder');
  return does<Options>(run, command, async ({ app, screen, signal }, { snapshot, to, git }) => {
    using progress = screen.progress('export');
    const exported = await app
      .exportTo({
        ...(snapshot === undefined ? {} : { snapshot }),
        to: resolve(to),
        git: git === true,
        onProgress: (written) => showExport(written, progress),
        signal,
      })
      .catch(sayKept(`The export was interrupted; ${to} is as it was before`, 'Run the same command again.'));
    progress[Symbol.dispose]();
    await screen.show(exported, (look) => exportView(exported, look));
    await noteDoubt(app, screen, exported.snapshot);
  });
}
