import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { manualClock, Secret } from '../../src/base/index.ts';
import { ApiError, endingWith, networkReason } from '../../src/client/index.ts';
import { Credentials } from '../../src/client/credentials.ts';
import { operationNames, operations } from '../../src/contract/index.ts';
import { TOKEN, clientFor, rejection, sendError, sendJson, startServer, until, type Handler } from './support.ts';

const space = { path: { spaceId: 'space-1' } };

async function failing(handler: Handler, retries = 0): Promise<{ error: ApiError; requests: number }> {
  await using server = await startServer(handler);
  await using client = clientFor(server, { limits: { retries } });
  const error = await rejection(client.call('getSpace', space));
  if (!(error instanceof ApiError)) throw error;
  return { error, requests: server.seen.length };
}

describe('client/call', () => {
  it('sends path, query and body as the contract says, with the token, and gives the parsed answer', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 'c', items: [] }));
    await using client = clientFor({ url: `${server.url}/base/` });
    const answer = await client.api.createComment({ path: { spaceId: 'a/b ü' }, body: { body: { markdown: 'hi' } } });
    expect(answer).toEqual({ id: 'c', items: [] });
    await client.api.listComments({ path: { spaceId: 's' }, query: { authors: ['u 1', 'u&2'], limit: 5 } });
    expect(server.seen).toEqual([
      {
        method: 'POST',
        url: '/base/v1/spaces/a%2Fb%20%C3%BC/comments',
        authorization: `Bearer ${TOKEN}`,
        body: '{"body":{"markdown":"hi"}}',
      },
      {
        method: 'GET',
        url: '/base/v1/spaces/s/comments?authors=u%201&authors=u%262&limit=5',
        authorization: `Bearer ${TOKEN}`,
        body: '',
      },
    ]);
  });

  it('has a function for each operation', async () => {
    const any = {
      id: 'x',
      name: 'x',
      slug: 'x',
      result: 'merge',
      items: [],
      pages: [],
      files: [],
      reusableContents: [],
    };
    await using server = await startServer(({ method, url }, response) =>
      sendJson(response, 200, method === 'GET' && url.endsWith('/spaces/x/custom-fields') ? [] : any),
    );
    await using client = clientFor(server);
    expect(operationNames.every((name) => typeof client.api[name] === 'function')).toBe(true);
    for (const name of operationNames) {
      const path = Object.fromEntries([...operations[name].path.matchAll(/\{(\w+)\}/g)].map((m) => [m[1] ?? '', 'x']));
      await client.callRaw(name, { path });
    }
    const sent = server.seen.map((request) => `${request.method} ${request.url}`);
    expect(sent).toEqual(
      operationNames.map((name) => `${operations[name].method} ${operations[name].path.replaceAll(/\{\w+\}/g, 'x')}`),
    );
  });

  it('accepts 200, 202, 204 and 205 for a deletion, with and without a body', async () => {
    const statuses = [200, 202, 204, 205];
    await using server = await startServer((_request, response, number) => {
      response.writeHead(statuses[number - 1] ?? 500, { 'content-type': 'application/json' });
      response.end(number === 1 ? '{"ok":true}' : undefined);
    });
    await using client = clientFor(server);
    const path = { spaceId: 's', commentId: 'c' };
    for (const status of statuses) {
      const answer = await client.api.deleteComment({ path });
      expect(answer).toEqual(status === 200 ? { ok: true } : undefined);
    }
  });

  it('takes any status of success without a word for that of a write that makes nothing; an id is not made up', async () => {
    const statuses = [200, 202, 205];
    await using server = await startServer((_request, response, number) => {
      response.writeHead(statuses[number - 1] ?? 204).end();
    });
    await using client = clientFor(server);
    for (const _status of statuses) expect(await client.call('updateSpace', { ...space, body: {} })).toEqual({});
    const error = await rejection(client.call('duplicateSpace', space));
    expect(error).toMatchObject({ code: 'DM_NOT_JSON', status: 204, sent: true });
  });

  it.each([
    ['deleteSpace', space],
    ['updateSpace', { ...space, body: {} }],
  ] as const)('takes no web page for the success of %s: nothing was done', async (operation, input) => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>');
    });
    await using client = clientFor(server);
    const error = await rejection(client.callRaw(operation, input));
    expect(error).toMatchObject({ code: 'DM_NOT_JSON', status: 200, sent: true });
    expect(server.seen).toHaveLength(1);
  });

  it('writes nothing twice that a success holds nothing but an error of: it may have been done', async () => {
    await using server = await startServer((_request, response) =>
      sendJson(response, 200, { error: { code: 503, message: 'Try again later' } }),
    );
    await using client = clientFor(server, { limits: { retries: 3 } });
    const error = await rejection(client.call('duplicateSpace', space));
    expect(error).toMatchObject({ code: 'DM_BAD_RESPONSE', sent: true });
    expect(server.seen).toHaveLength(1);
  });

  it('takes a refusal whose message is no text for one without', async () => {
    const { error } = await failing((_request, response) => sendJson(response, 404, { error: { message: { en: 1 } } }));
    expect([error.code, error.platformMessage]).toEqual(['DM_NOT_FOUND', null]);
  });

  it.each([
    [
      { message: 'No API key', request_id: '7' },
      'answered 403 with {"message":"No API key","request_id":"7"}; expected success',
    ],
    [{ error: 'quota' }, 'answered 403 with {"error":"quota"}; expected success'],
    [{ error: { message: 'Not yours' } }, 'answered 403: "Not yours"; expected success'],
    [undefined, 'answered 403 without a message; expected success'],
  ])(
    'shows what a gateway before the platform says in its own form: %j was told as an answer without a message',
    async (body, told) => {
      const { error } = await failing((_request, response) => sendJson(response, 403, body));
      expect(error.message).toContain(told);
      expect(error.code).toBe('DM_FORBIDDEN');
    },
  );

  it('asks again when a success holds nothing but an error, and says what the error says', async () => {
    const trouble = { error: { code: 503, message: 'Try again later' } };
    await using server = await startServer((_request, response, number) =>
      sendJson(response, 200, number === 1 ? trouble : { id: 's' }),
    );
    await using client = clientFor(server, { limits: { retries: 1 } });
    expect(await client.call('getSpace', space)).toEqual({ id: 's' });
    const { error } = await failing((_request, response) => sendJson(response, 200, trouble));
    expect([error.code, error.platformMessage]).toEqual(['DM_BAD_RESPONSE', 'Try again later']);
    expect(error.message).toContain('answered 200 with the error "Try again later"; expected what was asked for');
    const named = { ...trouble, id: 's' };
    await using other = await startServer((_request, response) => sendJson(response, 200, named));
    await using whole = clientFor(other);
    expect(await whole.call('getSpace', space)).toEqual(named);
  });

  it('does not take a part of an answer for the whole, though it is JSON', async () => {
    const { error } = await failing((_request, response) => sendJson(response, 206, { items: [] }));
    expect(error).toMatchObject({ code: 'DM_BAD_RESPONSE', status: 206 });
    expect(error.message).toContain('answered 206, a part of the answer; expected the whole');
  });

  it('takes a tree of any size that may be, and no other answer that would fill the memory', async () => {
    const large = `{"object":"revision","id":"r","pages":[],"files":[],"reusableContents":[],"x":"${'x'.repeat(2 ** 26)}"}`;
    await using server = await startServer((_request, response) => response.end(large));
    await using client = clientFor(server, { limits: { retries: 1 } });
    expect(await client.call('getRevision', space)).toMatchObject({ id: 'r' });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({
      code: 'DM_BAD_RESPONSE',
      message: expect.stringContaining('a body of more than 67108864 bytes') as string,
    });
    expect(server.seen).toHaveLength(2);
  });

  it('makes no room for a body that is announced as larger than it may be', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 50) }).write('x'.repeat(2000));
    });
    await using client = clientFor(server);
    const error = await rejection(client.callRaw('getSpace', space, { mostBytes: 1000 }));
    expect(error).toMatchObject({ code: 'DM_BAD_RESPONSE', message: expect.stringContaining('1000 bytes') as string });
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['BR', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
    ['deflate, gzip', (bytes: Buffer) => gzipSync(deflateSync(bytes))],
  ])('takes an answer that is compressed (%s), unasked: no walk could begin', async (coding, compress) => {
    await using server = await startServer((_request, response, number) => {
      response.writeHead(number === 1 ? 200 : 404, { 'content-encoding': coding });
      response.end(compress(Buffer.from(number === 1 ? '{"id":"s"}' : '{"error":{"code":404,"message":"not here"}}')));
    });
    await using client = clientFor(server);
    expect(await client.call('getSpace', space)).toEqual({ id: 's' });
    expect(await rejection(client.call('getSpace', space))).toMatchObject({ platformMessage: 'not here' });
  });

  it('passes over a byte order mark: perfect JSON was shown as what is none', async () => {
    await using server = await startServer((_request, response, number) => {
      const said = number === 1 ? '{"id":"s"}' : '{"error":{"message":"not here"}}';
      response.writeHead(number === 1 ? 200 : 404).end(`\ufeff${said}`);
    });
    await using client = clientFor(server);
    expect(await client.call('getSpace', space)).toEqual({ id: 's' });
    expect(await rejection(client.call('getSpace', space))).toMatchObject({ platformMessage: 'not here' });
  });

  it('names an answer that is compressed, unasked, in a way that it cannot decode', async () => {
    const asked: unknown[] = [];
    await using server = await startServer((_request, response) => {
      asked.push(response.req.headers['accept-encoding']);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"id":"s"}').subarray(0, 20));
    });
    await using client = clientFor(server, { limits: { retries: 0 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_BAD_RESPONSE' });
    expect(String(error)).toContain('answered a body that is compressed (gzip), unasked; expected plain JSON');
    expect(asked).toEqual(['identity']);
  });

  it('asks again for a compressed answer that breaks off, as for one of JSON: it was given up at once', async () => {
    const whole = gzipSync('{"id":"s"}');
    await using server = await startServer((_request, response, number) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(number === 1 ? whole.subarray(0, 20) : whole);
    });
    await using client = clientFor(server);
    expect(await client.call('getSpace', space)).toEqual({ id: 's' });
  });

  it('names an empty answer', async () => {
    const { error } = await failing((_request, response) => void response.writeHead(204).end());
    expect(error.message).toContain('answered 204 with an empty body; expected JSON');
  });

  it.each([
    [401, 'DM_TOKEN_REFUSED'],
    [403, 'DM_FORBIDDEN'],
    [404, 'DM_NOT_FOUND'],
    [409, 'DM_HTTP_STATUS'],
    [500, 'DM_HTTP_STATUS'],
  ])('turns status %i into %s with the message of the platform', async (status, code) => {
    const { error } = await failing((_request, response) => sendError(response, status));
    expect(error).toMatchObject({ code, status, operation: 'getSpace', method: 'GET', target: '/v1/spaces/space-1' });
    expect(error.message).toContain(`"refused with ${status}"`);
    expect(error.platformMessage).toBe(`refused with ${status}`);
    expect(error.hint).not.toBe('');
  });

  it.each([200, 403, 404])('takes a web page with status %i for a wrong address, not for an answer', async (status) => {
    const { error } = await failing((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end('<!doctype html>\n<title>Sign in</title>');
    }, 3);
    expect(error).toMatchObject({ code: 'DM_NOT_JSON', status, attempts: 1, sent: status === 200 });
    expect(error.message).toContain('text/html that begins "<!doctype html> <title>Sign in');
  });

  it('takes a web page with status 401 for a refusal of the token, as a gateway shows one that has expired', async () => {
    const { error } = await failing((_request, response) => {
      response.writeHead(401, { 'content-type': 'text/html' });
      response.end('<!doctype html>\n<title>Sign in</title>');
    });
    expect(error).toMatchObject({ code: 'DM_TOKEN_REFUSED', status: 401 });
  });

  it.each([408, 429, 500, 502])('asks again after the web page of a proxy with status %i', async (status) => {
    await using server = await startServer((_request, response, number) => {
      if (number > 1) return sendJson(response, 200, { id: 's' });
      response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '0' });
      return response.end('<!doctype html><title>Later</title>');
    });
    await using client = clientFor(server, { limits: { retries: 1 } });
    expect(await client.call('getSpace', space)).toEqual({ id: 's' });
  });

  it('takes an empty answer where a resource is due for an error', async () => {
    const { error } = await failing((_request, response) => sendJson(response, 200, undefined));
    expect(error.code).toBe('DM_NOT_JSON');
  });

  it('does not repeat what the platform does not implement', async () => {
    const { error, requests } = await failing((_request, response) => sendError(response, 501), 3);
    expect(error).toMatchObject({ code: 'DM_HTTP_STATUS', status: 501, sent: false, retryable: false });
    expect(requests).toBe(1);
  });

  it('reads again after JSON that breaks off, and says so when it stays broken', async () => {
    const { error, requests } = await failing((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"id":"spa');
    }, 2);
    expect(error).toMatchObject({ code: 'DM_NOT_JSON', attempts: 3 });
    expect(requests).toBe(3);
  });

  it('does not follow a redirect, and names where it leads', async () => {
    const { error, requests } = await failing((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere?signature=abc' });
      response.end();
    }, 3);
    expect(error).toMatchObject({ code: 'DM_REDIRECT_REFUSED', status: 302, sent: false });
    expect(error.message).toContain('http://127.0.0.1:1/elsewhere?signature=hidden');
    expect(error.message).toContain('the token is not sent elsewhere');
    expect(requests).toBe(1);
  });

  it('names no other base address for a redirect within the platform, which is asked there already', async () => {
    const { error, requests } = await failing((_request, response) => {
      response.writeHead(302, { location: '/login?next=%2Fv1' });
      response.end();
    }, 3);
    expect([error.code, requests]).toEqual(['DM_REDIRECT_REFUSED', 1]);
    expect(error.message).toMatch(/a redirect to http:.*\/login\?next=\S+; expected an answer: a call follows none$/);
    expect(error.hint).toContain('Where that is a login page, check the token');
  });

  it('says that nobody listens, and how often it tried', async () => {
    const server = await startServer(() => undefined);
    await server[Symbol.asyncDispose]();
    await using client = clientFor(server, { limits: { retries: 2 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_UNREACHABLE', status: null, attempts: 3, sent: false });
    expect(String(error)).toContain('ECONNREFUSED');
  });

  it('says in plain words that the address begins with https:// where no TLS is spoken', async () => {
    await using server = await startServer(() => undefined);
    await using client = clientFor({ url: server.url.replace('http:', 'https:') }, { limits: { retries: 0 } });
    const error = await rejection(client.call('getSpace', space));
    expect(error).toMatchObject({ code: 'DM_UNREACHABLE', sent: false });
    expect(String(error)).toContain(
      'what answers there does not speak TLS: the address may have to begin with http://',
    );
    expect(String(error)).not.toContain('ssl3_get_record');
  });

  it('names the variable for a certificate that an authority of the house has signed', () => {
    for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']) {
      const unknown = Object.assign(new Error('unable to get local issuer certificate'), { code });
      expect(networkReason(new AggregateError([unknown]), 'https://docs.example')).toContain('NODE_EXTRA_CA_CERTS');
    }
  });

  it('names the limit on open files where that lets nothing be reached: network and platform were to be looked at', () => {
    const full = Object.assign(new Error('connect EMFILE 127.0.0.1:80'), { code: 'EMFILE' });
    expect(networkReason(full, 'http://docs.example')).toContain('raise the limit (ulimit -n');
  });

  it('ends a request that is not answered in time, and its connection with it', async () => {
    const clock = manualClock(1_700_000_000_000);
    let isOpen = false;
    await using server = await startServer((_request, response) => {
      isOpen = true;
      response.on('close', () => (isOpen = false));
      response.writeHead(200).write('{');
    });
    await using client = clientFor(server, { clock, limits: { retries: 0, timeoutMs: 3_600_000 } });
    const call = rejection(client.call('getSpace', space));
    await until(() => server.seen.length === 1);
    await clock.advance(3_600_000);
    expect(await call).toMatchObject({ code: 'DM_TIMEOUT', sent: true, retryable: true });
    await until(() => !isOpen);
  });

  it('sends nothing any more when it was ended while it connected', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 's' }));
    await using client = clientFor(server, { limits: { concurrency: 1 } });
    const ended = new AbortController();
    const writing = client.call('updateSpace', { ...space, body: {} }, { signal: ended.signal });
    // The event loop has no turn meanwhile, and so no connection is made.
    for (let step = 0; step < 50; step++) await Promise.resolve();
    ended.abort(new Error('stop now'));
    expect(await rejection(writing)).toMatchObject({ message: 'stop now' });
    await client.call('getSpace', space);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  it('ends what is asked through a client that ends with a signal, and nothing else', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 's', items: [] }));
    await using client = clientFor(server);
    const ended = new AbortController();
    const ending = endingWith(client, ended.signal);
    await ending.call('getSpace', space);
    ended.abort(new Error('stop now'));
    const listing = ending.paginate('listOrganizations', {})[Symbol.asyncIterator]();
    expect(await rejection(ending.call('getSpace', space))).toMatchObject({ message: 'stop now' });
    expect(await rejection(listing.next())).toMatchObject({ message: 'stop now' });
    await client.call('getSpace', space);
    expect(server.seen).toHaveLength(2);
    expect(ending.meter.requests).toBe(client.meter.requests);
  });

  it('never shows the token: not in errors, not in their causes, not in the client itself', async () => {
    const echo: Handler = (request, response) => {
      const message = `bad header ${request.authorization} for https://x.example/?key=${TOKEN}`;
      sendJson(response, { status: 400, headers: { location: `/${TOKEN}` } }, { error: { code: 400, message } });
    };
    const { error } = await failing(echo);
    const html = await failing((request, response) => response.end(`<p>${request.authorization}</p>`));
    await using client = clientFor({ url: 'http://127.0.0.1:9' });
    for (const thing of [error, html.error, client]) {
      expect(inspect(thing, { depth: 12, showHidden: true })).not.toContain(TOKEN);
      expect(JSON.stringify(thing)).not.toContain(TOKEN);
    }
    expect(error.message).toContain('Bearer hidden');
  });

  it('never shows the token in another writing, as a refusal may say it back: it stood in the log and on the status page', () => {
    const token = 'a+b/c=d?e_f~';
    const known = new Credentials(Secret.of(token), { origin: 'http://x', places: null });
    const written = [
      token,
      encodeURIComponent(token),
      encodeURIComponent(token).toLowerCase(),
      Buffer.from(token).toString('base64'),
      Buffer.from(token).toString('base64url'),
    ];
    for (const form of written)
      expect(known.shown(`no access for ${form} here`, 99)).toMatch(/^no access for hidden=* here$/);
    expect(known.shown('no access', 99)).toBe('no access');
    // Of so few letters it stands in any word.
    const short = new Credentials(Secret.of('acc'), { origin: 'http://x', places: null });
    expect(short.shown('no access', 99)).toBe('no access');
  });

  it('refuses a base address that is no http address', () => {
    for (const url of ['ftp://x', 'nonsense', 'http://user:pass@host']) {
      expect(() => clientFor({ url })).toThrow(expect.objectContaining({ code: 'DM_CONFIG_INVALID' }));
    }
  });

  it('counts requests, bytes and retries, and tells each request', async () => {
    const told: string[] = [];
    await using server = await startServer((_request, response, number) =>
      number === 1 ? sendError(response, 503) : sendJson(response, 200, { id: 's' }),
    );
    await using client = clientFor(server, {
      onRequest: (info) => told.push(`${info.operation} ${info.target} ${info.status} ${info.bytes}`),
    });
    await client.call('getSpace', space);
    expect(told).toEqual(['getSpace /v1/spaces/space-1 503 51', 'getSpace /v1/spaces/space-1 200 10']);
    expect(client.meter).toMatchObject({ requests: 2, bytes: 61, retries: 1 });
    expect(client.meter.byOperation.get('getSpace')).toEqual({ requests: 2, bytes: 61 });
  });

  it('tells with each request what the platform said of its limit', async () => {
    const told: unknown[] = [];
    await using server = await startServer((_request, response, number) => {
      if (number === 1) {
        response.setHeader('x-ratelimit-limit', '100');
        response.setHeader('x-ratelimit-remaining', '41');
        response.setHeader('x-ratelimit-reset', '60');
      }
      sendJson(response, 200, { id: 's' });
    });
    await using client = clientFor(server, { onRequest: ({ rate }) => told.push(rate) });
    await client.call('getSpace', space);
    await client.call('getSpace', space);
    expect(told).toEqual([expect.objectContaining({ limit: 100, remaining: 41 }), null]);
  });

  it('ends what waits and what is under way when it is closed', async () => {
    await using server = await startServer(() => undefined);
    const client = clientFor(server, { limits: { concurrency: 1, retries: 0 } });
    const calls = [1, 2, 3].map(() => rejection(client.call('getSpace', space)));
    await until(() => server.seen.length === 1);
    await client[Symbol.asyncDispose]();
    const codes = (await Promise.all(calls)).map((error) =>
      error instanceof Error && 'code' in error ? error.code : null,
    );
    expect(codes).toEqual(['DM_INTERRUPTED', 'DM_INTERRUPTED', 'DM_INTERRUPTED']);
  });
});
