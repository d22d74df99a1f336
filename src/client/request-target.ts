// From an operation and its input to the path and query that are sent.
import { AppError } from '../base/index.ts';
import { isPathValue, pathParameters } from '../contract/index.ts';
import type { RawInput } from './types.ts';

// Text that has no UTF-8, so no place in an address.
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * The request target: path parameters filled in and encoded, query values as text, arrays repeated. Throws DM_INTERNAL for a
 * path value that is missing, or that a server could take for another path.
 */
export function requestTarget(template: string, input: RawInput): string {
  let path = template;
  for (const name of pathParameters(template)) {
    path = path.replace(`{${name}}`, () => encodeURIComponent(pathValue(template, name, input.path?.[name])));
  }
  const query = queryText(input.query);
  return query === '' ? path : `${path}?${query}`;
}

function pathValue(template: string, name: string, value: unknown): string {
  if (isPathValue(value)) return value;
  throw new AppError('DM_INTERNAL', `The path ${template} needs a value for ${name}; saw ${JSON.stringify(value)}`, {
    hint: 'This is a fault in Docmirror or an id that cannot stand in an address; report it.',
  });
}

function queryText(query: RawInput['query']): string {
  if (!query) return '';
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isGiven).map((item) => pair(name, item)),
  );
  return pairs.join('&');
}

function isGiven(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function pair(name: string, value: string | number | boolean): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(String(value).replaceAll(LONE_SURROGATES, '\u{fffd}'))}`;
}
