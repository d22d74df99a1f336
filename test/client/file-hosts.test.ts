// Hosts of files that are not the platform and answer 429.
import { expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { testFolder } from '../support/cli.ts';
import { clientFor, rejection, sendJson, startServer, until } from './support.ts';

const space = { path: { spaceId: 's1' } };

it('client asks the platform on while a host of files wants an hour of rest: the walk ended, since "the platform" had to be waited for', async () => {
  await using platform = await startServer((_request, response) => sendJson(response, 200, { id: 's1' }));
  await using store = await startServer((_request, response) =>
    response.writeHead(429, { 'retry-after': '3600' }).end(),
  );
  await using client = clientFor(platform);
  using folder = testFolder();
  const toPath = folder.at('file');
  const error = await rejection(client.download(`${store.url}/a`, { toPath }));
  expect(error).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status: 429 });
  expect(String(error)).toContain('a host that asks for a wait of 3600 s; expected at most 15m (limits.maxWait)');
  expect(await client.call('getSpace', space)).toEqual({ id: 's1' });
  expect(String(await rejection(client.download(`${store.url}/b`, { toPath })))).toContain('asks for a wait of 3600 s');
  expect(store.seen).toHaveLength(1);
});

it('client leaves a host of files alone for as long as its 429 asks, and begins again where it was led there from', async () => {
  const clock = manualClock(Date.parse('2025-03-10T02:00:00Z'));
  await using store = await startServer((_request, response, number) =>
    number === 1 ? response.writeHead(429, { 'retry-after': '7' }).end() : response.end('bytes'),
  );
  await using platform = await startServer((_request, response) =>
    response.writeHead(302, { location: `${store.url}/signed` }).end(),
  );
  await using client = clientFor(platform, { clock });
  using folder = testFolder();
  const downloads = [client.download(`${platform.url}/a`, { toPath: folder.at('a') })];
  await until(() => client.meter.rateLimited === 1);
  downloads.push(client.download(`${platform.url}/b`, { toPath: folder.at('b') }));
  await until(() => platform.seen.length === 2);
  await clock.advance(6999);
  expect(store.seen).toHaveLength(1);
  await clock.advance(1);
  expect(await Promise.all(downloads)).toMatchObject([{ size: 5 }, { size: 5 }]);
  expect(store.seen).toHaveLength(3);
  expect(platform.seen.map(({ url }) => url).toSorted()).toEqual(['/a', '/a', '/b', '/b']);
});

it('client gives up a host of files that answers 429 again and again', async () => {
  const clock = manualClock();
  await using platform = await startServer((_request, response) => sendJson(response, 200, { id: 's1' }));
  await using store = await startServer((_request, response) => response.writeHead(429).end());
  await using client = clientFor(platform, { clock });
  using folder = testFolder();
  let isOver = false;
  const download = rejection(client.download(`${store.url}/a`, { toPath: folder.at('a') })).finally(() => {
    isOver = true;
  });
  await until(() => {
    void clock.advance(1000);
    return isOver;
  });
  expect(await download).toMatchObject({ code: 'DM_DOWNLOAD_FAILED', status: 429 });
  expect(store.seen).toHaveLength(10);
});
