// The connections that requests go out by.
import { Agent, EnvHttpProxyAgent, errors, Pool, type buildConnector, type Dispatcher } from 'undici';
import { ProxyClosed, ProxyUnreached, type Proxies } from '../base/index.ts';

const NO_WAY = 'the proxy closed the connection instead of opening a way';
const NO_ANSWER = 'the proxy (HTTP_PROXY) closed the connection without an answer';

/** How an origin that is asked straight is connected to; the options of Pool. */
export type Connecting = (origin: string) => Pool.Options;

/** Keeps connections to every origin that is asked, straight or by way of the proxies. `destroy` closes them. */
export function createAgent(proxies: Proxies | undefined, connecting: Connecting = () => ({})): Dispatcher {
  const httpProxy = proxies?.http?.reveal() ?? '';
  const plainProxy = httpProxy === '' ? null : new URL(httpProxy).href;
  const factory = (origin: string | URL, { connect }: Agent.Options = {}): Dispatcher => {
    const options = connecting(String(origin));
    if (typeof connect !== 'function') return new Pool(origin, options);
    // What a proxy connects to is looked up there; here it is only asked for.
    const isProxy = new URL(origin).href === plainProxy;
    return new Pool(origin, { ...options, connect: isProxy ? naming(connect) : ending(connect) });
  };
  if (proxies === undefined || (proxies.http === null && proxies.https === null)) return new Agent({ factory });
  return new EnvHttpProxyAgent({
    factory,
    clientFactory: (proxy, { connect }: Agent.Options) =>
      new Pool(proxy, typeof connect === 'function' ? { connect: reaching(connect) } : {}),
    // Empty is none; what is left out would be looked for in the environment.
    httpProxy,
    httpsProxy: proxies.https?.reveal() ?? '',
    noProxy: proxies.direct,
    // Plain requests are handed to the proxy whole: many allow a tunnel to port 443 alone.
    proxyTunnel: false,
  });
}

/** To undici, what goes wrong on the way to the proxy is as if it went wrong beyond it. */
function reaching(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(new ProxyUnreached(error, options.protocol), null);
    });
}

/** A proxy that hangs up where a tunnel is asked of it: to undici a lost connection, which it begins anew at once and for ever. */
function ending(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(error instanceof errors.SocketError ? new ProxyClosed(NO_WAY, error) : error, null);
    });
}

/** A proxy that hangs up on a plain request, which it is handed whole: to undici whoever was asked did, and nobody knows afterwards who that was. */
function naming(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    reaching(connect)(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      // Before undici gives it a name of its own. A connection that brought answers before is ended when nobody needs it.
      socket.prependOnceListener('end', () => {
        if (socket.bytesRead === 0) socket.destroy(new ProxyClosed(NO_ANSWER));
      });
      callback(null, socket);
    });
}
