// What a restore needs of its surroundings, said in terms of its target and before anything is asked of it.
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError, codeOf } from '../../base/index.ts';
import { placesOf, requireTarget } from '../../config/index.ts';
import type { Kit } from '../kit.ts';
import { RestoreStopped } from './restore-stopped.ts';

const REFUSED: ReadonlySet<string> = new Set(['DM_TOKEN_REFUSED', 'DM_FORBIDDEN']);

/** A token that the target refuses is named: which setting it comes from, and where it was sent. */
export async function namingTarget<T>({ config }: Kit, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof RestoreStopped || !REFUSED.has(error.code)) throw error;
    const need =
      error.code === 'DM_FORBIDDEN' ? `It may not do this there. ${error.hint}` : 'It must be one of that platform.';
    throw new AppError(error.code, error.message, {
      hint: `${tokenSent(config)} ${need}`,
      cause: error,
      ...(error.details ? { details: error.details } : {}),
    });
  }
}

/** Which token a target was sent, and from which setting. */
export function tokenSent(config: Kit['config']): string {
  const { baseUrl } = requireTarget(config);
  const source =
    config.target.token !== null
      ? 'the token of the target, DOCMIRROR_TARGET_TOKEN or DOCMIRROR_TARGET_TOKEN_FILE'
      : `the token of the platform (${placesOf('token', config)}), as DOCMIRROR_TARGET_TOKEN is not set`;
  return `${baseUrl} was sent ${source}.`;
}

/** Throws DM_USAGE when a file cannot be put there, before minutes are spent on what goes into it. */
export async function checkOut(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const problem = await problemOf(folder, resolve(file));
  if (problem === null) return;
  throw new AppError('DM_USAGE', `--out ${file} cannot be written: ${problem}`, {
    hint: 'Name a file in a folder that is there and may be written. Nothing was asked of the target.',
  });
}

async function problemOf(folder: string, file: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    return missing ? `the folder ${folder} is not there` : `the folder ${folder} may not be written`;
  }
  try {
    return (await stat(file)).isDirectory() ? 'it is a folder' : null;
  } catch {
    return null;
  }
}
