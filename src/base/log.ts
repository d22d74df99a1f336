import { pino, type ChildLoggerOptions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { isRecord } from './json.ts';
import { redact } from './redact.ts';

export type { Logger } from 'pino';

/** From silent to everything; `info` is the default. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  level: LogLevel;
  /** For people at a terminal; else one JSON object per line. */
  pretty: boolean;
  /** stderr when absent. */
  destination?: DestinationStream;
}

const STDERR = 2;
// Of a log that cannot be written, as on a full disk: what comes first is held, and written with the next line once there is room.
const HELD_BYTES = 1024 * 1024;

/**
 * A pino logger. Every field passes `redact`: tokens, secrets, bodies and signed addresses never reach the output, stack traces
 * only at `debug` and below. Log a static message and put data in fields.
 */
export function createLogger(options: LoggerOptions): Logger {
  const stacks = options.level === 'debug' || options.level === 'trace';
  const clean = (fields: object): Record<string, unknown> => {
    const copy = redact(fields, { stacks });
    return isRecord(copy) ? copy : {};
  };
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are made plain by `redact`; pino's own serializer would add the stack again.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: clean },
    },
    destinationOf(options),
  );
  return withCleanChildren(logger, clean);
}

// Pino runs no formatter over the fields of a child; its children inherit this method, so theirs are cleaned too.
function withCleanChildren(logger: Logger, clean: (fields: object) => Record<string, unknown>): Logger {
  // oxlint-disable-next-line typescript/unbound-method -- it is applied below to the logger that it was called on
  const makeChild = logger.child;
  return Object.assign(logger, {
    child(this: Logger, bindings: object, options: ChildLoggerOptions = {}): Logger {
      return Reflect.apply(makeChild, this, [clean(bindings), options]);
    },
  });
}

/** A logger that writes nothing. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}

/** `job done (job sync, ms 1200)`, with the level in front where it is unusual, and an error as what it says. */
function wordsOf(entry: Record<string, unknown>, messageKey: string): string {
  const { level, time: _time, [messageKey]: message, err, ...fields } = entry;
  const head = level === 'info' ? '' : `${String(level).toUpperCase()}: `;
  const shown = Object.entries(fields).map(([name, value]) => `${name} ${inline(value)}`);
  const error = isRecord(err) ? `: ${errorWords(err)}` : err === undefined ? '' : `: ${inline(err)}`;
  const line = `${head}${String(message)}${shown.length === 0 ? '' : ` (${shown.join(', ')})`}${error}`;
  // Nothing in it that a terminal would obey.
  return line.replaceAll(/[^\P{Cc}\n]/gu, '');
}

function inline(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function errorWords({ message, code, hint, stack }: Record<string, unknown>): string {
  const part = (value: unknown, around: (text: string) => string): string =>
    value === undefined ? '' : around(inline(value));
  const what = inline(message) + part(code, (text) => ` (${text})`) + part(hint, (text) => `; ${text}`);
  return what + part(stack, (text) => `\n${text}`);
}

function destinationOf(options: LoggerOptions): DestinationStream {
  const destination = options.destination ?? standardError();
  if (!options.pretty) return destination;
  return pretty({
    destination,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'level',
    hideObject: true,
    messageFormat: wordsOf,
  });
}

/** A disk that is full, or a terminal that is gone, ends no work: without a listener its error would end the process. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: STDERR, sync: true, maxLength: HELD_BYTES });
  stream.on('error', () => undefined);
  return stream;
}
