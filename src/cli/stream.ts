// A result on its way to stdout that may be of any size: written as it comes, so that it never stands in memory as a whole.
import { offerStdout } from '../base/index.ts';

export interface Streaming {
  /** Called when a part is on stdout while the rest is not known yet: no other document may follow it there. */
  readonly onPart: () => void;
  /** Written where it breaks off, for a form in which a part looks like the whole. */
  readonly cut?: string;
}

// What is no longer than this is written at once: an error leaves nothing half-written then, and whoever pages through the answer
// for hours does not hold the mirror as it was.
const HELD = 8 * 1024 * 1024;
const CHUNK = 256 * 1024;

/**
 * Writes the pieces and ends the line, no faster than they are read. Ends quietly once the reader has gone away (`| head`). Throws
 * what making a piece throws, and DM_OUTPUT_FAILED. The pieces are made in one turn of the event loop for as long as nobody has to
 * be waited for.
 */
export async function streamOut(pieces: Iterable<string>, { onPart, cut = '' }: Streaming): Promise<void> {
  let waiting: string[] = [];
  let size = 0;
  let most = HELD;
  try {
    for (const piece of pieces) {
      waiting.push(piece);
      size += piece.length;
      if (size <= most) continue;
      if (!(await offerStdout(waiting.join('')))) return;
      onPart();
      [waiting, size, most] = [[], 0, CHUNK];
    }
  } catch (error) {
    // Where even this cannot be written, the error and the exit code tell it.
    if (most === CHUNK && cut !== '') await offerStdout(cut).catch(() => false);
    throw error;
  }
  await offerStdout(`${waiting.join('')}\n`);
}
