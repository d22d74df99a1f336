import { AppError } from '../../base/index.ts';

/** An import that cannot be begun or finished at all: the platform answers it with `status` and `message`. */
export class ImportRefused extends AppError {
  readonly status = 400;

  constructor(message: string, options: { hint: string; cause?: unknown }) {
    super('DM_IMPORT_FAILED', message, options);
  }
}
