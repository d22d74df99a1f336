// Parts of a content go in one after the other; one that the platform refuses is divided.
import type { Clock } from '../../base/index.ts';
import { hasStatus, isUntaken } from '../answers.ts';
import { dividedPart, type Divisible, type ImportPart, type RefusedPart, type Refusals } from './divided-parts.ts';

interface Sending<T> {
  readonly parts: readonly ImportPart[];
  readonly refusals: Refusals;
  readonly from: Divisible;
  /** Null for an import after which nothing more is to be sent. */
  readonly send: (part: ImportPart) => Promise<T | null>;
  /** What is tried instead of a part that is refused; as a rule it is divided. */
  readonly instead?: typeof dividedPart;
  /** False where an import would put what it brought before in its place again, or beside it. */
  readonly mayRepeat: boolean;
}

interface Divided<T> {
  readonly parts: readonly ImportPart[];
  /** What was answered to each. */
  readonly answers: readonly T[];
}

interface Waiting {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

// So many that are refused one after the other may be no fault of theirs.
const MOST_DOUBTED = 4;
// What may pass in a moment has passed by then.
const AGAIN_MS = [2000] as const;
// Nothing tells yet that the platform takes anything now.
const AGAIN_AT_FIRST_MS = [2000, 10_000] as const;
// So often that it is no matter of moments.
const MOST_IN_VAIN = 8;

/** What was taken; null as above. Throws what a part was refused with where nothing else is taken either. */
export function sendDivided<T>(waiting: Waiting, sending: Sending<T>): Promise<Divided<T> | null> {
  return new DividedSending(waiting, sending).all();
}

class DividedSending<T> {
  readonly #pause: Waiting;
  readonly #sending: Sending<T>;
  readonly #waiting: ImportPart[];
  readonly #sent: ImportPart[] = [];
  readonly #answers: T[] = [];
  /** Refused in every way since anything was taken that tells whether such parts are. */
  #doubted: ImportPart[] = [];
  /** How many in a row were refused again after a pause. */
  #vain = 0;

  constructor(pause: Waiting, sending: Sending<T>) {
    this.#pause = pause;
    this.#sending = sending;
    this.#waiting = [...sending.parts];
  }

  async all(): Promise<Divided<T> | null> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { afterMs, ...part } = next;
      const answer = await this.#try(part, afterMs);
      if (answer === null) return null;
      if (!(answer instanceof RefusedSending)) this.#took(part, answer);
      else if (!(await this.#divides(part, answer.error))) return null;
    }
    return { parts: this.#sent, answers: this.#answers };
  }

  async #try(part: ImportPart, afterMs: number | undefined): Promise<T | null | RefusedSending> {
    if (afterMs !== undefined) await this.#pause.clock.sleep(afterMs, this.#pause.signal);
    const answer = await sentOrRefused(this.#sending.send, part);
    if (afterMs !== undefined) this.#vain = answer instanceof RefusedSending ? this.#vain + 1 : 0;
    return answer;
  }

  #took(part: ImportPart, answer: T): void {
    this.#sent.push(part);
    this.#answers.push(answer);
    this.#doubted = this.#doubted.filter((one) => !isProof(part, one));
  }

  /** Puts what is to be tried instead before all that waits. False as null above. */
  async #divides(part: ImportPart, error: Error): Promise<boolean> {
    const { refusals, from, instead = dividedPart, mayRepeat } = this.#sending;
    const isFirst = this.#sent.length + this.#doubted.length === 0;
    const { why, waits } = refusalOf(error, isFirst);
    const smaller = instead(from, { part, refusals, why, waits: this.#vain < MOST_IN_VAIN ? waits : [] });
    this.#waiting.unshift(...smaller);
    if (smaller.length === 0) this.#doubted.push(part);
    const taken = this.#sent.findLast((one) => isProof(one, part));
    const mostDoubted = taken !== undefined && mayRepeat && mayPass(error) ? 1 : MOST_DOUBTED;
    if (this.#doubted.length === 0 || (this.#waiting.length > 0 && this.#doubted.length < mostDoubted)) return true;
    if (taken === undefined) throw error;
    this.#doubted = [];
    // Sent again it would be there twice: that it was taken once is all that can be known.
    return mayRepeat ? this.#isTakenStill(taken) : true;
  }

  /** Throws where the platform takes nothing now. False as above. */
  async #isTakenStill(taken: ImportPart): Promise<boolean> {
    const proof = await sentOrRefused(this.#sending.send, controlOf(taken));
    if (proof instanceof RefusedSending) throw proof.error;
    return proof !== null;
  }
}

/** What a platform says with it: of content that is too much, or wrong, just that; that an import failed may have been on the way to it. */
export function refusalOf(error: Error, isFirst = true): Pick<RefusedPart, 'why' | 'waits'> {
  const waits = isFirst ? AGAIN_AT_FIRST_MS : AGAIN_MS;
  return { why: error.message, waits: mayPass(error) ? waits : [] };
}

function mayPass(error: Error): boolean {
  return hasStatus(error, [400]);
}

/** One page or file of what was taken, by which to tell whether the platform takes anything yet. */
function controlOf({ pages: taken, files }: ImportPart): ImportPart {
  const pages = taken.slice(0, 1);
  return { pages, files: pages.length === 0 ? files.slice(0, 1) : [] };
}

/** True where a part that was taken tells of such a one as was refused: files alone say nothing of pages. */
function isProof(taken: ImportPart, refused: ImportPart): boolean {
  return taken.pages.length > 0 || refused.pages.length === 0;
}

class RefusedSending {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }
}

/** Sends one part; what the platform answers when it refuses it. */
async function sentOrRefused<T>(send: Sending<T>['send'], part: ImportPart): Promise<T | null | RefusedSending> {
  try {
    return await send(part);
  } catch (error) {
    if (!isUntaken(error)) throw error;
    return new RefusedSending(error);
  }
}
