import { AppError } from './errors.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** True for a plain JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at `a.b` within a value; undefined where nothing does. */
export function valueAt(value: unknown, place: string): unknown {
  let found = value;
  for (const step of place.split('.')) found = isRecord(found) ? found[step] : undefined;
  return found;
}

/** The object that a text in JSON is; undefined where it is none. */
export function readableJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for a value with more levels of lists and objects than that, which are no more than the stack has room for. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isNestedDeeper(inner, most - 1));
  for (const key in value) if (isNestedDeeper((value as Record<string, unknown>)[key], most - 1)) return true;
  return false;
}

/**
 * JSON with sorted keys and no spaces: equal values give equal text, whatever the order of their keys.
 * Follows JSON.stringify otherwise (undefined left out, `toJSON` obeyed, NaN as null). Works at any depth, keeps a key
 * named `__proto__`, and throws DM_INTERNAL for a cycle or a bigint.
 */
export function canonicalJson(value: unknown): string {
  const stack: Frame[] = [];
  const open = new Set<object>();
  let out = begin(value, stack, open);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { source, keys, length, index } = frame;
    if (index === length) {
      out += keys ? '}' : ']';
      open.delete(source);
      stack.pop();
      continue;
    }
    frame.index = index + 1;
    const key = keys?.[index];
    if (index > 0) out += ',';
    if (key !== undefined) out += `${JSON.stringify(key)}:`;
    out += begin(source[key ?? index], stack, open);
  }
  return out;
}

// The stack is explicit because a body may be nested deeper than the call stack allows.
interface Frame {
  readonly source: Container;
  /** Sorted keys of an object; null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  index: number;
}

interface Container {
  readonly [key: string | number]: unknown;
}

function begin(value: unknown, stack: Frame[], open: Set<object>): string {
  const plain = plainValue(value);
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain) ?? 'null';
  if (open.has(plain)) throw notJson('a cycle');
  open.add(plain);
  const source = plain as Container;
  const keys = Array.isArray(plain) ? null : keysOf(source);
  const { length } = keys ?? (plain as unknown[]);
  stack.push({ source, keys, length, index: 0 });
  return keys === null ? '[' : '{';
}

function keysOf(source: Container): string[] {
  return Object.keys(source)
    .filter((key) => isPresent(source[key]))
    .sort();
}

function isPresent(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') throw notJson('a bigint');
  if (typeof value !== 'object' || value === null) return isPresent(value) ? value : null;
  return hasToJson(value) ? value.toJSON() : value;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function notJson(seen: string): AppError {
  return new AppError('DM_INTERNAL', `Cannot write ${seen} as JSON; expected plain JSON values`, {
    hint: 'This is a fault in Docmirror; report it.',
  });
}
