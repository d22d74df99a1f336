import { safeText, type Secret } from '../base/index.ts';

const SHORTEST_HIDDEN = 4;
const HIDDEN = 'hidden';

/** The token together with the one origin that may see it. */
export class Credentials {
  readonly #token: Secret;
  /** Origin of the platform, as `URL.origin`. */
  readonly origin: string;

  constructor(token: Secret, origin: string) {
    this.#token = token;
    this.origin = origin;
  }

  /** The headers that carry the token; none for any other origin. */
  headersFor(origin: string): Record<string, string> {
    return origin === this.origin ? { authorization: `Bearer ${this.#token.reveal()}` } : {};
  }

  /** Text of the other side, short enough for a message and without the token or a signed address. */
  shown(text: string, maxLength: number): string {
    const token = this.#token.reveal();
    const hidden = token.length < SHORTEST_HIDDEN ? text : text.replaceAll(token, HIDDEN);
    const line = safeText(hidden).replaceAll(/\s+/g, ' ').trim();
    return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  }
}
