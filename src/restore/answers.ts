// What the platform means when it answers with an error.
import { AppError } from '../base/index.ts';
import { ApiError } from '../client/index.ts';

type Answered = ApiError & { readonly status: number };

export function hasStatus(error: unknown, statuses: readonly number[]): error is Answered {
  return error instanceof ApiError && error.status !== null && statuses.includes(error.status);
}

/** The platform says that what was asked for is not there. */
export function isGone(error: unknown): error is Answered {
  return hasStatus(error, [404, 410]);
}

/** It has no such operation, or not what the operation was to be done to. */
export function isNotOffered(error: unknown): error is Answered {
  return hasStatus(error, [404, 405, 501]);
}

/** What a platform answers to content that it does not take: it is too much, or something in it is not as it should be. */
export function isUntaken(error: unknown): error is Answered {
  return hasStatus(error, [400, 413, 422]);
}

/** Statuses by which a platform says that something stands there already. */
export const IN_THE_WAY = [409] as const;

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

const REFUSED = [400, 402, 403, 404, 405, 409, 412, 422, 501];

/** The platform will not do what it was asked for, said so by itself or by what a person should do about it. */
export function isRefused(error: unknown): error is AppError {
  return error instanceof AppError && [error, error.cause].some((one) => hasStatus(one, REFUSED));
}
