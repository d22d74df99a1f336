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
import { streamOut, type Streaming } from './stream.ts';
import { createProgress, type Progress } from './views/progress.ts';
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
  /** `show` for a result of any size, in pieces that are made while they are written: of JSON text, or of the view. */
  stream(json: () => Iterable<string>, view: (look: Look) => Iterable<string>): Promise<void>;
  /** What is wrong although there is a result, on stderr as an error is. */
  fault(code: ErrorCode, message: string, hint: string): Promise<void>;
  /** A line beside the result, on stderr. */
  note(text: string): Promise<void>;
  /** Text for programs on stdout, of any size, as it is unless a person looks. `cut` follows where it breaks off. */
  print(text: Iterable<string>, cut: string): Promise<void>;
  progress(label: string): Progress;
}

export interface ScreenOptions extends Omit<Streaming, 'cut'> {
  json: boolean;
  environment: Environment;
  clock: Clock;
  /** Those that commands which it names are to be given. */
  settings?: Repeated;
}

const CLEAR_LINE = '\r\u001b[K';

export function createScreen(options: ScreenOptions): Screen {
  const { json, environment, clock, settings } = options;
  const onTerminal = isTerminal('stdout');
  const live = isTerminal('stderr');
  const errorStyle = createStyle(isColoured(live, environment));
  const look: Look = {
    width: onTerminal ? terminalWidth() : Number.POSITIVE_INFINITY,
    style: createStyle(isColoured(onTerminal, environment)),
    named: (text) => (settings === undefined ? text : repeatFlags(text, settings)),
  };
  // A view is made for a terminal; what is made for programs may hold whatever somebody has written into a title.
  const raw = (text: string): string => (onTerminal ? forTerminal(text) : text);
  const stream = (pieces: Iterable<string>, cut = ''): Promise<void> => streamOut(pieces, { ...options, cut });
  return {
    json,
    look,
    errorStyle,
    fault: (code, message, hint) =>
      writeStderr(errorText(new AppError(code, message, { hint: look.named(hint) }), errorStyle)),
    show: (document, view) => writeStdout(`${json ? raw(JSON.stringify(document)) : view(look)}\n`),
    stream: (text, view) => stream(json ? each(text(), raw) : view(look)),
    // A progress bar may stand on the line.
    note: (text) => writeStderr(`${live ? CLEAR_LINE : ''}${text}\n`),
    print: (text, cut) => stream(each(text, raw), cut),
    progress: (label) => createProgress({ label, live, clock }),
  };
}

function* each(pieces: Iterable<string>, change: (piece: string) => string): Generator<string> {
  for (const piece of pieces) yield change(piece);
}
