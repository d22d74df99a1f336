// Edits of what an import has left out. What the target refuses of groups and links, of which it may edit nothing, keeps no title away.
import type { Page } from '../../../contract/index.ts';
import { writeTexts } from '../../inserting/write-texts.ts';
import { NoWayIn } from '../../inserting/target-import.ts';
import type { ApplyContext } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import { sendChanges, type ContentChange } from '../../target/own-request.ts';

export interface Beside {
  readonly titles: readonly ContentChange[];
  /** One of each page. */
  readonly fields: readonly ContentChange[];
  /** The pages as they stand, by which a refused one is called. */
  readonly pages: readonly Page[];
}

export function isNone({ titles, fields }: Beside): boolean {
  return titles.length + fields.length === 0;
}

interface Sent {
  /** Which pages, and why, in words. */
  readonly refused: readonly string[];
  /** False where nothing of it was taken. */
  readonly isAny: boolean;
}

export const NOT_EDITED =
  'the target has no operation that edits pages: titles and fields that an import does not keep, and what groups and links show, are as the import made them';

/** Null where the target edits no pages at all. */
export async function sendBeside(
  context: ApplyContext,
  path: RequestPath,
  { titles, fields, pages }: Beside,
): Promise<Sent | null> {
  try {
    if ((await sendChanges(context, path, titles)) === null) return null;
    const refused = fields.length === 0 ? [] : await writeTexts(context, path, { anew: fields, pages });
    return { refused, isAny: titles.length + fields.length > refused.length };
  } catch (error) {
    if (error instanceof NoWayIn) return null;
    throw error;
  }
}
