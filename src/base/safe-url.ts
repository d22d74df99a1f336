const HIDDEN = 'hidden';

// Only parameters that are known to be harmless keep their value; a signed address can call its secret anything.
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'page',
  'limit',
  'status',
  'order',
  'sort',
  'format',
  'metadata',
  'computed',
  'nested',
  'depth',
  'query',
  'type',
  'role',
  'shareLinks',
]);

/**
 * An address that can be shown: no user name or password, no fragment, and `hidden` for the value of each query parameter that is not
 * known to be harmless. Takes request targets (`/v1/…?…`) as well; text that is no address becomes `[not a url]`.
 */
export function safeUrl(url: string | URL): string {
  const text = String(url);
  const isTarget = text.startsWith('/') && !text.startsWith('//');
  const base = isTarget ? 'http://target.invalid' : undefined;
  if (!URL.canParse(text, base)) return '[not a url]';
  const parsed = new URL(text, base);
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  hideParameters(parsed);
  return isTarget ? parsed.pathname + parsed.search : parsed.href;
}

/** All at once: each that is set by itself has the whole address written anew. */
function hideParameters(address: URL): void {
  const names = new Set(address.searchParams.keys());
  if ([...names].every((name) => SHOWN_PARAMETERS.has(name))) return;
  const shown = new URLSearchParams();
  for (const [name, value] of address.searchParams) {
    if (SHOWN_PARAMETERS.has(name)) shown.append(name, value);
    else if (names.delete(name)) shown.append(name, HIDDEN);
  }
  address.search = String(shown);
}

// A mark that ends a part of the sentence is no part of the address before it.
// Looked for from its first sign on alone, as what stands before a header is below: a long run that leads to nothing would be read
// once more from each of its signs.
const SENTENCE_MARKS = /(?<![.,;:!?])[.,;:!?]+$/;

// An IPv6 host stands in brackets; elsewhere a bracket ends the address, as one in Markdown.
const URL_IN_TEXT = /\bhttps?:\/\/(?:[^\s"'<>`\\)\]}[/?#]*\[[\w:.%-]+\][^\s"'<>`\\)\]}]*|[^\s"'<>`\\)\]}]+)/gi;

// What a platform says of the header that it expects is the header's name and no news.
const HEADER_IN_TEXT = /(?<![\s:(])[\s:(]*\bAuthorization:\s*Bearer\s+[^\s"',;]+/gi;

const BEARER_IN_TEXT = /\bBearer\s+[^\s"',;]+/gi;

/** Text with every http(s) address in it made safe to show, and every Bearer credential hidden or left out. */
export function safeText(text: string): string {
  return text
    .replaceAll(URL_IN_TEXT, (found) => {
      const address = found.replace(SENTENCE_MARKS, '');
      // The beginning of addresses, as messages say what is expected, and none itself.
      if (address.endsWith('://')) return found;
      const safe = safeUrl(address);
      // As it was given: a command that ends in it is copied, and what follows would come to stand in its path.
      return (safe === `${address}/` ? address : safe) + found.slice(address.length);
    })
    .replaceAll(HEADER_IN_TEXT, '')
    .replaceAll(BEARER_IN_TEXT, `Bearer ${HIDDEN}`);
}
