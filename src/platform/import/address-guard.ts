// Which hosts an import may be fetched from. An answer of the name server is checked and then used for the connection itself, so
// that a name cannot point somewhere else between the check and the request.
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ImportRefused } from './refused.ts';

/** Hosts by name, address or network (`10.0.0.0/8`); `*` is everything. Loopback is always allowed. */
export interface AddressGuard {
  /** Throws ImportRefused when the host is an address outside the allowed networks; names are checked by `lookup`. */
  checkHost(hostname: string): void;
  /** For the connection: resolves a name and refuses it unless every address is allowed. */
  lookup: LookupFunction;
}

const HINT = 'Serve the import from an allowed host, or add the host to those that imports may be fetched from.';

/** Asks the name server for every address of a name. */
export type NameResolver = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A guard that lets loopback and `allowedHosts` through. Throws ImportRefused for a network that cannot be read. */
export function createAddressGuard(allowedHosts: readonly string[], resolveName: NameResolver = lookup): AddressGuard {
  const networks = new BlockList();
  networks.addSubnet('127.0.0.0', 8, 'ipv4');
  networks.addAddress('::1', 'ipv6');
  const names = new Set<string>();
  for (const entry of allowedHosts) addAllowed(entry, networks, names);
  const isAllowed = (host: string, address: string): boolean =>
    names.has('*') || names.has(host.toLowerCase()) || networks.check(address, familyOf(address));
  return {
    checkHost(hostname) {
      const host = withoutBrackets(hostname);
      if (isIP(host) !== 0 && !isAllowed(host, host)) throw refused(host, host);
    },
    lookup: guardedLookup(isAllowed, resolveName),
  };
}

function guardedLookup(
  isAllowed: (host: string, address: string) => boolean,
  resolveName: NameResolver,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, '');
      const outside = addresses.find(({ address }) => !isAllowed(hostname, address));
      if (outside || !first) return callback(refused(hostname, outside?.address ?? 'no address'), '');
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function addAllowed(entry: string, networks: BlockList, names: Set<string>): void {
  const [address = '', prefix] = entry.split('/');
  if (isIP(address) === 0 && prefix === undefined) {
    names.add(entry.toLowerCase());
    return;
  }
  // An empty prefix would be read as 0, which is every address.
  const bits = prefix === undefined ? (isIP(address) === 4 ? 32 : 128) : prefix === '' ? Number.NaN : Number(prefix);
  try {
    networks.addSubnet(address, bits, familyOf(address));
  } catch (cause) {
    throw new ImportRefused(`The allowed network ${JSON.stringify(entry)} cannot be read; expected address/bits`, {
      hint: 'Write it like 10.0.0.0/8.',
      cause,
    });
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refused(host: string, address: string): ImportRefused {
  return new ImportRefused(`url: the host ${host} (${address}) is outside the networks that imports may use`, {
    hint: HINT,
  });
}
