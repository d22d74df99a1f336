// HTTPS_PROXY, HTTP_PROXY and NO_PROXY: the variables that most programs on a machine go by, so there is no setting beside them.
import { isIPv6 } from 'node:net';
import { decodePercent, Secret, type Environment, type Proxies } from '../base/index.ts';
import { ConfigError } from './errors.ts';

const PROTOCOLS = new Set(['http:', 'https:']);
// Those that are on this machine are not asked by way of another one, whether or not somebody thought of saying so.
const OWN = ['localhost', '127.0.0.1', '[::1]'];

/** The proxies of the environment; names in small letters count before others, as with curl. Throws DM_CONFIG_INVALID. */
export function readProxies(environment: Environment): Proxies {
  const http = proxyIn(environment, 'HTTP_PROXY');
  const https = proxyIn(environment, 'HTTPS_PROXY');
  const named = (valueOf(environment, 'NO_PROXY') ?? '')
    .split(/[,\s]+/)
    .filter((host) => host !== '')
    .map(asAsked);
  return { http, https: https ?? http, direct: named.includes('*') ? '*' : [...named, ...OWN].join(',') };
}

function proxyIn(environment: Environment, name: string): Secret | null {
  const value = valueOf(environment, name);
  if (value === undefined) return null;
  // A host with its port alone is what many write, and what curl takes.
  const address = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && PROTOCOLS.has(url.protocol) && url.hostname !== '') return Secret.of(withEncodedName(url));
  throw new ConfigError('DM_CONFIG_INVALID', `${name} is no address of a proxy; expected one like http://proxy:3128`, {
    hint: `Correct ${name} in the environment, or name in NO_PROXY what is to be asked without it.`,
  });
}

/** With a percent sign as it is in a password too, which whoever decodes it would take for a fault. */
function withEncodedName(url: URL): string {
  url.username = encodeURIComponent(decodePercent(url.username));
  url.password = encodeURIComponent(decodePercent(url.password));
  return url.href;
}

/** An IPv6 address as an address of the web has it: with its brackets, which most leave out here, and in its shortest form. */
function asAsked(host: string): string {
  const [, inBrackets, port = ''] = /^\[(.+)\](:\d+)?$/.exec(host) ?? [];
  const address = inBrackets ?? host;
  return isIPv6(address) && !address.includes('%') ? `${new URL(`http://[${address}]`).hostname}${port}` : host;
}

/** An empty variable counts as none. */
function valueOf(environment: Environment, name: string): string | undefined {
  return environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined;
}
