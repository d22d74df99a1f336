// Whether the address that the platform will be given leads to the content: asked from this machine, before anything is written.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256, toAppError, type Clock, type Random } from '../../base/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { openContentPlace, type ContentPlaceOptions } from './content-place.ts';
import type { PlanStep } from '../types.ts';

interface ProbeInput {
  readonly steps: readonly PlanStep[];
  readonly contentServer: ContentPlaceOptions;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
}

/** What asking showed; null where nothing is imported, `not-asked` for the own server at its own address. */
export type Probe = 'reached' | 'not-asked' | { readonly why: string } | null;

const IMPORTS: ReadonlySet<string> = new Set(['content', 'links', 'pages']);
const PATIENCE_MS = 10_000;

/** Offers an empty archive and fetches it where the platform would. Throws DM_CONFIG_INVALID and DM_PORT_IN_USE. */
export async function probeContent(input: ProbeInput): Promise<Probe> {
  const { steps, contentServer } = input;
  if (!steps.some(({ part }) => IMPORTS.has(part))) return null;
  const isOwn = (contentServer.directory ?? null) === null && contentServer.publicUrl === null;
  if (isOwn) return 'not-asked';
  const folder = await mkdtemp(join(tmpdir(), 'docmirror-probe-'));
  try {
    return await fetchBack(input, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchBack({ contentServer, client, clock, random, signal }: ProbeInput, folder: string): Promise<Probe> {
  const file = join(folder, 'offered.zip');
  const bytes = emptyArchive(random.id());
  await writeFile(file, bytes);
  await using place = await openContentPlace(contentServer, { clock, random });
  await using offer = await place.offer(file);
  const controller = new AbortController();
  using _limit = clock.after(PATIENCE_MS, () =>
    controller.abort(new Error(`no answer within ${PATIENCE_MS / 1000} s`)),
  );
  const signals = signal ? [signal, controller.signal] : [controller.signal];
  try {
    const options = { toPath: join(folder, 'fetched.zip'), signal: AbortSignal.any(signals), trusted: true };
    const fetched = await client.download(offer.url, options);
    return fetched.sha256 === sha256(bytes) ? 'reached' : { why: 'it shows something else' };
  } catch (error) {
    signal?.throwIfAborted();
    return { why: toAppError(error).message };
  }
}

/** A ZIP without files, told from every other by its comment. */
function emptyArchive(comment: string): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, Buffer.from(comment, 'latin1')]);
}
