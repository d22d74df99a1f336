// Whether the target has an import at all: the public platform of today has none, and what a restore brings is inserted there instead.
import { AppError } from '../../base/index.ts';
import { isThere, type ContentPath } from '../target/content-there.ts';
import { orNull } from '../steps/write-once.ts';
import type { OverStanding } from '../journal/step-detail.ts';
import type { ApplyContext } from '../types.ts';
import { isNotOffered } from '../answers.ts';

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
export function importOrInsert<T>(context: ApplyContext, into: ContentPath, ways: Ways<T>): Promise<T> {
  return importOrElse(context, into, { ...ways, isFirst: true });
}

interface Try<T> extends Ways<T> {
  /** The place may not have been known to the platform yet, which the second try settles. */
  readonly isFirst: boolean;
}

async function importOrElse<T>(context: ApplyContext, into: ContentPath, one: Try<T>): Promise<T> {
  if (!context.importing.isOffered) return one.byEdits();
  try {
    return await one.byImport();
  } catch (error) {
    const told = await toldBy(context, into, error);
    if (told === 'something else') throw error;
    if (told === 'too early' && one.isFirst) return importOrElse(context, into, { ...one, isFirst: false });
    context.importing.isOffered = false;
    return one.byEdits();
  }
}

const IMPORTS: ReadonlySet<string> = new Set(['importContent', 'importChangeRequestContent']);

// As a client waits at least before it asks again for what it has just made.
const AGAIN_MS = 200;

/** What an import failed of. A 404 tells of the import only where the place itself is shown, and was known to the platform by then. */
async function toldBy(
  context: ApplyContext,
  into: ContentPath,
  error: unknown,
): Promise<'no import' | 'too early' | 'something else'> {
  if (!isNotOffered(error) || !IMPORTS.has(error.operation)) return 'something else';
  if (error.status !== 404) return 'no import';
  const asked = context.clock.monotonic();
  if ((await orNull(() => isThere(context, into))) !== true) return 'something else';
  return context.clock.monotonic() - asked < AGAIN_MS ? 'no import' : 'too early';
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
