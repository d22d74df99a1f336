import { describe, expect, it } from 'vitest';
import { manualClock, type ManualClock } from '../../src/base/index.ts';
import type { ApiClient, WaitInfo } from '../../src/client/index.ts';
import {
  clientFor,
  rejection,
  sendError,
  sendJson,
  startServer,
  until,
  type Handler,
  type TestServer,
} from './support.ts';

const START = 1_700_000_000_000;
const space = { path: { spaceId: 's' } };
const comment = { path: { spaceId: 's' }, body: { body: { markdown: 'x' } } };

const cut: Handler = (_request, response) => response.destroy();

function failingOnce(first: Handler): Handler {
  return (request, response, number) => {
    if (number === 1) first(request, response, number);
    else sendJson(response, 200, { id: 'x', number });
  };
}

interface Refused {
  readonly clock: ManualClock;
  readonly server: TestServer;
  readonly client: ApiClient;
}

/** Three waits, each twice the one before, of which the first comes after so many refusals. */
async function expectLongerWaits({ clock, server, client }: Refused, refusals: number): Promise<void> {
  for (const [index, ms] of [500, 1000, 2000].entries()) {
    await until(() => client.meter.rateLimited === index + refusals && clock.pending() === 1);
    await clock.advance(ms - 1);
    expect(server.seen).toHaveLength(index + refusals);
    await clock.advance(1);
    await until(() => server.seen.length === index + refusals + 1);
  }
}

