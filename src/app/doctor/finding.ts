// What the doctor finds.
import { toAppError } from '../../base/index.ts';

export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly found: string;
  /** What to do; null when all is well. */
  readonly hint: string | null;
}

export function good(check: string, found: string): Finding {
  return { check, state: 'good', found, hint: null };
}

export function bad(check: string, error: unknown): Finding {
  const { code, message, hint } = toAppError(error);
  return { check, state: 'bad', found: `${message} (${code})`, hint };
}

export function warning(check: string, found: string, hint: string): Finding {
  return { check, state: 'warning', found, hint };
}
