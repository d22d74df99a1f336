// Last line of defence: what goes into a log field is copied without secrets, at any level of nesting.
import { AppError } from './errors.ts';
import { safeText } from './safe-url.ts';
import { Secret } from './secret.ts';
import { codeOf } from './error-code.ts';

const HIDDEN = '[hidden]';
const SECRET_NAME =
  /token|secret|password|passwd|authorization|cookie|api-?key|credential|signature|^(body|markdown)$/i;
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;

export interface RedactOptions {
  /** Stack traces are for people who debug. */
  stacks: boolean;
}

/** A copy of a log field that is safe to write: secret-like names hidden, addresses made safe, errors as plain data. */
export function redact(value: unknown, options: RedactOptions, depth = 0): unknown {
  if (typeof value === 'string') return safeText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Secret) return value.toString();
  if (value instanceof URL) return safeText(value.href);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return redactError(value, options, depth);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, options, depth + 1));
  return redactEntries(value, options, depth);
}

function redactEntries(value: object, options: RedactOptions, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    isSecret(key, item) ? HIDDEN : redact(item, options, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

// A number or a flag under such a name (`tokens: 3`) is no secret.
function isSecret(key: string, value: unknown): boolean {
  const carries =
    typeof value === 'string' || (typeof value === 'object' && value !== null && !(value instanceof Secret));
  return carries && SECRET_NAME.test(key);
}

function redactError(error: Error, options: RedactOptions, depth: number): Record<string, unknown> {
  const plain: Record<string, unknown> = { type: error.name, message: safeText(error.message) };
  const code = codeOf(error);
  if (code !== null) plain.code = code;
  if (error instanceof AppError) {
    plain.hint = safeText(error.hint);
    if (error.details) plain.details = redact(error.details, options, depth + 1);
  }
  if (options.stacks && error.stack !== undefined) plain.stack = safeText(error.stack);
  if (error.cause !== undefined) plain.cause = redact(error.cause, options, depth + 1);
  return plain;
}
