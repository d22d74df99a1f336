// What an export that ended early has left: the last one, or nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, type ErrorCode } from '../base/index.ts';
import type { Places } from './files/swap.ts';
import { MANIFEST } from './written/manifest.ts';

/** Others say by themselves what became of the folder, or what to do about it first. */
const TOLD: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DM_CHECK_FAILED', 'DM_INTERNAL']);

export function outcomeOf({ target }: Places): string {
  return existsSync(join(target, MANIFEST)) ? 'The last export was left as it is.' : 'Nothing was written.';
}

/** The error, saying what is left. Only for what is thrown before the new tree takes its place. */
export function tellingOutcome(error: unknown, places: Places): unknown {
  if (!(error instanceof AppError) || !TOLD.has(error.code)) return error;
  const { code, message, hint, details } = error;
  const told = { hint: `${hint} ${outcomeOf(places)}`, cause: error, ...(details ? { details } : {}) };
  return new AppError(code, message, told);
}
