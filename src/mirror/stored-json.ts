import { AppError } from '../base/index.ts';

/** JSON as it was stored; throws DM_DATABASE_DAMAGED, with the name of what it is of, when it is none any more. */
export function storedJson(data: string, which: () => string): Record<string, unknown> {
  try {
    return JSON.parse(data) as Record<string, unknown>;
  } catch (error) {
    throw new AppError('DM_DATABASE_DAMAGED', `What is stored of ${which()} is damaged: expected JSON`, {
      hint: 'Run docmirror sync --full, which reads it again while the platform has it as it was; else put back a copy of the data directory.',
      cause: error,
    });
  }
}
