// A platform, or a proxy before it, that lets the doctor wait.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { manualClock, seededRandom, silentLogger, type Clock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, testFolder, type TestFolder } from '../support/cli.ts';
import { startSilentReceiver } from '../support/receiver.ts';

interface Asked {
  readonly url: string;
  readonly clock: Clock;
  readonly folder: TestFolder;
  readonly environment?: Readonly<Record<string, string>>;
}

function appFor({ url, clock, folder, environment }: Asked): App {
  const all = { ...environmentOf({ url, token: 'none' }, folder.at('data')), ...environment };
  const config = loadConfig({ flags: {}, environment: all, cwd: folder.path, readFile: () => null });
  return createApp(config, { clock, random: seededRandom(1), log: silentLogger() });
}

it('doctor names the platform where the proxy is silent, once a request may take no longer: it stood there for minutes', async () => {
  using folder = testFolder();
  await using silent = await startSilentReceiver();
  const clock = manualClock();
  const environment = { HTTPS_PROXY: `http://${silent.address}` };
  await using app = appFor({ url: 'https://platform.test', clock, folder, environment });
  const examined = app.examine(new AbortController().signal);
  await silent.asked(1);
  await clock.advance(30_000);
  const found = (await examined).filter(({ check }) => check === 'platform');
  expect(found).toMatchObject([{ state: 'bad', found: 'https://platform.test does not answer: no answer in time' }]);
  expect(found[0]?.hint).toContain('HTTPS_PROXY');
}, 30_000);

it('doctor warns of a platform that takes twenty seconds to answer, for which a walk waits: it said that it does not answer, and stops a walk', async () => {
  using folder = testFolder();
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    if (held.push(response) > 1) response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = manualClock();
    await using app = appFor({ url, clock, folder });
    const asked = once(server, 'request');
    const examined = app.examine(new AbortController().signal);
    await asked;
    await clock.advance(20_000);
    held[0]?.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    const found = (await examined).filter(({ check }) => check === 'platform');
    expect(found).toMatchObject([{ state: 'warning', found: `${url} takes 20.0 s to answer` }]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 30_000);
