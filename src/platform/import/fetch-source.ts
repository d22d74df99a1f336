import { Agent, request, type Dispatcher } from 'undici';
import { isAbort, safeUrl, type Clock } from '../../base/index.ts';
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

/** What the address of an import answered; `url` is where the redirects led. */
export interface FetchedSource {
  url: URL;
  bytes: Buffer;
  /** The encoding of a text, where the server named one. */
  charset?: string;
}

/** Downloads the source into memory within the limits. Throws ImportRefused, or the signal's reason when the caller aborted. */
export async function fetchSource(source: SourceRequest): Promise<FetchedSource> {
  const guard = createAddressGuard(source.allowedHosts);
  const agent = new Agent({ connect: { lookup: guard.lookup }, pipelining: 1 });
  const abort = new AbortController();
  using _timer = source.clock.after(source.limits.timeoutMs, () => abort.abort());
  const signal = source.signal ? AbortSignal.any([source.signal, abort.signal]) : abort.signal;
  try {
    return await follow(source, { guard, agent, signal });
  } catch (error) {
    source.signal?.throwIfAborted();
    throw explain(error, source);
  } finally {
    await agent.destroy();
  }
}

interface Connection {
  guard: AddressGuard;
  agent: Agent;
  signal: AbortSignal;
}

async function follow(source: SourceRequest, { guard, agent, signal }: Connection): Promise<FetchedSource> {
  let url = readUrl(source.url);
  for (let hop = 0; hop <= source.limits.redirects; hop++) {
    guard.checkHost(url.hostname);
    const answer = await request(url, { dispatcher: agent, signal, headers: { 'accept-encoding': 'identity' } });
    const target = redirectTarget(answer, url);
    if (!target) {
      const bytes = await readBody(answer, source.limits.downloadBytes, url);
      return { url, bytes, ...charsetOf(answer) };
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

async function readBody(answer: Dispatcher.ResponseData, limit: number, url: URL): Promise<Buffer> {
  if (answer.statusCode !== 200) {
    throw new ImportRefused(`url: ${safeUrl(url)} answered ${answer.statusCode}; expected 200`, {
      hint: 'Check that the address is right and can be read without a token.',
    });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > limit) throw tooLarge(url, limit);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
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
