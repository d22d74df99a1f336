// The one place where an error becomes words on the terminal and an exit code.
import type { CommanderError } from 'commander';
import { AppError, safeText, toAppError, writeStderr, writeStdout, type ExitCode } from '../base/index.ts';
import type { Run } from './command.ts';
import { createStyle, type Style } from './views/style.ts';
import { forTerminal, oneLine } from './views/text.ts';

export interface ErrorView {
  json: boolean;
  /** A part of the answer is on stdout already: it is told of, and no other document follows it. */
  begun: boolean;
  /** Prints the stack, and those of its causes. */
  stacks: boolean;
  style: Style;
}

/** Prints what, on which thing, why; then what to do. Answers the exit code. */
export async function showError(error: unknown, view: ErrorView): Promise<ExitCode> {
  const known = toAppError(error);
  await tell(errorText(known, view.style));
  if (view.begun) await tell('  on stdout: only a part of the answer, which breaks off there\n');
  if (view.stacks) await tell(`${safeText(stackOf(known))}\n`);
  if (view.json && !view.begun) await tell(`${forTerminal(JSON.stringify(errorDocument(known)))}\n`, writeStdout);
  return known.exitCode;
}

/** Where nothing can be written, the exit code is all that is left to tell. */
function tell(text: string, write = writeStderr): Promise<void> {
  return write(text).catch(() => undefined);
}

export function errorText(error: AppError, style: Style = createStyle(false)): string {
  const what = `${style.bad('docmirror:')} ${oneLine(safeText(error.message))} (${error.code})`;
  return `${what}\n  what to do: ${oneLine(safeText(error.hint))}\n`;
}

function errorDocument(error: AppError): unknown {
  return { error: { code: error.code, message: safeText(error.message), hint: safeText(error.hint) } };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause)}`;
}

/** A misuse of the command line as an error of ours; null when it only asked for help or the version. */
export function usageError(error: CommanderError, { wrong }: Pick<Run, 'wrong'>): AppError | null {
  if (error.exitCode === 0) return null;
  const what =
    error.code === 'commander.help' ? 'No command was given' : oneLine(error.message.replace(/^error: /, ''));
  return new AppError('DM_USAGE', `The command line is wrong: ${what}`, {
    hint: `Run ${wrong} --help.`,
  });
}
