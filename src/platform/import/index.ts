// Reads what an import brings: fetches the address, understands the source, and answers a tree of pages with files.
import type { Clock } from '../../base/index.ts';
import type { ImportedContent } from '../content/imported-content.ts';
import { fetchSource, type FetchedSource } from './fetch-source.ts';
import { DEFAULT_LIMITS, type ImportLimits } from './limits.ts';
import { readMarkdownSource } from './markdown-source.ts';
import { ImportRefused } from './refused.ts';
import { readZipSource } from './zip-source.ts';

export { ImportRefused } from './refused.ts';
export type { ImportLimits } from './limits.ts';

export interface ImportRequest {
  url: string;
  /** One of the contract's import sources. */
  source: string;
  clock: Clock;
  /** Hosts that may be fetched from beside loopback: names, addresses, networks such as `10.0.0.0/8`, or `*`. */
  allowedHosts: readonly string[];
  limits?: Partial<ImportLimits>;
  signal?: AbortSignal;
}

interface ReadOptions {
  limits: ImportLimits;
  signal?: AbortSignal;
}

type SourceReader = (source: FetchedSource, options: ReadOptions) => ImportedContent | Promise<ImportedContent>;

const READERS: ReadonlyMap<string, SourceReader> = new Map<string, SourceReader>([
  ['zip', readZipSource],
  ['markdown', readMarkdownSource],
]);

/**
 * Fetches and reads the source of an import. `imported` and `total` count pages and files; they differ when something of the source
 * could not be taken over, and `problems` says what. Throws ImportRefused (status 400) when nothing can be imported: a source that
 * is not supported, an address that is not allowed or not readable, an archive beyond the limits; the signal's reason when aborted.
 */
export async function readImport(request: ImportRequest): Promise<ImportedContent> {
  const { url, source, clock, allowedHosts, signal } = request;
  const read = READERS.get(source);
  if (!read) {
    const supported = [...READERS.keys()].join(', ');
    throw new ImportRefused(`source: ${JSON.stringify(source)} is not supported; supported are ${supported}`, {
      hint: 'Convert the content to a ZIP of Markdown files.',
    });
  }
  const limits: ImportLimits = { ...DEFAULT_LIMITS, ...request.limits };
  const aborting = signal ? { signal } : {};
  const fetched = await fetchSource({ url, clock, allowedHosts, limits, ...aborting });
  return read(fetched, { limits, ...aborting });
}
