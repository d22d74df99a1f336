import { ApiError } from '../../client/index.ts';

/** A move to where something stands already is answered as a conflict: it is there then. */
export async function unlessThere(move: () => Promise<unknown>): Promise<void> {
  try {
    await move();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  }
}
