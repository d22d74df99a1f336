// The connections that requests go out by.
import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import type { Proxies } from '../base/index.ts';

/** How an origin that is asked straight is connected to; the options of Pool. */
export type Connecting = (origin: string) => Pool.Options;

/** Keeps connections to every origin that is asked, straight or by way of the proxies. `destroy` closes them. */
export function createAgent(proxies: Proxies | undefined, connecting: Connecting = () => ({})): Dispatcher {
  const factory = (origin: string | URL, { connect }: Agent.Options = {}): Dispatcher => {
    const options = connecting(String(origin));
    // What a proxy connects to is looked up there; here it is only asked for.
    return new Pool(origin, connect === undefined ? options : { ...options, connect });
  };
  if (proxies === undefined || (proxies.http === null && proxies.https === null)) return new Agent({ factory });
  return new EnvHttpProxyAgent({
    factory,
    // Empty is none; what is left out would be looked for in the environment.
    httpProxy: proxies.http?.reveal() ?? '',
    httpsProxy: proxies.https?.reveal() ?? '',
    noProxy: proxies.direct,
    // Plain requests are handed to the proxy whole: many allow a tunnel to port 443 alone.
    proxyTunnel: false,
  });
}
