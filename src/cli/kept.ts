import { AppError, isAbort } from '../base/index.ts';

/** For a command that was interrupted: what is kept of its work, and what to do next. */
export function sayKept(what: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (!isAbort(error)) throw error;
    throw new AppError('DM_INTERRUPTED', what, { hint, cause: error });
  };
}
