import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { PageSizes } from '../../src/client/page-sizes.ts';
import { readPages, type ListEnvelope } from '../../src/client/paginate.ts';
import type { RawInput } from '../../src/client/types.ts';
import { clientFor, rejection, sendError, sendJson, startServer, type Handler } from './support.ts';

const input = { path: { spaceId: 's' } };

interface Outcome {
  ids: string[];
  error: unknown;
  urls: string[];
}

async function read(
  handler: Handler,
  options: Parameters<ApiClient['paginate']>[2] = {},
  listed: 'listComments' | 'listSpaceLinks' = 'listComments',
): Promise<Outcome> {
  await using server = await startServer(handler);
  await using client = clientFor(server, { limits: { retries: 0 } });
  const ids: string[] = [];
  let error: unknown = null;
  try {
    for await (const page of client.paginateRaw(listed, input, options))
      ids.push(...page.items.map((item) => String(item['id'] ?? item['name'])));
  } catch (caught) {
    error = caught;
  }
  return { ids, error, urls: server.seen.map((request) => request.url.replace('/v1/spaces/s/comments', '')) };
}

function parameter(url: string, name: string): string | null {
  return new URL(url, 'http://x').searchParams.get(name);
}

/** Items 0..total-1 with a token that is the next offset. */
function listing(total: number, refuses: (limit: number) => number | null = () => null): Handler {
  return (request, response) => {
    const limit = Number(parameter(request.url, 'limit') ?? 2);
    const offset = Number(parameter(request.url, 'page') ?? 0);
    const status = refuses(limit);
    if (status !== null) return sendError(response, status);
    const end = Math.min(offset + limit, total);
    const items = Array.from({ length: end - offset }, (_, index) => ({ id: String(offset + index) }));
    return sendJson(response, 200, { items, count: total, ...(end < total ? { next: { page: String(end) } } : {}) });
  };
}

/** What is shown for each size of a page; only the first page of four items comes through. */
function breaking(shown: (limit: number) => object[]): Handler {
  return (request, response) => {
    const limit = Number(parameter(request.url, 'limit'));
    const offset = Number(parameter(request.url, 'page') ?? 0);
    if (limit === 4 && offset > 0) return sendError(response, 500);
    const [items, end] = [shown(limit), offset + limit];
    const next = end < items.length ? { next: { page: String(end) } } : {};
    return sendJson(response, 200, { items: items.slice(offset, end), ...next });
  };
}

