// Why there is no TLS, in words that help where those of the system and of OpenSSL do not.

const UNKNOWN_AUTHORITY =
  'this machine does not know who signed the certificate there: name the file of your authority in NODE_EXTRA_CA_CERTS';

const NO_TLS = 'what answers there does not speak TLS: the address may have to begin with http://';

const IS_UNKNOWN_AUTHORITY =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;
const IS_NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** What the code of an error means; null where it is of something else, or its own words say it. Names no host. */
export function tlsReason(code: string): string | null {
  if (IS_NO_TLS.test(code)) return NO_TLS;
  return IS_UNKNOWN_AUTHORITY.test(code) ? UNKNOWN_AUTHORITY : null;
}
