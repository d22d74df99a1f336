// Where a command's words go. With --json stdout holds one document and nothing else.
import {
  AppError,
  isTerminal,
  terminalWidth,
  writeStderr,
  writeStdout,
  type Clock,
  type Environment,
  type ErrorCode,
} from '../base/index.ts';
import { repeatFlags, type Repeated } from '../config/index.ts';
import { errorText } from './show-error.ts';
import { createProgress, noProgress, type Progress } from './views/progress.ts';
import { createStyle, isColoured, type Style } from './views/style.ts';
import { forTerminal } from './views/text.ts';

export interface Look {
  /** Columns; Infinity where nobody looks, so that nothing is cut. */
  readonly width: number;
  readonly style: Style;
  /** Words of ours, with the flags that were given behind each command in them. */
  readonly named: (text: string) => string;
}

export interface Screen {
  readonly json: boolean;
  /** For what goes to stdout. */
  readonly look: Look;
  /** For what goes to stderr. */
  readonly errorStyle: Style;
  /** The result: a document with --json, else what the view makes of it. */
  show(document: unknown, view: (look: Look) => string): Promise<void>;
  /** `show` for a document that is JSON text already. */
  showJson(text: () => string, view: (look: Look) => string): Promise<void>;
  /** What is wrong although there is a result, on stderr as an error is. */
  fault(code: ErrorCode, message: string, hint: string): Promise<void>;
  /** A line beside the result, on stderr. */
  note(text: string): Promise<void>;
  /** Text for programs on stdout, as it is unless a person looks; nothing with --json. */
  print(text: string): Promise<void>;
  progress(label: string): Progress;
}

export interface ScreenOptions {
  json: boolean;
  environment: Environment;
  clock: Clock;
  /** Nobody follows the progress: the log tells it. */
  quiet?: boolean;
  /** Those that commands which it names are to be given. */
  settings?: Repeated;
}

const CLEAR_LINE = '\r\u001b[K';

export function createScreen({ json, environment, clock, quiet = false, settings }: ScreenOptions): Screen {
  const onTerminal = isTerminal('stdout');
  const live = isTerminal('stderr');
  const errorStyle = createStyle(isColoured(live, environment));
  const look: Look = {
    width: onTerminal ? terminalWidth('stdout') : Number.POSITIVE_INFINITY,
    style: createStyle(isColoured(onTerminal, environment)),
    named: (text) => (settings === undefined ? text : repeatFlags(text, settings)),
  };
  // A view is made for a terminal; what is made for programs may hold whatever somebody has written into a title.
  const printRaw = (text: string): Promise<void> => writeStdout(`${onTerminal ? forTerminal(text) : text}\n`);
  return {
    json,
    look,
    errorStyle,
    fault: (code, message, hint) =>
      writeStderr(errorText(new AppError(code, message, { hint: look.named(hint) }), errorStyle)),
    show: (document, view) => (json ? printRaw(JSON.stringify(document)) : writeStdout(`${view(look)}\n`)),
    showJson: (text, view) => (json ? printRaw(text()) : writeStdout(`${view(look)}\n`)),
    // A progress bar may stand on the line.
    note: (text) => writeStderr(`${live ? CLEAR_LINE : ''}${text}\n`),
    print: (text) => (json ? Promise.resolve() : printRaw(text)),
    progress: (label) => (quiet ? noProgress : createProgress({ label, live, clock })),
  };
}
