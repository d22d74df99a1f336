import { AppError, editDistance, safeText } from '../base/index.ts';

/** An error in the settings; nothing has been started. Exit code 2. */
export class ConfigError extends AppError {}

export interface SeenValue {
  key: string;
  /** Where it was given. */
  at: string;
  /** Safe to show. */
  shown: string;
}

/** One error about one key: where it was given, what was seen, what is expected. */
export function badValue(seen: SeenValue, expected: string): ConfigError {
  const message = `Setting ${seen.key} (${seen.at}) is ${seen.shown}; expected ${expected}`;
  return new ConfigError('DM_CONFIG_INVALID', message, { hint: hintFor(seen) });
}

/**
 * A list of variables that was written on Windows gives each of them an end of line. A cluster gives every container the addresses of its
 * services as NAME_PORT: of one that is called docmirror-status, over a setting.
 */
function hintFor({ at, shown }: SeenValue): string {
  if (shown.endsWith('\\r"')) return `Correct ${at}: what sets it has lines that end as on Windows (CRLF).`;
  if (!/^DOCMIRROR_\w+_PORT$/.test(at) || !/^"(tcp|udp|sctp):/.test(shown)) return `Correct ${at}.`;
  return `Kubernetes sets ${at} for a Service of that name: set enableServiceLinks: false for the pod, or give the Service another name.`;
}

const MAX_SHOWN = 80;

/** A value as it can be shown: secrets hidden, long ones cut. */
export function showValue(value: unknown, secret: boolean): string {
  if (secret) return typeof value === 'string' ? `[secret, ${countIn(value)}]` : '[secret]';
  const text = safeText(textOf(value));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** What is unseen at an end is told: a secret of a cluster that was made by `echo` has an end of line there. */
function countIn(secret: string): string {
  const { length } = secret;
  if (/[\r\n]$/.test(secret)) return `${length} characters with an end of line behind the last`;
  return secret !== secret.trim() ? `${length} characters with space around them` : `${length} characters`;
}

/** As JSON, which has no word for some numbers of YAML, and would call them null. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  return JSON.stringify(value) ?? String(value);
}

const MAX_NAME = 200;

/** The path of a file, or a name, as it can be shown: without what is secret in an address, long ones cut. */
export function showName(name: string): string {
  const safe = safeText(name);
  // What is unseen in it is what is wrong with it: without it, a file would be told to be away that is there.
  const text = /\p{Cc}|^\s|\s$/u.test(name) ? JSON.stringify(safe) : safe;
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
}

const MAX_EDITS = 3;

/** The key or variable that was probably meant, or null. Keys match on their last part too: `level` means `log.level`. */
export function settingMeant(seen: string, candidates: readonly string[]): string | null {
  const scored = candidates.map((candidate) => ({ candidate, edits: closeness(seen, candidate) }));
  const best = scored.reduce((a, b) => (b.edits < a.edits ? b : a), { candidate: '', edits: MAX_EDITS + 1 });
  return best.edits <= Math.min(MAX_EDITS, Math.floor(seen.length / 2)) ? best.candidate : null;
}

function closeness(seen: string, candidate: string): number {
  const last = candidate.slice(candidate.lastIndexOf('.') + 1);
  const lastSeen = seen.slice(seen.lastIndexOf('.') + 1);
  const whole = editDistance(normal(seen), normal(candidate));
  return normal(last) === normal(lastSeen) ? Math.min(whole, 1) : whole;
}

function normal(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}
