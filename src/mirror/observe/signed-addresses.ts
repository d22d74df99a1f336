// Addresses that a store signs anew with each answer, as those of pictures of people: a new signature alone is no news.

/** Fields that hold what people wrote: nobody signs that for them. */
const WRITTEN = ['href', 'url', 'sourceURL', 'ssoURL'];

/** Any other field that holds an address with a query and no words after it, in JSON: with all before the query, and the query. */
const ADDRESS = new RegExp(`"((?!(?:${WRITTEN.join('|')})")\\w+":"https?:[^"?\\\\\\s]*)\\?([^"\\\\\\s]*)"`, 'g');

const ENDS = /^(?:x-(?:amz|goog|oss)-)?(?:expires|expiry|exp|se)=/i;

/** A signature by name, or a signed token by its form. */
const SIGNS = /^(?:(?:x-(?:\w+-)?)?(?:signature|sig|sign|hmac)=|[^=]*=eyJ[\w-]+\.[\w-]+\.[\w-]*$)/i;

/** What a store signs beside the address, and gives out with the signature. */
const SIGNED_ALONG = /^policy=/i;

/** What stores put beside a signature: who signed, how, from when on, and for what. */
const BESIDE =
  /^(?:x-(?:amz|goog|oss)-[\w-]+|token|key-pair-id|googleaccessid|awsaccesskeyid|ossaccesskeyid|s[ptvr]|spr|skoid|sktid|sk[estv])=/i;

/** True for a part of a query that says no more than who may ask, and how long. */
export function isOfSignature(part: string): boolean {
  return [ENDS, SIGNS, SIGNED_ALONG, BESIDE].some((sign) => sign.test(part));
}

/**
 * JSON in which the same thing has the same address, whoever signed it when. An address that says when it ends counts without its query.
 * Of any other the signature alone counts for nothing: it says no more than what it signs, which stands beside it.
 */
export function withoutSignatures(json: string): string {
  return json.replace(ADDRESS, (_whole, before: string, query: string) => {
    const left = unsigned(query);
    return left === '' ? `"${before}"` : `"${before}?${left}"`;
  });
}

/** An address without its signature; anything else as it is. */
export function withoutSignature(address: unknown): unknown {
  if (typeof address !== 'string') return address;
  const at = address.indexOf('?');
  if (at === -1) return address;
  const left = unsigned(address.slice(at + 1));
  return left === '' ? address.slice(0, at) : `${address.slice(0, at)}?${left}`;
}

function unsigned(query: string): string {
  const parts = query.split('&');
  if (parts.some((part) => ENDS.test(part))) return '';
  const plain = parts.filter((part) => !SIGNS.test(part));
  if (plain.length === parts.length) return query;
  return plain.filter((part) => !SIGNED_ALONG.test(part)).join('&');
}
