import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { isRecord } from '../base/index.ts';
import { addSettings, type Run } from './command.ts';
import { checkCommand } from './commands/check.ts';
import { daemonCommand, serveCommand } from './commands/daemon.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { drillCommand } from './commands/drill.ts';
import { exportCommand } from './commands/export.ts';
import { forgetCommand, pruneCommand } from './commands/forget.ts';
import { platformCommand } from './commands/platform.ts';
import { queryCommand } from './commands/query.ts';
import { restoreCommand } from './commands/restore.ts';
import { snapshotsCommand } from './commands/snapshots.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { syncCommand } from './commands/sync.ts';

const COMMANDS = [
  startCommand,
  syncCommand,
  daemonCommand,
  serveCommand,
  statusCommand,
  snapshotsCommand,
  diffCommand,
  queryCommand,
  exportCommand,
  checkCommand,
  restoreCommand,
  drillCommand,
  doctorCommand,
  forgetCommand,
  pruneCommand,
  platformCommand,
];

/** The whole command line. Parsing throws CommanderError for wrong use; what a command throws passes through. */
export function createProgram(run: Run): Command {
  const program = new Command('docmirror')
    .description('Mirrors a documentation platform through its API, keeps every version, and can put it back.')
    .version(versionOf(), '--version', 'print the version')
    .helpCommand('help [command]', 'explain a command')
    .showHelpAfterError(false);
  for (const command of COMMANDS) program.addCommand(command(run));
  settle(program);
  return program;
}

/** Settings and error handling are the same for every command, at any depth. */
function settle(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  if (command.parent !== null && command.commands.length === 0) addSettings(command);
  for (const child of command.commands) settle(child);
}

function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const about: unknown = JSON.parse(text);
  return isRecord(about) ? String(about['version']) : 'unknown';
}
