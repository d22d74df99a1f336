import { Agent, request, type Dispatcher } from 'undici';
import { isAbort, safeUrl, type Clock } from '../../base/index.ts';
import { NotKept, takeDownload, type Download } from './download.ts';
import { createAddressGuard, type AddressGuard } from './address-guard.ts';
import type { ImportLimits } from './limits.ts';
import { ImportRefused } from './refused.ts';

export interface SourceRequest {
  url: string;
  clock: Clock;
  allowedHosts: readonly string[];
  limits: ImportLimits;
  signal?: AbortSignal;
}

/** A source of any size. */
export interface LargeSourceRequest extends SourceRequest {
  /** Path of a file that it may go to meanwhile; without, it is held. */
  spool?: string | undefined;
}

/** What the address of an import answered; `url` is where the redirects led. */
export interface FetchedSource {
  url: URL;
  bytes: Buffer;
  /** The encoding of a text, where the server named one. */
  charset?: string;
}

/** Downloads the source into memory within the limits. Throws ImportRefused, or the signal's reason when the caller aborted. */
export function fetchSource(source: SourceRequest): Promise<FetchedSource> {
  return fetchBy(source, async ({ url, chunks, charset }) => {
    const held: Buffer[] = [];
    for await (const chunk of chunks) held.push(chunk);
    return { url, bytes: Buffer.concat(held), ...charset };
  });
}

/** Downloads the source as fetchSource does, without holding a large one. Throws NotKept, too. */
export function fetchLarge(source: LargeSourceRequest): Promise<Download> {
  return fetchBy(source, ({ chunks }) => takeDownload(chunks, source.spool));
}

async function fetchBy<Taken>(source: SourceRequest, take: Take<Taken>): Promise<Taken> {
  const guard = createAddressGuard(source.allowedHosts);
  const agent = new Agent({ connect: { lookup: guard.lookup }, pipelining: 1 });
  const abort = new AbortController();
  using _timer = source.clock.after(source.limits.timeoutMs, () => abort.abort());
  const signal = source.signal ? AbortSignal.any([source.signal, abort.signal]) : abort.signal;
  try {
    return await follow(source, { guard, agent, signal, take });
  } catch (error) {
    source.signal?.throwIfAborted();
    throw error instanceof NotKept ? error : explain(error, source);
  } finally {
    await agent.destroy();
  }
}

/** What an address answers, while it comes. */
interface Answered {
  url: URL;
  charset: Pick<FetchedSource, 'charset'>;
  chunks: AsyncIterable<Buffer>;
}

type Take<Taken> = (answered: Answered) => Promise<Taken>;

interface Connection<Taken> {
  guard: AddressGuard;
  agent: Agent;
  signal: AbortSignal;
  take: Take<Taken>;
}

async function follow<Taken>(source: SourceRequest, { guard, agent, signal, take }: Connection<Taken>): Promise<Taken> {
  let url = readUrl(source.url);
  for (let hop = 0; hop <= source.limits.redirects; hop++) {
    guard.checkHost(url.hostname);
    const answer = await request(url, { dispatcher: agent, signal, headers: { 'accept-encoding': 'identity' } });
    const target = redirectTarget(answer, url);
    if (!target) {
      const chunks = chunksOf(answer, source.limits.downloadBytes, url);
      return take({ url, charset: charsetOf(answer), chunks });
    }
    await answer.body.dump();
    url = readUrl(target);
  }
  throw new ImportRefused(`url: more than ${source.limits.redirects} redirects from ${safeUrl(source.url)}`, {
    hint: 'Give the address at which the redirects end.',
  });
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new ImportRefused(`url: expected an http or https address, seen ${safeUrl(text)}`, {
    hint: 'Give an address that starts with http:// or https://.',
  });
}

function redirectTarget(answer: Dispatcher.ResponseData, from: URL): string | undefined {
  const location = answer.headers['location'];
  if (answer.statusCode < 300 || answer.statusCode > 399 || typeof location !== 'string') return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from).href : location;
}

function charsetOf({ headers }: Dispatcher.ResponseData): Pick<FetchedSource, 'charset'> {
  const [, charset] = /\bcharset\s*=\s*"?([^\s";]+)/i.exec(String(headers['content-type'] ?? '')) ?? [];
  return charset === undefined ? {} : { charset };
}

async function* chunksOf(answer: Dispatcher.ResponseData, limit: number, url: URL): AsyncGenerator<Buffer> {
  if (answer.statusCode !== 200) {
    throw new ImportRefused(`url: ${safeUrl(url)} answered ${answer.statusCode}; expected 200`, {
      hint: 'Check that the address is right and can be read without a token.',
    });
  }
  let size = 0;
  for await (const chunk of answer.body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > limit) throw tooLarge(url, limit);
    yield bytes;
  }
}

function tooLarge(url: URL, limit: number): ImportRefused {
  return new ImportRefused(`url: ${safeUrl(url)} is larger than ${limit} bytes`, {
    hint: 'Split the import into several smaller ones.',
  });
}

function explain(error: unknown, source: SourceRequest): ImportRefused {
  if (error instanceof ImportRefused) return error;
  const where = safeUrl(source.url);
  if (isAbort(error)) {
    return new ImportRefused(`url: ${where} was not read within ${source.limits.timeoutMs} ms`, {
      hint: 'Try again, or serve the import from a faster host.',
      cause: error,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ImportRefused(`url: ${where} could not be read: ${reason}`, {
    hint: 'Check that the address is right and that the platform can reach it.',
    cause: error,
  });
}
