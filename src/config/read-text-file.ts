import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { codeOf, holdThread } from '../base/index.ts';
import { ConfigError, showName } from './errors.ts';

const MIB = 1024 * 1024;

/** No settings and no secret come near this. Reading is in one turn: what does not end would take all memory, and no signal would. */
const MOST_BYTES = 4 * MIB;

const PIPE_PATIENCE_MS = 10_000;
const LOOK_MS = 10;

/**
 * The text of a file, or of a pipe, or null when there is none. Throws DM_CONFIG_INVALID for one that cannot be read, or is not UTF-8,
 * for one of more than `mostBytes`, and for a pipe from which nothing comes for `patienceMs`.
 */
export function readTextFile(file: string, limits: Partial<Limits> = {}): string | null {
  const bytes = readBytes(file, { mostBytes: MOST_BYTES, patienceMs: PIPE_PATIENCE_MS, ...limits });
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

interface Limits {
  readonly mostBytes: number;
  readonly patienceMs: number;
}

function readBytes(file: string, limits: Limits): Buffer | null {
  let bytes: Buffer;
  try {
    bytes = readUpTo(file, limits);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const message = `The file ${showName(file)} cannot be read (${String(code)})`;
    const hint =
      code === 'EISDIR'
        ? 'It is a folder; expected a file. A container makes a folder of what is mounted and is not there: remove it, and put the file in its place.'
        : 'Give this user permission to read it, or correct the path.';
    throw new ConfigError('DM_CONFIG_INVALID', message, { hint, cause: error });
  }
  if (bytes.length <= limits.mostBytes) return bytes;
  const most = `${limits.mostBytes / MIB} MiB`;
  throw new ConfigError('DM_CONFIG_INVALID', `The file ${showName(file)} holds more than ${most}`, {
    hint: 'Expected settings, or a secret: correct the path.',
  });
}

/** The size that the system tells is 0 for pipes and devices. */
function readUpTo(file: string, { mostBytes, patienceMs }: Limits): Buffer {
  const chunks: Buffer[] = [];
  const isPipe = statSync(file).isFIFO();
  // A pipe that nobody writes into would be waited for without end, and no signal heard.
  const opened = openSync(file, isPipe ? constants.O_RDONLY | constants.O_NONBLOCK : constants.O_RDONLY);
  try {
    for (let left = mostBytes + 1; left > 0;) {
      const chunk = Buffer.alloc(Math.min(left, 65_536));
      const mayCome = isPipe ? { file, isBegun: chunks.length > 0, patienceMs } : null;
      const read = mayCome === null ? readSync(opened, chunk) : readPipe(opened, chunk, mayCome);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      left -= read;
    }
  } finally {
    closeSync(opened);
  }
  return Buffer.concat(chunks);
}

interface Coming {
  readonly file: string;
  readonly isBegun: boolean;
  readonly patienceMs: number;
}

/** Waits for who writes: nothing there is no end yet, as long as nothing has come. */
function readPipe(opened: number, chunk: Buffer, { file, isBegun, patienceMs }: Coming): number {
  for (let left = patienceMs; left > 0; left -= LOOK_MS) {
    const read = readOrNull(opened, chunk);
    if (read !== null && (read > 0 || isBegun)) return read;
    holdThread(LOOK_MS);
  }
  const message = `The pipe ${showName(file)} gave nothing more for ${patienceMs / 1000} s`;
  throw new ConfigError('DM_CONFIG_INVALID', message, { hint: 'Start what writes into it, or name a file.' });
}

/** Null while somebody holds the pipe open for writing and has written nothing. */
function readOrNull(opened: number, chunk: Buffer): number | null {
  try {
    return readSync(opened, chunk);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return null;
    throw error;
  }
}
