// Which hosts an import may be fetched from, whatever a name server answers.
import type { LookupAddress } from 'node:dns';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressGuard, type NameResolver } from '../../src/platform/import/address-guard.ts';
import { ImportRefused } from '../../src/platform/import/index.ts';

describe('platform/import/address-guard', () => {
  function resolveWith(allowedHosts: string[], host: string): Promise<string> {
    return new Promise((resolve, reject) => {
      createAddressGuard(allowedHosts).lookup(host, {}, (error, address) => {
        if (error) reject(error);
        else resolve(typeof address === 'string' ? address : JSON.stringify(address));
      });
    });
  }

  it('checks what a name resolves to and hands that very address to the connection', async () => {
    await expect(resolveWith([], '127.0.0.2')).resolves.toBe('127.0.0.2');
    await expect(resolveWith([], '10.1.2.3')).rejects.toThrow(/10\.1\.2\.3\) is outside/);
  });

  it('asks for a name once for a connection, so that a second answer of the name server leads nowhere else', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const answers = ['127.0.0.1', '10.0.0.1'];
    const asked: string[] = [];
    const rebinding: NameResolver = (host, _options, callback) => {
      asked.push(host);
      callback(null, [{ address: answers.shift() ?? '', family: 4 }]);
    };
    const { lookup } = createAddressGuard([], rebinding);
    const connect = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = createConnection({ host: 'rebound.test', port, lookup }, () => {
          resolve(socket.remoteAddress ?? '');
          socket.destroy();
        });
        socket.on('error', reject);
      });
    await expect(connect()).resolves.toBe('127.0.0.1');
    expect(asked).toEqual(['rebound.test']);
    await expect(connect()).rejects.toThrow(/10\.0\.0\.1\) is outside/);
  });

  it('refuses a name of which one address is outside, whichever is first', async () => {
    const addresses: LookupAddress[] = [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ];
    for (const order of [addresses, addresses.toReversed()]) {
      const { lookup } = createAddressGuard([], (_host, _options, callback) => callback(null, order));
      const error = await new Promise((resolve) => lookup('two.test', {}, (refused) => resolve(refused)));
      expect(String(error)).toMatch(/169\.254\.169\.254\) is outside/);
    }
  });

  it.each(['10.0.0.0/8', '10.1.2.3', '*'])('lets %s through when it is allowed', async (allowed) => {
    await expect(resolveWith([allowed], '10.1.2.3')).resolves.toBe('10.1.2.3');
  });

  it('refuses a network that cannot be read', () => {
    for (const network of ['10.0.0.0/99', '10.0.0.0/', '10.0.0.0/x', 'docs.example/8']) {
      expect(() => createAddressGuard([network])).toThrow(ImportRefused);
    }
  });
});
