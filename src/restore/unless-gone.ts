import { ApiError } from '../client/index.ts';

const GONE: ReadonlySet<number> = new Set([404, 410]);

/** What the platform answers; undefined when what was asked for is not there. */
export async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The platform says that what was asked for is not there. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== null && GONE.has(error.status);
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
