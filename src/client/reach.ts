// Where downloads may lead. Their addresses come from the platform, or from whoever it redirects to: they must not make this machine
// ask itself, or what hands out the credentials of a machine in a cloud. Networks of one's own stay open: file stores stand in them.
import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

type Place = 'this machine' | 'the local link';

/** What keeps a client from asking places that only the machine itself can ask. */
export interface Reach {
  /** The address that a host would be refused for; null when it may be asked. A name that is not known may be asked in vain. */
  refusal(hostname: string): Promise<string | null>;
  /** For connections: the same for what a name resolves to at that moment, so that it cannot change between check and connection. */
  readonly lookup: LookupFunction;
  /** Lets a host be asked wherever it leads: its address was set by the operator. */
  trust(hostname: string): void;
}

const PLACES: readonly (readonly [Place, BlockList])[] = [
  ['this machine', listOf(['127.0.0.0', 8], ['0.0.0.0', 8], ['::1', 128], ['::', 128])],
  ['the local link', listOf(['169.254.0.0', 16], ['fe80::', 10], ['fd00:ec2::254', 128])],
];

/** A reach that spares this machine and its link, unless the platform itself is there. */
export function createReach(platformHost: string): Reach {
  const trusted = new Set([bare(platformHost)]);
  const asked = new Map<string, Promise<string | null>>();
  const refusedAmong = async (addresses: readonly string[]): Promise<string | null> => {
    const places = addresses.filter((address) => placeOf(address) !== null);
    if (places.length === 0) return null;
    const allowed = new Set((await resolve(bare(platformHost))).map(placeOf));
    return places.find((address) => !allowed.has(placeOf(address))) ?? null;
  };
  return {
    trust: (hostname) => void trusted.add(bare(hostname)),
    refusal: (hostname) => {
      const host = bare(hostname);
      if (trusted.has(host)) return Promise.resolve(null);
      let answer = asked.get(host);
      if (!answer) asked.set(host, (answer = resolve(host).then(refusedAmong)));
      return answer;
    },
    lookup: (hostname, options, callback) => {
      resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        const [first] = addresses ?? [];
        if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '');
        const answer = async (): Promise<void> => {
          const isTrusted = trusted.has(hostname.toLowerCase());
          const refused = isTrusted ? null : await refusedAmong(addresses.map(({ address }) => address));
          if (refused !== null) callback(new Error(`${hostname} leads to ${refused}`), '');
          else if (options.all === true) callback(null, addresses);
          else callback(null, first.address, first.family);
        };
        return void answer();
      });
    },
  };
}

/** Addresses of a host; none when it is not known. */
function resolve(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((done) => {
    resolveName(host, { all: true }, (error, found) => done(error ? [] : found.map(({ address }) => address)));
  });
}

function placeOf(address: string): Place | null {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return PLACES.find(([, list]) => list.check(address, family))?.[0] ?? null;
}

function listOf(...networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}

function bare(hostname: string): string {
  return hostname.replaceAll(/^\[|\]$/g, '').toLowerCase();
}
