// Why there was no answer, in words that help where those of the system and of OpenSSL do not.
import { codeOf, proxyRefusal, ProxyUnreached, tlsReason } from '../base/index.ts';
import { errors } from 'undici';

const TOO_MANY_OPEN =
  'no more files and connections may be open at once here: raise the limit (ulimit -n, or LimitNOFILE of the service)';

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['EMFILE', TOO_MANY_OPEN],
  ['ENFILE', TOO_MANY_OPEN],
]);

const MAY_WANT_TLS = 'what answers there may speak TLS: the address may have to begin with https://';
const MAY_SPEAK_NONE = 'what answers there may speak no TLS: the address may have to begin with http://';

/** Text of a network error of a request to an address; some carry only a code, or a list of errors. */
export function networkReason(cause: Error, address: string): string {
  if (cause instanceof AggregateError) {
    const each = cause.errors.map((one: unknown) => (one instanceof Error ? networkReason(one, address) : String(one)));
    return each.join('; ');
  }
  if (cause instanceof ProxyUnreached) return `${ProxyUnreached.words}: ${networkReason(cause.cause, cause.protocol)}`;
  const code = codeOf(cause) ?? '';
  const meaning = MEANINGS.get(code) ?? tlsReason(code);
  if (meaning !== null) return meaning;
  const said = saidByOpenSsl(cause);
  if (said !== null) return `no TLS with what answers there: ${said}`;
  const refusal = proxyRefusal(cause);
  if (refusal !== null) return refusal;
  const text = cause.message === '' && code !== '' ? code : cause.message;
  const guess = otherProtocol(cause, address);
  return guess === null ? text : `${text}: ${guess}`;
}

/** What its errors say in words, amid the places in its own code that they stand for; null for every other error. */
function saidByOpenSsl(cause: Error): string | null {
  const isItsOwn = codeOf(cause)?.startsWith('ERR_SSL_') === true;
  return isItsOwn && 'reason' in cause && typeof cause.reason === 'string' ? cause.reason : null;
}

/** Whoever is spoken to in the other protocol mostly hangs up without a word, or says so in its own. */
function otherProtocol(cause: Error, address: string): string | null {
  if (address.startsWith('https:')) return cause.message.includes(NO_HANDSHAKE) ? MAY_SPEAK_NONE : null;
  return hungUp(cause) || isAlert('data' in cause ? cause.data : null) ? MAY_WANT_TLS : null;
}

/** Somebody hung up without an answer. Whoever brought answers before is no stranger. */
function hungUp(cause: Error): boolean {
  return cause instanceof errors.SocketError && cause.socket?.bytesRead === 0;
}

// Node.js has no code of its own for it.
const NO_HANDSHAKE = 'before secure TLS connection was established';

/** The first bytes of a TLS record that says what is wrong. */
function isAlert(data: unknown): boolean {
  return typeof data === 'string' && data.startsWith('\u0015\u0003');
}
