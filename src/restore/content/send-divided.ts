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

// So often that it is no matter of moments.
const MOST_IN_VAIN = 8;

/** What was taken; null as above. Throws what a part was refused with where nothing else is taken either. */
export async function sendDivided<T>(
  { clock, signal }: Waiting,
  { parts, refusals, from, send, instead = dividedPart }: Sending<T>,
): Promise<Divided<T> | null> {
  const waiting = [...parts];
  const [sent, answers]: [ImportPart[], T[]] = [[], []];
  let doubted: ImportPart[] = [];
  let vain = 0;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const { afterMs, ...taken } = part;
    if (afterMs !== undefined) await clock.sleep(afterMs, signal);
    const answer = await sentOrRefused(send, taken);
    if (answer === null) return null;
    const isRefused = answer instanceof RefusedSending;
    if (afterMs !== undefined) vain = isRefused ? vain + 1 : 0;
    if (!isRefused) {
      sent.push(taken);
      answers.push(answer);
      doubted = doubted.filter((one) => !isProof(taken, one));
      continue;
    }
    const isFirst = sent.length + doubted.length === 0;
    const { why, waits } = refusalOf(answer.error, isFirst);
    const smaller = instead(from, { part, refusals, why, waits: vain < MOST_IN_VAIN ? waits : [] });
    waiting.unshift(...smaller);
    if (smaller.length === 0) doubted.push(part);
    const control = controlOf(sent, part);
    const mostDoubted = control !== undefined && mayPass(answer.error) ? 1 : MOST_DOUBTED;
    if (doubted.length === 0 || (waiting.length > 0 && doubted.length < mostDoubted)) continue;
    // What was taken before is taken still, or the platform takes nothing now.
    const proof = control === undefined ? answer : await sentOrRefused(send, control);
    if (proof === null) return null;
    if (proof instanceof RefusedSending) throw proof.error;
    doubted = [];
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

/** Of what was taken last, one page or file by which to tell whether the platform takes anything yet. */
function controlOf(sent: readonly ImportPart[], refused: ImportPart): ImportPart | undefined {
  const taken = sent.findLast((one) => isProof(one, refused));
  if (taken === undefined) return undefined;
  const pages = taken.pages.slice(0, 1);
  return { pages, files: pages.length === 0 ? taken.files.slice(0, 1) : [] };
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
