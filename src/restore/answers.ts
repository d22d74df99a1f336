// What the platform means when it answers with an error.
import { AppError } from '../base/index.ts';
import { ApiError } from '../client/index.ts';

type Answered = ApiError & { readonly status: number };

export function hasStatus(error: unknown, statuses: readonly number[]): error is Answered {
  return error instanceof ApiError && error.status !== null && statuses.includes(error.status);
}

// Statuses by what a platform means with them.

/** What was sent is not as it should be. */
export const NOT_TAKEN = [400, 422] as const;

/** The token may not do it, or the organization has no plan that includes it. */
export const NOT_PERMITTED = [402, 403] as const;

/** There is no such operation, or not what it was to be done to. */
export const NOT_OFFERED = [404, 405, 501] as const;

/** Something stands there already. */
export const IN_THE_WAY = [409] as const;

/** Something else is to be done first, or somebody has been there before. */
export const STANDS_AGAINST = [...IN_THE_WAY, 412] as const;

/** The platform says that what was asked for is not there. */
export function isGone(error: unknown): error is Answered {
  return hasStatus(error, [404, 410]);
}

export function isNotOffered(error: unknown): error is Answered {
  return hasStatus(error, NOT_OFFERED);
}

/** What a platform answers to content that it does not take: it is too much, or something in it is not as it should be. */
export function isUntaken(error: unknown): error is Answered {
  return hasStatus(error, [...NOT_TAKEN, 413]);
}

/** Something that stands there already is in the way. */
export function isConflict(error: unknown): error is Answered {
  return hasStatus(error, IN_THE_WAY);
}

/** What the platform answers; undefined when what was asked for is not there. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The same for what the token may not read: for whoever uses it, that does not stand either. */
export async function unlessUnreadable<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await unlessGone(asked);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'DM_FORBIDDEN') return undefined;
    throw error;
  }
}

/** The answer with one of these statuses by which the platform refuses a write; null where it takes it. */
export async function whyRefused(write: () => Promise<unknown>, statuses: readonly number[]): Promise<Answered | null> {
  try {
    await write();
    return null;
  } catch (error) {
    if (hasStatus(error, statuses)) return error;
    throw error;
  }
}

/** A move to where something stands already is answered as a conflict: it is there then. */
export async function unlessThere(move: () => Promise<unknown>): Promise<void> {
  await whyRefused(move, IN_THE_WAY);
}

export const REFUSED = [...NOT_TAKEN, ...NOT_PERMITTED, ...NOT_OFFERED, ...STANDS_AGAINST] as const;

/** The platform will not do what it was asked for, said so by itself or by what a person should do about it. */
export function isRefused(error: unknown): error is AppError {
  return error instanceof AppError && [error, error.cause].some((one) => hasStatus(one, REFUSED));
}
