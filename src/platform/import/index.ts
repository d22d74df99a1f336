// Reads what an import brings: fetches the address, understands the source, and answers a tree of pages with files.
import type { Clock } from '../../base/index.ts';
import type { ImportedContent, OpenImport } from '../content/imported-content.ts';
import { fetchSource, type FetchedSource, type LargeSourceRequest } from './fetch-source.ts';
import { DEFAULT_LIMITS, type ImportLimits } from './limits.ts';
import { readMarkdownSource } from './markdown-source.ts';
import { ImportRefused } from './refused.ts';
import { readDocxSource, readHtmlSource } from './single-source.ts';
import { readWebsite } from './website-source.ts';
import { readZipSource } from './zip-source.ts';

export { decodeText } from './decode-text.ts';
export { ImportRefused } from './refused.ts';
export { limitsFor, type ImportLimits } from './limits.ts';

export interface ImportRequest {
  url: string;
  /** One of the contract's import sources. */
  source: string;
  clock: Clock;
  /** Hosts that may be fetched from beside loopback: names, addresses, networks such as `10.0.0.0/8`, or `*`. */
  allowedHosts: readonly string[];
  limits?: Partial<ImportLimits>;
  signal?: AbortSignal;
  /** A file that a large source may go to meanwhile; without, it is held. */
  spool?: string | undefined;
}

interface ReadOptions {
  limits: ImportLimits;
  signal?: AbortSignal;
}

const LARGEST_SOURCE = 32 * 1024 * 1024;

type Reader = (source: FetchedSource, options: ReadOptions) => ImportedContent | Promise<ImportedContent>;

const READERS: ReadonlyMap<string, (request: LargeSourceRequest) => Promise<OpenImport>> = new Map([
  ['zip', readZipSource],
  ['markdown', fetchedBy(readMarkdownSource)],
  ['html', fetchedBy(readHtmlSource)],
  ['docx', fetchedBy(readDocxSource)],
  ['website', held(readWebsite)],
]);

function fetchedBy(read: Reader): (request: LargeSourceRequest) => Promise<OpenImport> {
  return held(async (request) => read(await fetchSource(request), request));
}

function held(
  read: (request: LargeSourceRequest) => Promise<ImportedContent>,
): (request: LargeSourceRequest) => Promise<OpenImport> {
  return async (request) => ({ ...(await read(request)), [Symbol.dispose]: () => undefined });
}

/**
 * Fetches and reads the source of an import. `imported` and `total` count pages and files; they differ when something of the source
 * could not be taken over, and `problems` says what. Throws ImportRefused (status 400) when nothing can be imported: a source that
 * is not supported, an address that is not allowed or not readable, an archive beyond the limits; the signal's reason when aborted.
 */
export async function readImport(request: ImportRequest): Promise<OpenImport> {
  const { url, source, clock, allowedHosts, signal, spool } = request;
  const read = READERS.get(source);
  if (!read) {
    const supported = [...READERS.keys()].join(', ');
    throw new ImportRefused(`source: ${JSON.stringify(source)} is not supported; supported are ${supported}`, {
      hint: 'Convert the content to a ZIP of Markdown files.',
    });
  }
  const limits: ImportLimits = { ...DEFAULT_LIMITS, ...request.limits };
  return read({ url, clock, allowedHosts, limits, spool, ...(signal ? { signal } : {}) });
}

/** The bytes at an address, under the limits of imports. Throws ImportRefused, or the signal's reason when aborted. */
export async function readSource(request: Omit<ImportRequest, 'source'>): Promise<Buffer> {
  const limits: ImportLimits = { ...DEFAULT_LIMITS, downloadBytes: LARGEST_SOURCE, ...request.limits };
  return (await fetchSource({ ...request, limits })).bytes;
}
