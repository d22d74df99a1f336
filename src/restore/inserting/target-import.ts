// Whether the target has an import at all: the public platform of today has none, and what a restore brings is inserted there instead.
import { AppError } from '../../base/index.ts';
import { isInBin } from '../resource.ts';
import { isRequest, type ContentPath } from '../steps/content-there.ts';
import { orNull } from '../steps/write-once.ts';
import type { OverStanding } from '../steps/over-standing.ts';
import type { ApplyContext } from '../types.ts';
import { isNotOffered, unlessGone } from '../answers.ts';

/** What an apply has learned about imports on its target. */
export interface Importing {
  /** False once the target said that it has none. */
  isOffered: boolean;
  /** What an import does to pages that stand; null before that was tried. */
  overStanding: OverStanding | null;
}

interface Ways<T> {
  readonly byImport: () => Promise<T>;
  readonly byEdits: () => Promise<T>;
}

/** Imports, or inserts where the target turns out to have no import. */
export async function importOrInsert<T>(
  context: ApplyContext,
  into: ContentPath,
  { byImport, byEdits }: Ways<T>,
): Promise<T> {
  if (!context.importing.isOffered) return byEdits();
  try {
    return await byImport();
  } catch (error) {
    if (!(await hasNoImport(context, into, error))) throw error;
    context.importing.isOffered = false;
    return byEdits();
  }
}

const IMPORTS: ReadonlySet<string> = new Set(['importContent', 'importChangeRequestContent']);

/** A 404 says so only where the place itself is shown. */
async function hasNoImport(context: ApplyContext, into: ContentPath, error: unknown): Promise<boolean> {
  if (!isNotOffered(error) || !IMPORTS.has(error.operation)) return false;
  return error.status !== 404 || (await orNull(() => isThere(context, into))) === true;
}

async function isThere({ client, signal }: ApplyContext, path: ContentPath): Promise<boolean> {
  const asked = isRequest(path)
    ? client.call('getChangeRequest', { path }, { signal })
    : client.call('getSpace', { path }, { signal });
  const body = await unlessGone<object>(asked);
  return body !== undefined && !isInBin({ ...body });
}

/** The target can be given no content in any way. */
export class NoWayIn extends AppError {
  constructor() {
    const what =
      'The target offers neither an import nor an operation that edits pages, so no content can come into it';
    super('DM_IMPORT_FAILED', what, {
      hint: 'The export of the snapshot holds all of it as Markdown (docmirror export): bring that in by a way of the platform that is not part of its API.',
    });
  }
}
