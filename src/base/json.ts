import { AppError } from './errors.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** True for a plain JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
    const item = nextItem(frame);
    if (item) {
      out += item.prefix + begin(item.value, stack, open);
    } else {
      out += frame.keys ? '}' : ']';
      open.delete(frame.source);
      stack.pop();
    }
  }
  return out;
}

// The stack is explicit because a body may be nested deeper than the call stack allows.
interface Frame {
  source: object;
  /** Sorted keys of an object; null for an array. */
  keys: string[] | null;
  values: unknown[];
  index: number;
}

function begin(value: unknown, stack: Frame[], open: Set<object>): string {
  const plain = plainValue(value);
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain) ?? 'null';
  if (open.has(plain)) throw notJson('a cycle');
  open.add(plain);
  stack.push(Array.isArray(plain) ? arrayFrame(plain) : objectFrame(plain));
  return Array.isArray(plain) ? '[' : '{';
}

function arrayFrame(source: unknown[]): Frame {
  return { source, keys: null, values: source, index: 0 };
}

function objectFrame(source: object): Frame {
  const entries = new Map<string, unknown>(Object.entries(source));
  const keys = [...entries.keys()].filter((key) => isPresent(entries.get(key))).sort();
  return { source, keys, values: keys.map((key) => entries.get(key)), index: 0 };
}

function nextItem(frame: Frame): { prefix: string; value: unknown } | null {
  if (frame.index >= frame.values.length) return null;
  const comma = frame.index > 0 ? ',' : '';
  const key = frame.keys?.[frame.index];
  const value = frame.values[frame.index++];
  return { prefix: key === undefined ? comma : `${comma}${JSON.stringify(key)}:`, value };
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
