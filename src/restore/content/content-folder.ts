// Content in a folder that somebody else's server, or a bucket that is mounted there, shows to the platform.
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, toAppError, whyFull, type Clock, type Random } from '../../base/index.ts';
import type { Content, ContentOffer, ContentPlace } from './content-place.ts';

export interface ContentFolderOptions {
  readonly directory: string;
  /** With `{name}` where the name of the file goes. */
  readonly addressTemplate: string;
  readonly clock: Clock;
  readonly random: Random;
  /** The restore that it is for; not there for a trial. */
  readonly restore?: string | undefined;
  /** Ids of restores that no process carries out now: what they have left is of no use to anybody. */
  readonly ended?: readonly string[] | undefined;
}

const TOKEN_LENGTH = 40;
const OWN = /^docmirror-[\w-]+\.zip$/;
const FORGOTTEN_MS = 24 * 3_600_000;

/** Throws DM_CONFIG_INVALID when the folder is not there; removes what a restore that was killed has left there: what is known to be of one that has ended, all else after a day. */
export async function openContentFolder(options: ContentFolderOptions): Promise<ContentPlace> {
  try {
    await sweep(options);
  } catch (cause) {
    throw unusable(options.directory, cause);
  }
  return {
    offer: (content) => place(options, content),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function sweep({ directory, clock, ended = [] }: ContentFolderOptions): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!OWN.test(name)) continue;
    const isLeft = ended.some((id) => name.startsWith(beginningOf(id)));
    const { mtimeMs } = await stat(join(directory, name));
    if (isLeft || clock.now() - mtimeMs > FORGOTTEN_MS) await rm(join(directory, name), { force: true });
  }
}

function beginningOf(restore: string | undefined): string {
  return restore === undefined ? 'docmirror-' : `docmirror-${restore}-`;
}

async function place(
  { directory, addressTemplate, random, restore }: ContentFolderOptions,
  content: Content,
): Promise<ContentOffer> {
  const name = `${beginningOf(restore)}${random.id(TOKEN_LENGTH)}.zip`;
  const path = join(directory, name);
  try {
    if (typeof content === 'string') await copyFile(content, path);
    else await writeFile(path, content);
  } catch (cause) {
    await rm(path, { force: true });
    throw unusable(directory, cause);
  }
  return {
    url: addressTemplate.replaceAll('{name}', name),
    isTaken: () => true,
    [Symbol.asyncDispose]: () => rm(path, { force: true }),
  };
}

function unusable(directory: string, cause: unknown): AppError {
  // It may be another disk than that of the data directory.
  if (toAppError(cause).code === 'DM_DISK_FULL')
    return new AppError('DM_DISK_FULL', `contentServer.directory ${directory} cannot be written: ${whyFull(cause)}`, {
      hint: 'Make room there, or name a folder on another disk.',
      cause,
    });
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError('DM_CONFIG_INVALID', `contentServer.directory ${directory} cannot be used: ${why}`, {
    hint: 'Name a folder that is there, that may be written, and whose files the platform can fetch.',
    cause,
  });
}
