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
}

export interface Divided<T> {
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
const AGAIN_MS = 2000;

/** What was taken; null as above. Throws what a part was refused with where nothing else is taken either. */
export async function sendDivided<T>(
  { clock, signal }: Waiting,
  { parts, refusals, from, send, instead = dividedPart }: Sending<T>,
): Promise<Divided<T> | null> {
  const waiting = [...parts];
  const [sent, answers]: [ImportPart[], T[]] = [[], []];
  let doubted: RefusedSending[] = [];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    if (part.isAgain) await clock.sleep(AGAIN_MS, signal);
    const answer = await sentOrRefused(send, part);
    if (answer === null) return null;
    if (!(answer instanceof RefusedSending)) {
      sent.push(part);
      answers.push(answer);
      doubted = [];
      continue;
    }
    const smaller = instead(from, { part, refusals, ...refusalOf(answer.error) });
    waiting.unshift(...smaller);
    if (smaller.length === 0) doubted.push(answer);
    if (doubted.length === 0 || (waiting.length > 0 && doubted.length < MOST_DOUBTED)) continue;
    // What was taken before is taken still, or the platform takes nothing now.
    const control = sent.findLast(({ pages }) => pages.length > 0);
    const proof = control === undefined ? answer : await sentOrRefused(send, control);
    if (proof === null) return null;
    if (proof instanceof RefusedSending) throw proof.error;
    doubted = [];
  }
  return { parts: sent, answers };
}

/** What a platform says with it: of content that is too much, or wrong, just that; that an import failed may have been on the way to it. */
export function refusalOf(error: Error): Pick<RefusedPart, 'why' | 'mayPass'> {
  return { why: error.message, mayPass: hasStatus(error, [400]) };
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
