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
const AGAIN_MS = [2000] as const;
// Nothing tells yet that the platform takes anything now.
const AGAIN_AT_FIRST_MS = [2000, 10_000] as const;

/** What was taken; null as above. Throws what a part was refused with where nothing else is taken either. */
export async function sendDivided<T>(
  { clock, signal }: Waiting,
  { parts, refusals, from, send, instead = dividedPart }: Sending<T>,
): Promise<Divided<T> | null> {
  const waiting = [...parts];
  const [sent, answers]: [ImportPart[], T[]] = [[], []];
  let doubted = 0;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    if (part.afterMs !== undefined) await clock.sleep(part.afterMs, signal);
    const answer = await sentOrRefused(send, part);
    if (answer === null) return null;
    if (!(answer instanceof RefusedSending)) {
      sent.push(part);
      answers.push(answer);
      doubted = 0;
      continue;
    }
    const isFirst = sent.length + doubted === 0;
    const smaller = instead(from, { part, refusals, ...refusalOf(answer.error, isFirst) });
    waiting.unshift(...smaller);
    if (smaller.length === 0) doubted += 1;
    const control = smallestOf(sent);
    const mostDoubted = control !== undefined && mayPass(answer.error) ? 1 : MOST_DOUBTED;
    if (doubted === 0 || (waiting.length > 0 && doubted < mostDoubted)) continue;
    // What was taken before is taken still, or the platform takes nothing now.
    const proof = control === undefined ? answer : await sentOrRefused(send, control);
    if (proof === null) return null;
    if (proof instanceof RefusedSending) throw proof.error;
    doubted = 0;
  }
  return { parts: sent, answers };
}

/** What a platform says with it: of content that is too much, or wrong, just that; that an import failed may have been on the way to it. */
export function refusalOf(error: Error, isFirst = true): Pick<RefusedPart, 'why' | 'waits'> {
  const waits = isFirst ? AGAIN_AT_FIRST_MS : AGAIN_MS;
  return { why: error.message, waits: mayPass(error) ? waits : [] };
}

function mayPass(error: Error): boolean {
  return hasStatus(error, [400]);
}

/** Of those with pages. */
function smallestOf(parts: readonly ImportPart[]): ImportPart | undefined {
  const [smallest] = parts.filter(({ pages }) => pages.length > 0).toSorted((a, b) => a.pages.length - b.pages.length);
  return smallest;
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
