// From a source to a version: pending, progress, complete. A failure leaves the versions that are there and names itself.
import { isAbort, isoTime, sha256 } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { decodeText, ImportRefused } from '../import/index.ts';
import type { OpenApiSpecRow, SpecErrorCode } from '../store/derived-tables.ts';
import { fetchedSpecs, insertVersion, specById, unprocessedSpecs, updateSpec } from '../store/openapi.ts';
import { insertBlob, readBlob } from '../store/blobs.ts';
import { parseSpec, specFileName } from './read-spec.ts';

const REFETCH_INTERVAL_MS = 6 * 3_600_000;

/** Begins the processing of a specification whose state is `pending`. */
export function processLater(context: PlatformContext, id: string): void {
  context.background.add('openapi', (signal) => processSpec(context, id, signal));
}

/** Goes on with what an earlier run left, and fetches again what came from an address every six hours. */
export function keepSpecsFresh(context: PlatformContext): Disposable {
  for (const id of unprocessedSpecs(context)) processLater(context, id);
  return context.clock.every(REFETCH_INTERVAL_MS, () => {
    context.background.add('openapi', async () => {
      for (const id of fetchedSpecs(context)) processLater(context, id);
    });
  });
}

async function processSpec(context: PlatformContext, id: string, signal: AbortSignal): Promise<void> {
  const spec = specById(context, id);
  if (!spec) return;
  updateSpec(context, spec, { processing_state: 'progress' });
  const outcome = await readSource(context, spec, signal);
  context.db.transaction(() => {
    const now = specById(context, id);
    // Another source was given meanwhile, and has its own processing.
    if (!now || now.source_url !== spec.source_url || now.source_text !== spec.source_text) return;
    finish(context, now, outcome);
  });
}

type Outcome = { text: string } | { error: SpecErrorCode };

async function readSource(context: PlatformContext, spec: OpenApiSpecRow, signal: AbortSignal): Promise<Outcome> {
  try {
    const text = textOf(await sourceBytes(context, spec, signal));
    const document = text === null ? null : parseSpec(text);
    return text !== null && document && (await context.checks.isValidSpec(document))
      ? { text }
      : { error: 'PARSE_ERROR' };
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    context.log.warn({ spec: spec.id, err: error }, 'specification not fetched');
    return { error: isAbort(error.cause) ? 'FETCH_TIMEOUT' : 'FETCH_ERROR' };
  }
}

async function sourceBytes(context: PlatformContext, spec: OpenApiSpecRow, signal: AbortSignal): Promise<Buffer> {
  if (spec.source_url !== null) return context.fetchSource(spec.source_url, signal);
  return readBlob(context, spec.source_text ?? '') ?? Buffer.alloc(0);
}

/** null for bytes of which nobody can tell the letters. */
function textOf(bytes: Buffer): string | null {
  try {
    return decodeText(bytes);
  } catch {
    return null;
  }
}

function finish(context: PlatformContext, spec: OpenApiSpecRow, outcome: Outcome): void {
  const ended = { processing_state: 'complete' as const, last_processed_at: isoTime(context.clock.now()) };
  if ('error' in outcome) return updateSpec(context, spec, { ...ended, last_error: outcome.error });
  const last_version = newestVersion(context, spec, Buffer.from(outcome.text));
  updateSpec(context, spec, { ...ended, last_error: null, last_version });
}

/** A new version, unless the last one has the same text. */
function newestVersion(context: PlatformContext, spec: OpenApiSpecRow, bytes: Buffer): string {
  const last = context.db
    .prepare<{ sha256: string }>('select sha256 from openapi_versions where id = ?')
    .get(spec.last_version ?? '');
  if (spec.last_version !== null && last?.sha256 === sha256(bytes)) return spec.last_version;
  const name = specFileName(bytes.toString('utf8'));
  return insertVersion(context, { spec: spec.id, sha256: insertBlob(context, bytes), name });
}
