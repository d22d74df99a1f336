// The connections that requests go out by.
import { Agent, EnvHttpProxyAgent, errors, Pool, type buildConnector, type Dispatcher } from 'undici';
import { ProxyClosed, type Proxies } from '../base/index.ts';

/** How an origin that is asked straight is connected to; the options of Pool. */
export type Connecting = (origin: string) => Pool.Options;

/** Keeps connections to every origin that is asked, straight or by way of the proxies. `destroy` closes them. */
export function createAgent(proxies: Proxies | undefined, connecting: Connecting = () => ({})): Dispatcher {
  const factory = (origin: string | URL, { connect }: Agent.Options = {}): Dispatcher => {
    const options = connecting(String(origin));
    // What a proxy connects to is looked up there; here it is only asked for.
    return new Pool(origin, typeof connect === 'function' ? { ...options, connect: ending(connect) } : options);
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

/** A proxy that hangs up where a tunnel is asked of it: to undici a lost connection, which it begins anew at once and for ever. */
function ending(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(error instanceof errors.SocketError ? new ProxyClosed(error) : error, null);
    });
}
