// How far a long job is: a bar where a person looks, a line now and then elsewhere. Always on stderr.
import { Presets, SingleBar } from 'cli-progress';
import { writeStderr, type Clock } from '../../base/index.ts';
import { oneLine } from './text.ts';
import { span, thousands } from './units.ts';

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
  const progress = options.live ? bar(options) : lines(options);
  return {
    // It names what somebody has given a title.
    update: (done, total, note = '') => progress.update(done, total, oneLine(note)),
    [Symbol.dispose]: () => progress[Symbol.dispose](),
  };
}

/** For jobs that nobody follows. */
export const noProgress: Progress = { update: () => undefined, [Symbol.dispose]: () => undefined };

/** Tells the pace and how long the rest takes at it; nothing before there is a pace. */
function createPace(clock: Clock): (done: number, total: number) => string {
  let first: { readonly done: number; readonly at: number } | null = null;
  return (done, total) => {
    first ??= { done, at: clock.monotonic() };
    const elapsed = clock.monotonic() - first.at;
    const made = done - first.done;
    if (made <= 0 || elapsed < SETTLED_MS) return '';
    const leftMs = ((total - done) * elapsed) / made;
    return `${thousands(Math.round((made * 1000) / elapsed))}/s, ${span(Math.max(0, leftMs))} left`;
  };
}

// A pace over less than this is chance.
const SETTLED_MS = 1000;

function bar({ label, clock }: ProgressOptions): Progress {
  const format = ` ${label} {bar} {percentage}% | {value} of {total} | {pace}{note}`;
  const paceAt = createPace(clock);
  const shown = (done: number, total: number, note: string): { note: string; pace: string } => {
    const pace = paceAt(done, total);
    return { note, pace: pace === '' ? '' : `${pace} | ` };
  };
  const view = new SingleBar(
    { format, hideCursor: true, clearOnComplete: true, stopOnComplete: false, etaBuffer: 50, barsize: 24 },
    Presets.shades_classic,
  );
  let running = false;
  return {
    update: (done, total, note = '') => {
      const texts = shown(done, total, note);
      if (!running) view.start(Math.max(total, 1), done, texts);
      running = true;
      view.setTotal(Math.max(total, 1));
      view.update(done, texts);
    },
    [Symbol.dispose]: () => {
      if (running) view.stop();
    },
  };
}

function lines({ label, clock }: ProgressOptions): Progress {
  let next = clock.monotonic() + LINE_EVERY_MS;
  const paceAt = createPace(clock);
  return {
    update: (done, total, note = '') => {
      const pace = paceAt(done, total);
      if (clock.monotonic() < next) return;
      next = clock.monotonic() + LINE_EVERY_MS;
      const end = [pace, note]
        .filter((text) => text !== '')
        .map((text) => `, ${text}`)
        .join('');
      void writeStderr(`${label}: ${thousands(done)} of ${thousands(total)}${end}\n`);
    },
    [Symbol.dispose]: () => undefined,
  };
}
