/** What one listens on, as others on this machine write it in an address: an IPv6 address stands in brackets there. */
export function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
