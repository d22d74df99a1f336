// From an operation and its input to the path and query that are sent.
import { AppError } from '../base/index.ts';
import { isPathValue } from '../contract/index.ts';
import type { RawInput } from './types.ts';

// Braces stand nowhere else in a path: between them lies, by turns, what is sent as it is and the name of a parameter.
const BRACES = /[{}]/;
// Text that has no UTF-8, so no place in an address.
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * The request target: path parameters filled in and encoded, query values as text, arrays repeated. Throws DM_INTERNAL for a
 * path value that is missing, or that a server could take for another path.
 */
export function requestTarget(template: string, input: RawInput): string {
  let target = '';
  let isName = false;
  for (const piece of template.split(BRACES)) {
    target += isName ? encodeURIComponent(pathValue(template, piece, input.path?.[piece])) : piece;
    isName = !isName;
  }
  return target + queryText(input.query);
}

function pathValue(template: string, name: string, value: unknown): string {
  if (isPathValue(value)) return value;
  throw new AppError('DM_INTERNAL', `The path ${template} needs a value for ${name}; saw ${JSON.stringify(value)}`, {
    hint: 'This is a fault in Docmirror or an id that cannot stand in an address; report it.',
  });
}

/** With the question mark; empty where nothing is given. */
function queryText(query: RawInput['query']): string {
  let text = '';
  for (const name in query) {
    const value = query[name];
    for (const item of Array.isArray(value) ? value : [value])
      if (isGiven(item)) text += `${text === '' ? '?' : '&'}${pair(name, item)}`;
  }
  return text;
}

function isGiven(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function pair(name: string, value: string | number | boolean): string {
  const said = String(value);
  const sound = said.isWellFormed() ? said : said.replaceAll(LONE_SURROGATES, '\u{fffd}');
  return `${encodeURIComponent(name)}=${encodeURIComponent(sound)}`;
}
