// Why there was no answer, in words that help where those of the system and of OpenSSL do not.

const UNKNOWN_AUTHORITY =
  'this machine does not know who signed the certificate there: name the file of your authority in NODE_EXTRA_CA_CERTS';

const NO_TLS = 'what answers there does not speak TLS: the address may have to begin with http://';

// Not as a whole address: of one that is shown, user and password are left out.
const WANTS_A_NAME = ': it wants a user and a password, written before its host as user:password@';

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
]);

// As undici says it of what it asked a proxy for.
const REFUSED_BY_PROXY = /^Proxy (?:response|Authentication Required) \((\d+)\)/;

/** Text of a network error; some carry only a code, or a list of errors. */
export function networkReason(cause: Error): string {
  if (cause instanceof AggregateError) {
    return cause.errors.map((one: unknown) => (one instanceof Error ? networkReason(one) : String(one))).join('; ');
  }
  const code = 'code' in cause ? String(cause.code) : '';
  const meaning = MEANINGS.get(code);
  if (meaning !== undefined) return meaning;
  const refused = REFUSED_BY_PROXY.exec(cause.message)?.[1];
  if (refused !== undefined) return `the proxy answered ${refused}${refused === '407' ? WANTS_A_NAME : ''}`;
  return cause.message === '' && code !== '' ? code : cause.message;
}