describe('client/repetition', () => {
  it('repeats a read whose connection is cut', async () => {
    await using server = await startServer(failingOnce(cut));
    await using client = clientFor(server);
    expect(await client.call('getSpace', space)).toEqual({ id: 'x', number: 2 });
  });

  it('never repeats a write whose connection is cut, and says that its outcome is unknown', async () => {
    await using server = await startServer(failingOnce(cut));
    await using client = clientFor(server);
    const error = await rejection(client.call('createComment', comment));
    expect(error).toMatchObject({ code: 'DM_UNREACHABLE', sent: true, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  it('takes "102 Processing" for no answer, whatever comes after it', async () => {
    await using server = await startServer((request, response, number) => {
      response.writeProcessing();
      (number === 1 ? cut : failingOnce(cut))(request, response, number);
    });
    await using client = clientFor(server, { limits: { retries: 0 } });
    expect(await rejection(client.call('getSpace', space))).toMatchObject({ code: 'DM_UNREACHABLE', status: null });
    expect(await client.call('getSpace', space)).toEqual({ id: 'x', number: 2 });
  });

  it.each(['createComment', 'deleteComment', 'createTeam', 'transferSpace'] as const)(
    'does not repeat %s after a 503',
    async (name) => {
      await using server = await startServer((_request, response) => sendError(response, 503));
      await using client = clientFor(server);
      const path = { spaceId: 's', commentId: 'c', organizationId: 'o' };
      const error = await rejection(client.callRaw(name, { path, body: {} }));
      expect(error).toMatchObject({ code: 'DM_HTTP_STATUS', status: 503, sent: true, attempts: 1 });
      expect(server.seen).toHaveLength(1);
    },
  );

  it.each([
    ['updateSpace', 'after a 503', (response: Parameters<Handler>[1]) => sendError(response, 503)],
    ['moveSpace', 'after a 503', (response: Parameters<Handler>[1]) => sendError(response, 503)],
    ['updateComment', 'whose connection is cut', (response: Parameters<Handler>[1]) => response.destroy()],
  ] as const)(
    'repeats %s, which only sets, %s: what it was part of failed for one moment of trouble',
    async (name, _when, fail) => {
      await using server = await startServer(failingOnce((_request, response) => fail(response)));
      await using client = clientFor(server, { limits: { retries: 1 } });
      const path = { spaceId: 's', commentId: 'c' };
      expect(await client.callRaw(name, { path, body: {} })).toEqual({ id: 'x', number: 2 });
      expect(client.meter.retries).toBe(1);
    },
  );

  it('gives up on a write that only sets as it does on a read', async () => {
    await using server = await startServer((_request, response) => sendError(response, 503));
    await using client = clientFor(server, { limits: { retries: 2 } });
    const error = await rejection(client.call('updateSpace', { ...space, body: {} }));
    expect(error).toMatchObject({ code: 'DM_HTTP_STATUS', status: 503, sent: true, attempts: 3 });
  });

  it('repeats a write that nobody took', async () => {
    const server = await startServer(() => undefined);
    await server[Symbol.asyncDispose]();
    await using client = clientFor(server, { limits: { retries: 2 } });
    const error = await rejection(client.call('createComment', comment));
    expect(error).toMatchObject({ code: 'DM_UNREACHABLE', sent: false, attempts: 3 });
  });

  it('sends a write again after a 429, since it was not processed', async () => {
    await using server = await startServer(
      failingOnce((_q, response) => sendError(response, 429, { 'retry-after': '0' })),
    );
    await using client = clientFor(server);
    expect(await client.call('createComment', comment)).toEqual({ id: 'x', number: 2 });
    expect(client.meter).toMatchObject({ rateLimited: 1, retries: 1 });
  });

  it('repeats what was refused before anything that came after it', async () => {
    await using server = await startServer(
      failingOnce((_q, response) => sendError(response, 429, { 'retry-after': '0' })),
    );
    await using client = clientFor(server, { limits: { concurrency: 1 } });
    await Promise.all(['first', 'second', 'third'].map((spaceId) => client.call('getSpace', { path: { spaceId } })));
    expect(server.seen.map(({ url }) => url.split('/').at(-1))).toEqual(['first', 'first', 'second', 'third']);
  });

  it('waits as long as a 503 asks before it repeats a request: the platform was asked while it was closed', async () => {
    const clock = manualClock(START);
    await using server = await startServer(
      failingOnce((_q, response) => sendError(response, 503, { 'retry-after': '7' })),
    );
    await using client = clientFor(server, { clock });
    const call = client.call('getSpace', space);
    await until(() => server.seen.length === 1 && clock.pending() === 1);
    await clock.advance(6_999);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect(await call).toEqual({ id: 'x', number: 2 });
  });

  it('ends at once when a 503 asks for a longer wait than is allowed', async () => {
    await using server = await startServer((_q, response) => sendError(response, 503, { 'retry-after': '3600' }));
    await using client = clientFor(server, { limits: { maxWaitMs: 60_000 } });
    expect(await rejection(client.call('getSpace', space))).toMatchObject({ status: 503, attempts: 1 });
  });

  it('does not wait for a 429 where nothing is to be repeated, as for doctor', async () => {
    await using server = await startServer((_q, response) => sendError(response, 429, { 'retry-after': '0' }));
    await using client = clientFor(server, { limits: { retries: 0 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_RATE_LIMITED', status: 429, attempts: 1 });
  });

  it('waits between repetitions with full jitter, longer each time', async () => {
    const clock = manualClock(START);
    const waits: WaitInfo[] = [];
    const half = { next: () => 0.5, int: () => 0, bytes: (n: number) => Buffer.alloc(n), id: () => 'id' };
    await using server = await startServer((_request, response) => sendError(response, 500));
    await using client = clientFor(server, {
      clock,
      random: half,
      onWait: (info) => waits.push(info),
      limits: { retries: 4 },
    });
    const call = rejection(client.call('getSpace', space));
    for (const [index, ms] of [125, 250, 500, 1000].entries()) {
      await until(() => server.seen.length === index + 1 && clock.pending() === 1);
      await clock.advance(ms - 1);
      expect(server.seen).toHaveLength(index + 1);
      await clock.advance(1);
    }
    expect(await call).toMatchObject({ status: 500, attempts: 5 });
    expect(waits).toEqual([{ reason: 'retry', ms: 1000 }]);
    expect(client.meter.waitedMs).toBe(1875);
  });

  it('holds every request for as long as a 429 asks', async () => {
    const clock = manualClock(START);
    const waits: WaitInfo[] = [];
    await using server = await startServer((_request, response, number) =>
      number === 2 ? sendError(response, 429, { 'retry-after': '7' }) : sendJson(response, 200, { id: 'x', number }),
    );
    await using client = clientFor(server, { clock, onWait: (info) => waits.push(info) });
    await client.call('getSpace', space);
    const refused = client.call('getSpace', space);
    await until(() => client.meter.rateLimited === 1);
    const others = [client.call('getSpace', space), client.call('createComment', comment)];
    await clock.advance(6_999);
    expect(server.seen).toHaveLength(2);
    await clock.advance(1);
    await Promise.all([refused, ...others]);
    // The refused one goes first.
    expect(server.seen.map((request) => request.method)).toEqual(['GET', 'GET', 'GET', 'GET', 'POST']);
    expect(waits).toEqual([{ reason: 'rate-limited', ms: 7000 }]);
    expect(client.meter.waitedMs).toBe(7000);
  });

  it('waits longer for each 429 that says nothing', async () => {
    const clock = manualClock(START);
    await using server = await startServer((_request, response, number) =>
      number <= 3 ? sendError(response, 429) : sendJson(response, 200, { id: 's', number }),
    );
    await using client = clientFor(server, { clock });
    const call = client.call('getSpace', space);
    await expectLongerWaits({ clock, server, client }, 1);
    expect(await call).toEqual({ id: 's', number: 4 });
  });

  it('fails at once, for everyone, when the server asks for longer than is allowed', async () => {
    await using server = await startServer((_request, response) => sendError(response, 429, { 'retry-after': '3600' }));
    await using client = clientFor(server, { limits: { maxWaitMs: 60_000 } });
    const first = await rejection(client.call('getSpace', space));
    const second = await rejection(client.call('getSpace', space));
    expect(first).toMatchObject({ code: 'DM_RATE_LIMITED', status: 429, sent: false });
    expect(String(first)).toContain('must wait 3600 s');
    expect(String(first)).toContain('expected at most 1m (limits.maxWait)');
    expect(second).toMatchObject({ code: 'DM_RATE_LIMITED', status: null });
    expect(server.seen).toHaveLength(1);
  });

  it('waits longer for each 429 that asks for no wait: ten requests in a row went out at once, and the walk ended', async () => {
    const clock = manualClock(START);
    await using server = await startServer((_request, response, number) =>
      number <= 4 ? sendError(response, 429, { 'retry-after': '0' }) : sendJson(response, 200, { id: 's', number }),
    );
    await using client = clientFor(server, { clock });
    const call = client.call('getSpace', space);
    await expectLongerWaits({ clock, server, client }, 2);
    expect(await call).toEqual({ id: 's', number: 5 });
  });

  it('gives up on a server that answers 429 without end', async () => {
    await using server = await startServer((_request, response) => sendError(response, 429, { 'retry-after': '0' }));
    await using client = clientFor(server, { limits: { maxWaitMs: 1 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_RATE_LIMITED', status: 429, attempts: 10 });
  });

  it('ends the wait before a repetition when it is closed: a program stayed for as long as a 503 had asked it to wait', async () => {
    const clock = manualClock(START);
    await using server = await startServer((_request, response) => sendError(response, 503, { 'retry-after': '600' }));
    const waits: unknown[] = [];
    const client = clientFor(server, { clock, onWait: (wait) => void waits.push(wait) });
    const call = rejection(client.call('getSpace', space));
    await until(() => waits.length === 1);
    await client[Symbol.asyncDispose]();
    expect(await call).toMatchObject({ code: 'DM_INTERRUPTED' });
    expect(clock.pending()).toBe(0);
  });

  it('ends each kind of wait as soon as the signal aborts', async () => {
    const clock = manualClock(START);
    await using server = await startServer((request, response) => {
      if (request.url.endsWith('/busy')) return sendError(response, 429, { 'retry-after': '600' });
      if (request.url.endsWith('/broken')) return sendError(response, 500);
      return undefined;
    });
    const half = { next: () => 0.5, int: () => 0, bytes: (n: number) => Buffer.alloc(n), id: () => 'id' };
    for (const [spaceId, count] of [
      ['silent', 1],
      ['broken', 2],
      ['busy', 3],
    ] as const) {
      await using client = clientFor(server, { clock, random: half });
      const controller = new AbortController();
      const { signal } = controller;
      const calls = [1, 2].map(() => rejection(client.call('getSpace', { path: { spaceId } }, { signal })));
      await until(() => server.seen.length >= count && clock.pending() >= 1);
      const reason = new Error('stop now');
      controller.abort(reason);
      expect(await Promise.all(calls)).toEqual([reason, reason]);
      expect(await rejection(client.call('getSpace', space, { signal }))).toBe(reason);
    }
  });
});
