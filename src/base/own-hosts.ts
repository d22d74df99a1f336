// Which hosts are this machine.
import { networkInterfaces } from 'node:os';

/** Whether only this machine is behind a host, as it stands in a setting or an address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Whether a host of an address leads to this machine: the loopback, or one of the addresses that other machines know it by. */
export function isOfThisMachine(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(bare) || isEveryAddress(bare) || ownAddresses().some(({ address }) => address === bare);
}

/** Whether what listens there listens on all addresses of the machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** An address that other machines know this one by, where there is any. */
export function outerAddress(): string | undefined {
  return ownAddresses().find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function ownAddresses(): { address: string; family: string; internal: boolean }[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}
