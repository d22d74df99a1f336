import { safeText, type Secret } from '../base/index.ts';

const SHORTEST_HIDDEN = 4;
const HIDDEN = 'hidden';

/** The token together with the one origin that may see it. */
export class Credentials {
  readonly #token: Secret;
  /** Origin of the platform, as `URL.origin`. */
  readonly origin: string;
  /** Where the token may be set, for whoever has to set another; null where nobody has to. */
  readonly places: string | null;

  constructor(token: Secret, { origin, places }: { readonly origin: string; readonly places: string | null }) {
    this.#token = token;
    this.origin = origin;
    this.places = places;
  }

  /** The headers that carry the token; none for any other origin. */
  headersFor(origin: string): Record<string, string> {
    return origin === this.origin ? { authorization: `Bearer ${this.#token.reveal()}` } : {};
  }

  /** Text of the other side, short enough for a message and without the token or a signed address. */
  shown(text: string, maxLength: number): string {
    const hidden = formsOf(this.#token.reveal()).reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
    const line = safeText(hidden).replaceAll(/\s+/g, ' ').trim();
    return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  }
}

/** A token as it is said back: as it is, as a part of an address, and as headers and programs encode it. */
function formsOf(token: string): string[] {
  if (token.length < SHORTEST_HIDDEN) return [];
  const inAddress = encodeURIComponent(token);
  const lower = inAddress.replaceAll(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase());
  const bytes = Buffer.from(token);
  // Its padding may be left out.
  const [base64 = ''] = bytes.toString('base64').split('=');
  return [...new Set([token, inAddress, lower, base64, bytes.toString('base64url')])];
}
