// A batch is taken whole or not at all: what one part of it is refused for is not to keep the others away.
import type { ApiError } from '../../client/index.ts';
import { isUntaken } from '../answers.ts';

interface Sending<T> {
  readonly send: (batch: readonly T[]) => Promise<void>;
  /** What people call it. */
  readonly nameOf: (one: T) => string;
  /** The same without what it can do without, the most of it first. */
  readonly plainer?: readonly Plainer<T>[];
  /** Hears of each that is refused by itself; nothing is said of it then. */
  readonly onRefused?: (one: T, why: ApiError) => void;
}

interface Plainer<T> {
  readonly of: (one: T) => T;
  /** With what it came, in words. */
  readonly how: string;
}

/** Sends a batch, by halves where the target refuses it; says of each that is refused by itself why. */
export async function sendByHalves<T>(batch: readonly T[], sending: Sending<T>): Promise<string[]> {
  try {
    await sending.send(batch);
    return [];
  } catch (error) {
    if (!isUntaken(error)) throw error;
    const [one] = batch;
    if (batch.length === 1 && one !== undefined) return sendPlainer(one, sending, error);
    const middle = Math.ceil(batch.length / 2);
    const first = await sendByHalves(batch.slice(0, middle), sending);
    return [...first, ...(await sendByHalves(batch.slice(middle), sending))];
  }
}

async function sendPlainer<T>(one: T, sending: Sending<T>, why: ApiError): Promise<string[]> {
  const { send, nameOf, plainer = [], onRefused } = sending;
  for (const { of, how } of plainer) {
    try {
      await send([of(one)]);
      return [`${nameOf(one)} came with ${how}: ${why.message}`];
    } catch (error) {
      if (!isUntaken(error)) throw error;
    }
  }
  if (onRefused === undefined) return [`${nameOf(one)} was refused: ${why.message}`];
  onRefused(one, why);
  return [];
}
