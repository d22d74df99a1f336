import type { Worker } from 'node:worker_threads';
import { AppError, beginThread, builtProgram, toAppError, type Logger } from '../../base/index.ts';
import type { Failed, LogLine, Order, Standing, Told } from './platform-thread.ts';

export interface OnThreadOptions extends Omit<Order, 'logsDetails'> {
  readonly log: Logger;
  /** The thread has ended by itself, as for lack of memory: nobody answers any more. */
  readonly onEnd: (error: AppError) => void;
  readonly program?: URL;
}

/** Disposing ends the thread at once, whatever it is at: its database is not to be used again. */
export interface PlatformOnThread extends Standing, AsyncDisposable {}

// It makes much that is soon given up; twice as much room saved no time.
const YOUNG_MIB = 24;

/**
 * Starts an embedded platform on a thread of its own: however long it takes something in, nobody else in this process waits for it.
 * Throws what `startPlatform` throws, DM_PROGRAM_CHANGED where its program is gone, and DM_INTERNAL where there is no thread for it.
 */
export async function startOnThread(options: OnThreadOptions): Promise<PlatformOnThread> {
  const { log, onEnd, program = builtProgram('platform/thread/platform-thread'), ...order } = options;
  const data: Order = { ...order, logsDetails: log.isLevelEnabled('debug') };
  const worker = begin(program, data);
  const abandoned = new AbortController();
  const end = async (): Promise<void> => {
    abandoned.abort();
    await worker.terminate();
  };
  try {
    const standing = await standingOf(worker, { log, onEnd, abandoned: abandoned.signal });
    return { ...standing, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

function begin(program: URL, data: Order): Worker {
  try {
    return beginThread(program, { data, youngMiB: YOUNG_MIB });
  } catch (error) {
    throw ended(error);
  }
}

interface Following extends Pick<OnThreadOptions, 'log' | 'onEnd'> {
  readonly abandoned: AbortSignal;
}

function standingOf(worker: Worker, { log, onEnd, abandoned }: Following): Promise<Standing> {
  return new Promise((resolve, reject) => {
    let isUp = false;
    let cause: unknown;
    worker.on('message', (told: Told) => {
      if ('line' in told) return writeLine(log, told.line);
      if ('failed' in told) return reject(failure(told.failed));
      isUp = true;
      resolve(told.standing);
    });
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      if (!isUp) reject(ended(cause));
      else if (!abandoned.aborted) onEnd(ended(cause));
    });
  });
}

function writeLine(log: Logger, { level, message, fields }: LogLine): void {
  log[level](fields, message);
}

function failure({ code, message, hint }: Failed): AppError {
  return new AppError(code, message, { hint });
}

function ended(cause: unknown): AppError {
  const known = toAppError(cause);
  if (known.code === 'DM_PROGRAM_CHANGED') return known;
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new AppError('DM_INTERNAL', `The thread of an embedded platform ended before its work was done${why}`, {
    hint: 'Run it again; there may have been too little memory.',
    cause,
  });
}
