// A running platform for tests, and a small caller that speaks its API by operation name.
import yazl from 'yazl';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom, shiftedClock, silentLogger, systemClock, type ShiftedClock } from '../../src/base/index.ts';
import {
  operationOf,
  type AnswerOf,
  type AnyOperationName,
  type ItemOf,
  type PagedOperationName,
} from '../../src/contract/index.ts';
import { startPlatform, type EmbeddedPlatform, type PlatformOptions } from '../../src/platform/index.ts';
import { sharedChecks } from '../support/checks.ts';

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | string[]>;
  body?: unknown;
  token?: string;
}

type Shown<N extends AnyOperationName> = AnswerOf<N> extends undefined ? unknown : AnswerOf<N>;

/** An answer with its documented body, or the error body: each test knows which of the two it looks at. */
export interface Reply<N extends AnyOperationName> {
  status: number;
  headers: Headers;
  body: Shown<N> & { error: { code: number; message: string } };
}

export interface World extends AsyncDisposable {
  platform: EmbeddedPlatform;
  clock: ShiftedClock;
  organization: string;
  call<N extends AnyOperationName>(name: N, input?: Input): Promise<Reply<N>>;
}

export async function createWorld(overrides: Partial<PlatformOptions> = {}): Promise<World> {
  const clock = shiftedClock(systemClock());
  const platform = await startPlatform({
    clock,
    random: seededRandom(7),
    log: silentLogger(),
    database: ':memory:',
    checks: sharedChecks,
    checkAnswers: true,
    ...overrides,
  });
  return {
    platform,
    clock,
    organization: platform.organizations()[0] ?? '',
    call: (name, input) => callPlatform(platform, name, input),
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}

export async function callPlatform<N extends AnyOperationName>(
  platform: { url: string; token: string },
  name: N,
  input: Input = {},
): Promise<Reply<N>> {
  const { method, path } = operationOf(name);
  const target = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(input.path?.[key] ?? 'missing'));
  const query = Object.entries(input.query ?? {}).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [key, String(one)]),
  );
  // Node.js 24 sends an empty query as it stands, others leave it out.
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  const response = await fetch(`${platform.url}${target}${search}`, {
    method,
    headers: { authorization: `Bearer ${input.token ?? platform.token}`, 'content-type': 'application/json' },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  });
  const text = await response.text();
  const body = (text === '' ? undefined : JSON.parse(text)) as Reply<N>['body'];
  return { status: response.status, headers: response.headers, body };
}

/** Every item of a listing, page by page. */
export async function listAll<N extends PagedOperationName>(
  world: Pick<World, 'call'>,
  name: N,
  input: Input & { between?: (pages: number) => Promise<void> } = {},
): Promise<ItemOf<N>[]> {
  const items: ItemOf<N>[] = [];
  let page: string | undefined;
  for (let pages = 1; ; pages++) {
    const query = { ...input.query, ...(page === undefined ? {} : { page }) };
    const reply = await world.call(name, { ...input, query });
    const list = reply.body as unknown as { items: ItemOf<N>[]; next?: { page: string } };
    items.push(...list.items);
    page = list.next?.page;
    if (page === undefined) return items;
    await input.between?.(pages);
  }
}

/** The item at a place that must be there. */
export function at<Item>(items: readonly Item[] | undefined, index: number): Item {
  const item = items?.[index];
  if (item === undefined) throw new Error(`there is no item ${index} among ${items?.length ?? 'no list'}`);
  return item;
}

export interface TestSpace {
  spaceId: string;
  /** Page ids by title. */
  pages: Record<string, string>;
}

/** A space with the given pages in its main content: title -> Markdown. */
export async function spaceWithPages(world: World, pages: Record<string, string>): Promise<TestSpace> {
  const space = await world.call('createSpace', {
    path: { organizationId: world.organization },
    body: { title: 'Space' },
  });
  const spaceId = space.body.id;
  const { body: request } = await world.call('createChangeRequest', { path: { spaceId }, body: { subject: 'Seed' } });
  const path = { spaceId, changeRequestId: request.id };
  const changes = Object.entries(pages).map(([title, markdown]) => ({
    type: 'insert_page',
    title,
    document: { markdown },
  }));
  if (changes.length > 0) await world.call('changeContent', { path, body: { changes } });
  await world.call('mergeChangeRequest', { path });
  const { body: content } = await world.call('getRevision', { path: { spaceId } });
  const found = content.pages.map((page) => [page.title, page.id]);
  return { spaceId, pages: Object.fromEntries(found) };
}

export interface SourceServer extends AsyncDisposable {
  url: string;
}

/** Serves the same bytes to every request, as the source of an import. */
export async function serveBytes(bytes: Buffer): Promise<SourceServer> {
  const server: Server = createServer((_, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/source.zip`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A ZIP with the given files: name -> text or bytes. */
export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Imports the files into the space's main content. */
export async function importFiles(
  world: World,
  spaceId: string,
  files: Record<string, string | Buffer>,
): Promise<Reply<'importContent'>> {
  await using source = await serveBytes(await zipOf(files));
  return await world.call('importContent', { path: { spaceId }, body: { url: source.url, source: 'zip' } });
}
