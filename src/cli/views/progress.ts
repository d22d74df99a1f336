// How far a long job is: a bar where a person looks, a line now and then elsewhere. Always on stderr.
import { Presets, SingleBar } from 'cli-progress';
import { writeStderr, type Clock } from '../../base/index.ts';
import { thousands } from './units.ts';

export interface Progress extends Disposable {
  /** Both in the job's own unit; the total may grow. */
  update(done: number, total: number, note?: string): void;
}

export interface ProgressOptions {
  label: string;
  /** A person is looking at stderr. */
  live: boolean;
  clock: Clock;
}

const LINE_EVERY_MS = 5000;

export function createProgress(options: ProgressOptions): Progress {
  return options.live ? bar(options) : lines(options);
}

/** For jobs that nobody follows. */
export const noProgress: Progress = { update: () => undefined, [Symbol.dispose]: () => undefined };

function bar({ label }: ProgressOptions): Progress {
  const format = ` ${label} {bar} {percentage}% | {value} of {total} | {note}`;
  const view = new SingleBar(
    { format, hideCursor: true, clearOnComplete: true, stopOnComplete: false, etaBuffer: 50, barsize: 24 },
    Presets.shades_classic,
  );
  let running = false;
  return {
    update: (done, total, note = '') => {
      if (!running) view.start(Math.max(total, 1), done, { note });
      running = true;
      view.setTotal(Math.max(total, 1));
      view.update(done, { note });
    },
    [Symbol.dispose]: () => {
      if (running) view.stop();
    },
  };
}

function lines({ label, clock }: ProgressOptions): Progress {
  let next = clock.monotonic() + LINE_EVERY_MS;
  return {
    update: (done, total, note = '') => {
      if (clock.monotonic() < next) return;
      next = clock.monotonic() + LINE_EVERY_MS;
      const end = note === '' ? '' : `, ${note}`;
      void writeStderr(`${label}: ${thousands(done)} of ${thousands(total)}${end}\n`);
    },
    [Symbol.dispose]: () => undefined,
  };
}
