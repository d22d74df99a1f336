// A platform of several machines: whoever reads is shown everything as it stood some seconds before, a copy of it that follows.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { seededRandom, type Clock } from '../../src/base/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { startPlatform, type EmbeddedPlatform } from '../../src/platform/index.ts';
import { sharedChecks } from './checks.ts';
import type { TestWorld } from './world.ts';

export interface Lagging extends AsyncDisposable {
  readonly url: string;
  /** Reads what lags, and writes. */
  readonly client: ApiClient;
  /** Of the world, without sleep: only what waits lets what was written be shown. */
  readonly clock: Clock;
  /** Milliseconds until a write is shown. */
  lagMs: number;
  /** Is told of each write once it was done, before that is answered: method and path. */
  onWritten: (write: string) => void;
}

export const LAG_MS = 3000;

/** The platform before which it stands, whose database is a file. */
interface Primary {
  readonly platform: Pick<EmbeddedPlatform, 'url' | 'token'>;
  readonly database: string;
}

/** For a world that was made with a database of its own: `TestWorld.create({ database })`. */
export async function lagging(world: TestWorld, { platform, database }: Primary): Promise<Lagging> {
  const clock = world.sleepless;
  const replicas = new Replicas(world, { platform, database });
  const proxy: Pick<Lagging, 'lagMs' | 'onWritten'> = { lagMs: LAG_MS, onWritten: () => undefined };
  replicas.copy();
  const server = createServer((request, response) => {
    const answered = async (): Promise<Response> => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead) return forward(request, await replicas.at(clock.now() - proxy.lagMs));
      return forward(request, platform.url).finally(() => {
        replicas.copy();
        proxy.onWritten(`${request.method ?? ''} ${request.url ?? ''}`);
      });
    };
    const send = async (): Promise<void> => {
      const got = await answered();
      const body = Buffer.from(await got.arrayBuffer());
      response.writeHead(got.status, headersOf(got)).end(body);
    };
    send().catch(() => response.destroy());
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = world.clientOf({ url, token: platform.token });
  return Object.assign(proxy, {
    url,
    client,
    clock,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await replicas[Symbol.asyncDispose]();
    },
  });
}

async function forward(request: IncomingMessage, to: string): Promise<Response> {
  const { method = 'GET', headers } = request;
  const { authorization = '', 'content-type': type } = headers;
  const sent = await new Response(Readable.toWeb(request)).arrayBuffer();
  return fetch(new URL(request.url ?? '/', to), {
    method,
    headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(sent.byteLength === 0 ? {} : { body: sent }),
  });
}

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']);

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !HOP.has(name)));
}

/** Copies of a database, each as a platform of its own once it is asked. */
class Replicas implements AsyncDisposable {
  readonly #world: TestWorld;
  readonly #primary: Primary;
  readonly #folder: string;
  readonly #copies: { readonly at: number; readonly file: string; started: Promise<EmbeddedPlatform> | null }[] = [];

  constructor(world: TestWorld, primary: Primary) {
    this.#world = world;
    this.#primary = primary;
    this.#folder = world.folder();
  }

  /** As everything stands now. */
  copy(): void {
    const file = join(this.#folder, `${this.#copies.length}.db`);
    using db = disposable(new Database(this.#primary.database));
    db.driver.prepare('vacuum into ?').run(file);
    this.#copies.push({ at: this.#world.clock.now(), file, started: null });
  }

  /** The address of the newest copy that is not younger; of the oldest where all are. */
  async at(time: number): Promise<string> {
    const copy = this.#copies.findLast(({ at }) => at <= time) ?? this.#copies[0];
    if (copy === undefined) throw new Error('nothing was copied');
    copy.started ??= this.#start(copy.file);
    return (await copy.started).url;
  }

  #start(database: string): Promise<EmbeddedPlatform> {
    const { clock, log } = this.#world;
    const { token } = this.#primary.platform;
    return startPlatform({ clock, log, token, database, random: seededRandom(5), checks: sharedChecks });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { started } of this.#copies) await (await started)?.[Symbol.asyncDispose]();
  }
}

function disposable(driver: Database.Database): Disposable & { readonly driver: Database.Database } {
  return { driver, [Symbol.dispose]: () => void driver.close() };
}
