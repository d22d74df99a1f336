import { AppError } from '../../base/index.ts';

/** An import that cannot be begun or finished at all: the platform answers it with `status` and `message`. */
export class ImportRefused extends AppError {
  readonly status = 400;

  constructor(message: string, options: { hint: string; cause?: unknown }) {
    super('DM_IMPORT_FAILED', message, options);
  }
}

/** For bytes that are not what the kind of the source says. */
export function notReadable(what: string, cause?: unknown): ImportRefused {
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return new ImportRefused(`url: what it answers cannot be read as ${what}${reason}`, {
    hint: 'Check that the source kind is that of the file at the address.',
    cause,
  });
}
