// A batch is taken whole or not at all: what one part of it is refused for is not to keep the others away.
import type { ApiError } from '../../client/index.ts';
import { isUntaken } from '../answers.ts';

interface Sending<T> {
  readonly send: (batch: readonly T[]) => Promise<void>;
  /** What people call it. */
  readonly nameOf: (one: T) => string;
  /** The same without what it can do without; null where there is no such thing. */
  readonly plainer?: (one: T) => T | null;
  /** Hears of each that is refused by itself. */
  readonly onRefused?: (one: T, why: ApiError) => void;
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
  const { nameOf } = sending;
  const { plainer, ...bySending } = sending;
  const plain = plainer?.(one) ?? null;
  if (plain === null) {
    sending.onRefused?.(one, why);
    return [`${nameOf(one)} was refused: ${why.message}`];
  }
  const refused = await sendByHalves([plain], bySending);
  return refused.length > 0 ? refused : [`${nameOf(one)} came with its title and text alone: ${why.message}`];
}
