import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError, showName } from './errors.ts';

/** No settings and no secret come near this. Reading is in one turn: what does not end would take all memory, and no signal would. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The text of a file, or null when there is none. Throws DM_CONFIG_INVALID for one that cannot be read, or is not UTF-8. */
export function readTextFile(file: string): string | null {
  const bytes = readBytes(file);
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError('DM_CONFIG_INVALID', `The file ${showName(file)} is not written in UTF-8`, {
      hint: 'Save it as UTF-8: in any other way its letters would be taken for others.',
      cause: error,
    });
  }
}

function readBytes(file: string): Buffer | null {
  let bytes: Buffer;
  try {
    bytes = readUpTo(file, MOST_BYTES + 1);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const message = `The file ${showName(file)} cannot be read (${String(code)})`;
    const hint =
      code === 'EISDIR'
        ? 'It is a folder; expected a file. A container makes a folder of what is mounted and is not there: remove it, and put the file in its place.'
        : 'Give this user permission to read it, or correct the path.';
    throw new ConfigError('DM_CONFIG_INVALID', message, { hint, cause: error });
  }
  if (bytes.length <= MOST_BYTES) return bytes;
  throw new ConfigError('DM_CONFIG_INVALID', `The file ${showName(file)} holds more than 4 MiB`, {
    hint: 'Expected settings, or a secret: correct the path.',
  });
}

/** The size that the system tells is 0 for pipes and devices. */
function readUpTo(file: string, most: number): Buffer {
  const chunks: Buffer[] = [];
  const opened = openSync(file, 'r');
  try {
    for (let left = most; left > 0;) {
      const chunk = Buffer.alloc(Math.min(left, 65_536));
      const read = readSync(opened, chunk);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      left -= read;
    }
  } finally {
    closeSync(opened);
  }
  return Buffer.concat(chunks);
}
