// Comments and replies of a space as JSON lines, verbatim.
import { COMMENT_KINDS } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';

/** One line per comment or reply with its kind, the ids that lead to it, and the body as the platform sent it. */
export function* commentLines(reader: SnapshotReader, space: string): Generator<string> {
  for (const kind of COMMENT_KINDS)
    for (const { params, body } of reader.resources(kind, space)) yield `${JSON.stringify({ kind, params, body })}\n`;
}
