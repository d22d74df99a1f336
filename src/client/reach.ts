// Where downloads may lead. Their addresses come from the platform, or from whoever it redirects to: they must not make this machine
// ask itself, or what hands out the credentials of a machine in a cloud. Networks of one's own stay open: file stores stand in them.
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

type Place = 'this machine' | 'the local link';

/** Asks for the addresses of a name, as node:dns does. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** What keeps a client from asking places that only the machine itself can ask. */
export interface Reach {
  /** The address that a host would be refused for; null when it may be asked. A name that is not known may be asked in vain. */
  refusal(hostname: string): Promise<string | null>;
  /**
   * For connections to an origin: the same for what a name resolves to at that moment, so that it cannot change between check and
   * connection.
   */
  lookupFor(origin: string): LookupFunction;
  /** Lets connections to an origin lead anywhere until this is disposed of: its address was set by the operator. */
  trust(origin: string): Disposable;
}

// Where some hand out credentials outside of the link: Alibaba, Oracle, Azure.
const CLOUDS = [
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['168.63.129.16', 32],
] as const;
const PLACES: readonly (readonly [Place, BlockList])[] = [
  ['this machine', listOf(['127.0.0.0', 8], ['0.0.0.0', 8], ['::1', 128], ['::', 128])],
  ['the local link', listOf(['169.254.0.0', 16], ['fe80::', 10], ['fd00:ec2::254', 128], ...CLOUDS)],
];

interface Answer {
  /** The address that is refused. */
  readonly refused: string | null;
  /** Every name was known. What is not known now may be known in a moment. */
  readonly isSure: boolean;
}

/** A reach that spares this machine and its link, unless the platform itself is there. */
export function createReach(platformHost: string, resolveName: ResolveName = systemLookup): Reach {
  const platform = bare(platformHost);
  const trusted = new Set<{ readonly origin: string }>();
  const asked = new Map<string, Promise<string | null>>();
  const judge = async (addresses: readonly string[]): Promise<Answer> => {
    const places = addresses.filter((address) => placeOf(address) !== null);
    if (places.length === 0) return { refused: null, isSure: true };
    const own = await resolve(resolveName, platform);
    const allowed = new Set(own?.map(placeOf));
    return { refused: places.find((address) => !allowed.has(placeOf(address))) ?? null, isSure: own !== null };
  };
  const ask = async (host: string): Promise<string | null> => {
    const addresses = await resolve(resolveName, host);
    const { refused, isSure } = addresses ? await judge(addresses) : { refused: null, isSure: false };
    if (!isSure) asked.delete(host);
    return refused;
  };
  const isOpen = (hostname: string, origin: string): boolean =>
    bare(hostname) === platform || [...trusted].some((one) => one.origin === origin);
  return {
    trust: (origin) => {
      const trust = { origin };
      trusted.add(trust);
      return { [Symbol.dispose]: () => void trusted.delete(trust) };
    },
    refusal: (hostname) => {
      const host = bare(hostname);
      if (host === platform) return Promise.resolve(null);
      let answer = asked.get(host);
      if (!answer) asked.set(host, (answer = ask(host)));
      return answer;
    },
    lookupFor: (origin) => (hostname, options, callback) => {
      resolveName(hostname, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '');
        const answer = async (): Promise<void> => {
          const found = addresses.map(({ address }) => address);
          const refused = isOpen(hostname, origin) ? null : (await judge(found)).refused;
          if (refused !== null) callback(new Error(`${hostname} leads to ${refused}`), '');
          else if (options.all === true) callback(null, addresses);
          else callback(null, first.address, first.family);
        };
        return void answer();
      });
    },
  };
}

/** Addresses of a host; null when it is not known. */
function resolve(resolveName: ResolveName, host: string): Promise<string[] | null> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((done) => {
    resolveName(host, { all: true }, (error, found) => done(error ? null : found.map(({ address }) => address)));
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
