import type { Command } from 'commander';
import type { App } from '../../app.ts';
import { AppError } from '../../base/index.ts';
import { resolveSnapshot, runQuery } from '../../mirror/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { queryCsv, queryDocument, queryView } from '../views/query.ts';

interface Options {
  at?: string;
  csv?: boolean;
  json?: boolean;
}

export function queryCommand(run: Run): Command {
  const command = createCommand({
    name: 'query',
    summary: 'Run read-only SQL over the mirror.',
    examples: [
      'query "select title, path from pages limit 5"',
      'query "select title from pages_search where pages_search match \'install*\'"',
      'query --at 2025-03-01 --csv "select id, title from spaces" > spaces.csv',
      'query "select name, description from docs_tables"',
    ],
  })
    .argument('<sql>', 'one statement that only reads')
    .option('--at <snapshot>', 'the mirror as of a snapshot: number, time or "latest"')
    .option('--csv', 'answer with CSV');
  return does<Options>(run, command, async ({ app, screen, args }, options) => {
    if (options.csv === true && options.json === true) throw bothForms();
    const at = snapshotNumber(app, options.at);
    const result = runQuery(app.config.dataDir, args[0] ?? '', at);
    if (options.csv === true) await screen.print(queryCsv(result));
    else await screen.show(queryDocument(result), (look) => queryView(result, look));
  });
}

function snapshotNumber(app: App, at: string | undefined): number | null {
  using mirror = app.reader();
  return at === undefined ? null : resolveSnapshot(mirror, at).id;
}

function bothForms(): AppError {
  return new AppError('DM_USAGE', 'Both --csv and --json were given; expected one of them', {
    hint: 'Leave one of the two out.',
  });
}
