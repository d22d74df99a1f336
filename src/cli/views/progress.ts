// How far a long job is: a bar where a person looks, a line now and then elsewhere. Always on stderr.
import { Presets, SingleBar } from 'cli-progress';
import { writeStderr, type Clock } from '../../base/index.ts';
import { oneLine } from './text.ts';
import { rateWords, span, thousands } from './units.ts';

export interface Progress extends Disposable {
  /** Both in the job's own unit; the total may grow. */
  update(done: number, total: Total, note?: string): void;
}

/** How much there is: known, reckoned from what was done so far, or so much and nobody can tell how much more. */
export type Total = number | { readonly about: number } | { readonly atLeast: number };

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

/** Tells the pace and how long the rest takes at it; nothing before there is a pace. */
function createPace(clock: Clock): (done: number, total: Total) => string {
  const measure = measurePace(clock);
  return (done, total) => {
    const made = measure(done);
    if (made === null) return '';
    const pace = rateWords(made.amount, made.ms);
    if (typeof total === 'object' && 'atLeast' in total) return pace;
    const leftMs = ((amountOf(total) - done) * made.ms) / made.amount;
    return `${pace}, ${span(Math.max(0, leftMs))} left`;
  };
}

/** What was made since the first report, and how long that took. */
interface Made {
  readonly amount: number;
  readonly ms: number;
}

/** Measures by how much a count grows; null while that is too little to tell a pace. */
export function measurePace(clock: Clock): (done: number) => Made | null {
  let first: { readonly done: number; readonly at: number } | null = null;
  return (done) => {
    first ??= { done, at: clock.monotonic() };
    const ms = clock.monotonic() - first.at;
    const amount = done - first.done;
    return amount <= 0 || ms < SETTLED_MS ? null : { amount, ms };
  };
}

function amountOf(total: Total): number {
  if (typeof total === 'number') return total;
  return 'about' in total ? total.about : total.atLeast;
}

const TOLD_DIGITS = 3;

function totalWords(total: Total): string {
  if (typeof total === 'number') return thousands(total);
  if ('atLeast' in total) return `at least ${thousands(total.atLeast)}`;
  return `about ${thousands(Number(total.about.toPrecision(TOLD_DIGITS)))}`;
}

// A pace over less than this is chance.
const SETTLED_MS = 1000;

function bar({ label, clock }: ProgressOptions): Progress {
  const format = ` ${label} {bar} {percentage}% | {done} of {all} | {pace}{note}`;
  const paceAt = createPace(clock);
  const shown = (done: number, total: Total, note: string): Record<'note' | 'pace' | 'done' | 'all', string> => {
    const pace = paceAt(done, total);
    return { note, pace: pace === '' ? '' : `${pace} | `, done: thousands(done), all: totalWords(total) };
  };
  const view = new SingleBar(
    { format, hideCursor: true, clearOnComplete: true, stopOnComplete: false, etaBuffer: 50, barsize: 24 },
    Presets.shades_classic,
  );
  let running = false;
  return {
    update: (done, total, note = '') => {
      const texts = shown(done, total, note);
      const most = Math.max(amountOf(total), 1);
      if (!running) view.start(most, done, texts);
      running = true;
      view.setTotal(most);
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
      void writeStderr(`${label}: ${thousands(done)} of ${totalWords(total)}${end}\n`);
    },
    [Symbol.dispose]: () => undefined,
  };
}
