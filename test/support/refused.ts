// What a platform refuses did not happen.
import { ApiError } from '../../src/client/index.ts';
import { Refusal } from '../../src/contract/index.ts';

export function isRefused(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  return error instanceof ApiError && error.status !== null && error.status >= 400 && error.status < 500;
}
