// The one home of the process itself: exit code, signals, standard streams.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { endOfTurn } from './clock.ts';
import { AppError, type ExitCode } from './errors.ts';
import { codeOf } from './error-code.ts';

/** The code that the process will end with once nothing is left to do. */
export function setExitCode(code: ExitCode): void {
  process.exitCode = code;
}

/** Ends the process now, whatever is open. For the watchdog of a shutdown that hangs. */
export function exitNow(code: ExitCode): never {
  process.exit(code);
}

export interface InterruptSignal extends Disposable {
  /** Aborts with DM_INTERRUPTED on the first SIGINT or SIGTERM. */
  signal: AbortSignal;
  /** Stops listening; the signals have their usual effect again. */
  dispose(): void;
}

/** Listens for SIGINT and SIGTERM: the first aborts, the second ends the process at once with 130. */
export function interruptSignal(): InterruptSignal {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) exitNow(130);
    controller.abort(
      new AppError('DM_INTERRUPTED', `Interrupted by ${name}`, {
        hint: 'Run the same command again; what was committed is kept.',
      }),
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const dispose = (): void => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  return { signal: controller.signal, dispose, [Symbol.dispose]: dispose };
}

export interface Hangups extends Disposable {
  /** Calls `work` for each SIGHUP that follows, and at once when one came before. */
  heed(work: () => void): void;
}

/** Listens for SIGHUP, which would end the process otherwise, until it is disposed of. */
export function holdHangups(): Hangups {
  let heeded: (() => void) | null = null;
  let wasHeld = false;
  const onSignal = (): void => {
    if (heeded === null) wasHeld = true;
    else heeded();
  };
  process.on('SIGHUP', onSignal);
  return {
    heed: (work) => {
      heeded = work;
      if (wasHeld) work();
    },
    [Symbol.dispose]: () => void process.off('SIGHUP', onSignal),
  };
}

/**
 * Writes to stdout; resolves when it is handed to the system. A reader that has gone away (`| head`) is no error. Throws
 * DM_OUTPUT_FAILED.
 */
export async function writeStdout(text: string): Promise<void> {
  await offerStdout(text);
}

/** `writeStdout` that tells whether anybody takes more: false once the reader has gone away. */
export async function offerStdout(text: string): Promise<boolean> {
  try {
    return await writeTo(process.stdout, text);
  } catch (error) {
    throw outputFailed(error);
  }
}

function outputFailed(error: unknown): AppError {
  const why = error instanceof Error ? error.message : String(error);
  return new AppError('DM_OUTPUT_FAILED', `The output could not be written: ${why}`, {
    hint: 'Send it to another file or disk, or free space where it goes; what the command had to do is done.',
    cause: error,
  });
}

/** Does work in which a library writes to stdout and ignores whether that got there. Throws DM_OUTPUT_FAILED. */
export async function watchingStdout(work: () => Promise<unknown>): Promise<void> {
  const errors: Error[] = [];
  const note = (error: Error): void => void errors.push(error);
  process.stdout.on('error', note);
  try {
    await work();
    // A file or pipe is written to at once, and says what failed in the turn after.
    await endOfTurn();
  } finally {
    process.stdout.off('error', note);
  }
  const [failed] = errors.filter((error) => !isClosedPipe(error));
  if (failed !== undefined) throw outputFailed(failed);
}

/**
 * Writes to stderr; resolves when it is handed to the system, or when the system does not take it, as on a full disk: there is
 * nobody left who could be told, and a night must not end by a line that is lost.
 */
export async function writeStderr(text: string): Promise<void> {
  await writeTo(process.stderr, text).catch(() => false);
}

/** True when a person is looking at the stream. */
export function isTerminal(stream: 'stdout' | 'stderr'): boolean {
  return process[stream].isTTY === true;
}

const DEFAULT_WIDTH = 100;

/** Columns of the terminal that stdout is; 100 when there is none. */
export function terminalWidth(): number {
  const columns: number | undefined = process.stdout.columns;
  return columns === undefined || columns === 0 ? DEFAULT_WIDTH : columns;
}

/** False when the reader has gone away. */
function writeTo(stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  // A stream without an error listener ends the process on EPIPE; the write's own callback reports all other errors.
  if (!stream.listeners('error').includes(ignoreStreamError)) stream.on('error', ignoreStreamError);
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && !isClosedPipe(error)) reject(error);
      else resolve(!error);
    });
  });
}

function ignoreStreamError(): void {
  // Reported by the callback of the write that failed.
}

function isClosedPipe(error: Error): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(codeOf(error) ?? '');
}

// The heap may grow by half between two collections, instead of to a multiple: measured on a first walk of 80,000 pages it takes
// 80 MiB off the peak and costs no time that can be told from chance.
const HEAP_GROWTH_PERCENT = 50;

/** Keeps the heap of this process close to what it needs. Call once, at its start. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

// Bytes. To store, send or parse fewer takes less than to collect the heap.
const VERY_LARGE = 4 * 1024 * 1024;

/**
 * Gives back at once what the heap of this process holds for nothing, where so many bytes are about to be made that the ten
 * milliseconds are worth it: of what came before, much may lie there for as long as the heap has room to grow.
 */
export function freeHeapFor(bytes: number): void {
  if (bytes < VERY_LARGE) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
