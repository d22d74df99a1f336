import { codeOf } from './error-code.ts';
import type { Secret } from './secret.ts';

/** Where requests go first. An address may hold a password, so it is a secret. */
export interface Proxies {
  /** For requests to http addresses; null is straight there. */
  readonly http: Secret | null;
  readonly https: Secret | null;
  /** Hosts that are asked straight, separated by commas; `*` is all. */
  readonly direct: string;
}

// As undici says it of what it asked a proxy for.
const REFUSED_BY_PROXY = /^Proxy (?:response|Authentication Required) \((\d+)\)/;

// Not as a whole address: of one that is shown, user and password are left out.
const WANTS_A_NAME = ': it wants a user and a password, written before its host as user:password@';

/** The proxy hung up on what it was asked; the message says it in words. */
export class ProxyClosed extends Error {
  constructor(message: string, cause?: Error) {
    super(message, { cause });
  }
}

/** There was no connection to the proxy; the cause tells why. */
export class ProxyUnreached extends Error {
  /** What is said of an address behind these words is said of that of the proxy. */
  static readonly words = 'the proxy (HTTPS_PROXY or HTTP_PROXY) was not reached';
  /** Of the cause; null where undici would take it for one of whoever is asked. */
  readonly code: string | null;
  override readonly cause: Error;
  readonly protocol: string;

  constructor(cause: Error, protocol: string) {
    super(cause.message);
    this.cause = cause;
    this.protocol = protocol;
    const code = codeOf(cause);
    this.code = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? null : code;
  }
}

/** What a proxy did instead of what it was asked for, in words; null for every other error. Holds nothing of an address. */
export function proxyRefusal(error: Error): string | null {
  if (error instanceof ProxyClosed) return error.message;
  const status = REFUSED_BY_PROXY.exec(error.message)?.[1];
  return status === undefined ? null : `the proxy answered ${status}${status === '407' ? WANTS_A_NAME : ''}`;
}