describe('client/paginate', () => {
  it('reads page after page until there is no next', async () => {
    const outcome = await read(listing(5));
    expect(outcome).toEqual({ ids: ['0', '1', '2', '3', '4'], error: null, urls: ['', '?page=2', '?page=4'] });
  });

  it('reads an empty listing as one empty page with its count', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { items: [], count: 0 }));
    await using client = clientFor(server);
    const pages = [];
    for await (const page of client.paginateRaw('listComments', input)) pages.push(page);
    expect(pages).toEqual([{ items: [], count: 0 }]);
  });

  it('asks once more where fewer were sent than are counted, and hands on each once: a restore made anew what was left out', async () => {
    const sent = [['a'], ['a', 'b', 'c'], ['a']].map((ids) => ids.map((id) => ({ id })));
    const cut = (): Handler => {
      let asked = 0;
      return (_request, response) => sendJson(response, 200, { items: sent[asked++], count: 3 });
    };
    expect(await read(cut())).toMatchObject({ ids: ['a', 'b', 'c'], error: null, urls: ['', ''] });
    expect(await read(cut(), { isCountIgnored: true })).toMatchObject({ ids: ['a'], error: null, urls: [''] });
  });

  it('asks once more where one came twice and another not at all: as many came as are counted, and the one that is there passed for missing', async () => {
    // As of a listing whose order is not the same for each of its pages.
    const pages = [
      ['a', 'b'],
      ['b', 'd'],
      ['a', 'b'],
      ['c', 'd'],
    ].map((ids) => ids.map((id) => ({ id })));
    const outcome = await read((request, response, number) => {
      const next = parameter(request.url, 'page') === null ? { next: { page: '2' } } : {};
      sendJson(response, 200, { items: pages[number - 1], count: 4, ...next });
    });
    expect(outcome).toMatchObject({ error: null, urls: ['', '?page=2', '', '?page=2'] });
    expect(new Set(outcome.ids)).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  it('hands on a page of any length in pieces: who gathered them ended in an error of the stack', async () => {
    const items = Array.from({ length: 300_000 }, (_, index) => ({ id: String(index) }));
    const outcome = await read((_request, response) => sendJson(response, 200, { items }));
    expect([outcome.error, outcome.ids.length, outcome.ids.at(-1)]).toEqual([null, 300_000, '299999']);
  });

  it('refuses a listing that goes round', async () => {
    const outcome = await read((request, response) => {
      const next = parameter(request.url, 'page') === 'a' ? 'b' : 'a';
      sendJson(response, 200, { items: [{ id: next }], next: { page: next } });
    });
    expect(outcome.error).toMatchObject({ code: 'DM_PAGING_LOOP', operation: 'listComments' });
    expect(outcome.urls).toHaveLength(3);
  });

  it('refuses a listing that does not end', async () => {
    const endless: Handler = (_request, response, number) =>
      sendJson(response, 200, { items: [{ id: 'x' }], next: { page: String(number) } });
    const outcome = await read(endless, { maxPages: 20 });
    expect(outcome.error).toMatchObject({ code: 'DM_PAGING_ENDLESS' });
    expect(outcome.urls).toHaveLength(20);
  });

  it('ends soon with a listing that goes round under tokens that are always new', async () => {
    const outcome = await read((_request, response, number) =>
      sendJson(response, 200, { items: [{ id: String(number % 3) }], next: { page: `token ${number}` } }),
    );
    expect(outcome.error).toMatchObject({ code: 'DM_PAGING_ENDLESS' });
    expect(outcome.error).toHaveProperty('message', expect.stringContaining('that it had sent before'));
    expect(outcome.urls.length).toBeLessThan(200);
  });

  it('reads links to their end of which hundreds are alike, one to a page: it took them for a listing that goes round', async () => {
    const outcome = await read(
      (_request, response, number) =>
        sendJson(response, 200, {
          items: [{ target: number > 100 ? 'the same' : number }],
          ...(number < 400 ? { next: { page: `token ${number}` } } : {}),
        }),
      {},
      'listSpaceLinks',
    );
    expect(outcome.error).toBeNull();
    expect(outcome.urls).toHaveLength(400);
  });

  it('reads a long listing to its end in which some pages look alike', async () => {
    const outcome = await read((_request, response, number) =>
      sendJson(response, 200, {
        items: [{ id: String(number % 5 === 0 ? number : 0) }],
        ...(number < 300 ? { next: { page: `token ${number}` } } : {}),
      }),
    );
    expect(outcome.error).toBeNull();
    expect(outcome.ids).toHaveLength(300);
  });

  it('refuses a listing that goes on without adding anything', async () => {
    const outcome = await read((_request, response, number) =>
      sendJson(response, 200, { items: [], next: { page: String(number) } }),
    );
    expect(outcome.error).toMatchObject({ code: 'DM_PAGING_ENDLESS' });
    expect(outcome.urls).toHaveLength(1000);
  });

  it('ends a listing in which many pages have no items, but not so many in a row', async () => {
    const pages = 2100;
    const items = (at: number): Record<string, unknown>[] => (at % 2 === 0 ? [] : [{ id: String(at) }]);
    const readAt = ({ query = {} }: RawInput): Promise<ListEnvelope> => {
      const at = Number(query['page'] ?? 1);
      return Promise.resolve({ items: items(at), ...(at < pages ? { next: { page: String(at + 1) } } : {}) });
    };
    const listed = { operation: 'listComments', path: '/comments', sizes: new PageSizes(), read: readAt };
    let sent = 0;
    for await (const page of readPages(listed, input, {})) sent += page.items.length;
    expect(sent).toBe(pages / 2);
  });

  it.each([
    ['no items', { object: 'list' }],
    ['items that are no list', { items: {} }],
    ['items that are no objects', { items: [{ id: 'a' }, 'b'] }],
    ['a next without a token', { items: [], next: {} }],
    ['a next without a token, while it counts more than it has sent', { count: 2, items: [{ id: 'a' }], next: {} }],
    ['a next that is no object', { count: 0, items: [], next: 'more' }],
    ['a token that is no text', { count: 0, items: [], next: { page: 7 } }],
    ['a list instead of the envelope', []],
  ])('refuses an answer with %s', async (_name, body) => {
    const outcome = await read((_request, response) => sendJson(response, 200, body));
    expect(outcome.error).toMatchObject({ code: 'DM_BAD_RESPONSE' });
  });

  it.each([{}, { page: null }, { page: '' }])(
    'ends where a listing has sent as many as it counts, and says %j of what follows: no walk could begin',
    async (last) => {
      let number = 0;
      const outcome = await read((_request, response) => {
        number += 1;
        const next = number === 3 ? last : { page: `token ${number}` };
        sendJson(response, 200, { count: 3, items: [{ id: `item ${number}` }], next });
      });
      expect(outcome).toMatchObject({ error: null, ids: ['item 1', 'item 2', 'item 3'] });
    },
  );

  it.each([400, 413, 500])('halves the size of pages that fail with %i', async (status) => {
    const outcome = await read(
      listing(70, (limit) => (limit > 40 ? status : null)),
      { pageSize: 64 },
    );
    expect(outcome.error).toBeNull();
    expect(outcome.ids).toHaveLength(70);
    expect(outcome.urls.map((url) => parameter(url, 'limit'))).toEqual(['64', '32', '32', '32']);
  });

  it('asks for a size that the platform refuses once: each listing tried 1000, 500, 250 and 125 first', async () => {
    await using server = await startServer(listing(250, (limit) => (limit > 100 ? 400 : null)));
    await using client = clientFor(server, { limits: { retries: 0 } });
    const ids = async (pageSize: number): Promise<number> => {
      let items = 0;
      for await (const page of client.paginate('listComments', input, { pageSize })) items += page.items.length;
      return items;
    };
    const sizes = (): (string | null)[] => server.seen.splice(0).map(({ url }) => parameter(url, 'limit'));
    expect([await ids(1000), sizes()]).toEqual([250, ['1000', '500', '250', '100', '100', '100']]);
    expect([await ids(1000), sizes()]).toEqual([250, ['100', '100', '100']]);
    expect([await ids(50), sizes()]).toEqual([250, ['50', '50', '50', '50', '50']]);
  });

  it('takes what fails amid a listing, or by its size in bytes, for a matter of that listing alone', async () => {
    for (const [status, from] of [
      [400, 64],
      [413, 0],
    ] as const) {
      const whole = listing(70);
      await using server = await startServer((request, response, number) => {
        const isLarge = parameter(request.url, 'limit') === '64' && request.url.includes('/one/');
        const isFailing = Number(parameter(request.url, 'page') ?? 0) === from;
        return isLarge && isFailing ? sendError(response, status) : whole(request, response, number);
      });
      await using client = clientFor(server, { limits: { retries: 0 } });
      for (const spaceId of ['one', 'two']) {
        server.seen.splice(0);
        const asked = { path: { spaceId } };
        for await (const _page of client.paginate('listComments', asked, { pageSize: 64 }));
      }
      expect(server.seen.map(({ url }) => parameter(url, 'limit'))).toEqual(['64', '64']);
    }
  });

  it('asks for smaller pages where one is of tens of megabytes, and takes it where there are none: a few at once filled the memory', async () => {
    const wide = 'x'.repeat(6 * 1024 * 1024);
    const items = Array.from({ length: 4 }, (_, index) => ({ id: String(index), wide }));
    const paged =
      (coding: string, code: (body: string) => string | Buffer): Handler =>
      (request, response) => {
        const limit = Number(parameter(request.url, 'limit'));
        const offset = Number(parameter(request.url, 'page') ?? 0);
        const end = Math.min(offset + limit, items.length);
        const next = end < items.length ? { next: { page: String(end) } } : {};
        const body = JSON.stringify({ items: items.slice(offset, end), count: items.length, ...next });
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(code(body));
      };
    const plain = paged('identity', (body) => body);
    for (const handler of [plain, paged('gzip', (body) => gzipSync(body, { level: 1 }))]) {
      const halved = await read(handler, { pageSize: 4 });
      expect([halved.error, halved.ids]).toEqual([null, ['0', '1', '2', '3']]);
      expect(halved.urls.map((url) => parameter(url, 'limit'))).toEqual(['4', '2', '2']);
    }
    items.splice(1);
    items[0] = { id: '0', wide: wide.repeat(4) };
    expect(await read(plain, { pageSize: 1 })).toMatchObject({ error: null, ids: ['0'] });
  });

  it('reads all of a listing whose tokens are numbers of pages, when one of these is read with half the size', async () => {
    let failed = false;
    const outcome = await read(
      (request, response) => {
        const limit = Number(parameter(request.url, 'limit'));
        const number = Number(parameter(request.url, 'page') ?? 1);
        if (number === 2 && !failed) {
          failed = true;
          return sendError(response, 500);
        }
        const offset = (number - 1) * limit;
        const items = Array.from({ length: Math.min(limit, 22 - offset) }, (_, index) => ({
          id: String(offset + index),
        }));
        const next = offset + limit < 22 ? { next: { page: String(number + 1) } } : {};
        return sendJson(response, 200, { items, count: 22, ...next });
      },
      { pageSize: 8 },
    );
    expect(outcome.error).toBeNull();
    expect(outcome.ids).toEqual(Array.from({ length: 22 }, (_, index) => String(index)));
  });

  it('stops halving after a bound and reports the first failure', async () => {
    const outcome = await read(
      listing(5000, () => 400),
      { pageSize: 1000 },
    );
    expect(outcome.error).toMatchObject({
      code: 'DM_HTTP_STATUS',
      status: 400,
      target: '/v1/spaces/s/comments?limit=1000',
    });
    expect(outcome.urls).toHaveLength(7);
  });

  it('halves the size of pages that break off: one that was always cut ended the walk', async () => {
    const whole = listing(70);
    const outcome = await read(
      (request, response, number) => {
        if (Number(parameter(request.url, 'limit')) <= 40) return whole(request, response, number);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        return void response.write('{"items":[', () => response.destroy());
      },
      { pageSize: 64 },
    );
    expect([outcome.error, outcome.ids.length]).toEqual([null, 70]);
    expect(outcome.urls.map((url) => parameter(url, 'limit'))).toEqual(['64', '32', '32', '32']);
  });

  it('does not halve for a platform that does not answer', async () => {
    const outcome = await read((_request, response) => void response.destroy(), { pageSize: 64 });
    expect(outcome.error).toMatchObject({ code: 'DM_UNREACHABLE' });
    expect(outcome.urls).toHaveLength(1);
  });

  it.each([
    [403, 'DM_FORBIDDEN'],
    [501, 'DM_HTTP_STATUS'],
  ])('does not halve for a refusal, %i', async (status, code) => {
    const outcome = await read(
      listing(5, () => status),
      { pageSize: 64 },
    );
    expect(outcome.error).toMatchObject({ code });
    expect(outcome.urls).toHaveLength(1);
  });

  it('ends with the reason of the signal', async () => {
    await using server = await startServer(listing(100));
    await using client = clientFor(server);
    const controller = new AbortController();
    const pages = client.paginate('listComments', input, { signal: controller.signal })[Symbol.asyncIterator]();
    await pages.next();
    const reason = new Error('stop now');
    controller.abort(reason);
    expect(await rejection(pages.next())).toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  it.each([
    ['id', 'listComments'],
    ['name', 'listSpaceLinks'],
  ] as const)(
    'hands on each item once, known by its %s, where it begins again with smaller pages',
    async (field, listed) => {
      const handler = breaking(() => NAMES.map((name) => ({ [field]: name })));
      const found = await read(handler, { pageSize: 4 }, listed);
      expect([found.error, found.ids]).toEqual([null, NAMES]);
    },
  );

  it('hands on every item that stays where one goes as it begins again with smaller pages: as many as were handed on were left out, and another with them', async () => {
    const shown = (limit: number): object[] => NAMES.filter((id) => limit === 4 || id !== 'b').map((id) => ({ id }));
    expect(await read(breaking(shown), { pageSize: 4 })).toMatchObject({ error: null, ids: NAMES });
  });

  it('ends with the reason of the signal while it reads smaller pages: what had failed before was told in its place', async () => {
    const controller = new AbortController();
    const reason = new Error('stop now');
    const outcome = await read(
      (_request, response, number) => {
        if (number === 1) return sendError(response, 500);
        return controller.abort(reason);
      },
      { pageSize: 64, signal: controller.signal },
    );
    expect(outcome.error).toBe(reason);
    expect(outcome.urls).toHaveLength(2);
  });
});
