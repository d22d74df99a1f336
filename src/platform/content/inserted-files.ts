// Files that a batch of edits brings: their bytes stand in it, or at an address that is fetched before anything is written.
import { invalid, MOST_INLINE_BYTES, Refusal } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { ImportRefused } from '../import/refused.ts';
import type { ContentChange } from './changes.ts';
import { fileContent, partsHeld, type FileContent } from './file-content.ts';

type InsertedFile = Extract<ContentChange, { type: 'insert_files' }>['files'][number];

interface Inserted extends FileContent {
  /** By which pages of the same batch name it. */
  readonly ref: string | undefined;
}

export type InsertedFiles = readonly Inserted[];

/** All files of a batch, in their order. Throws a Refusal that names the file which is not possible. */
export async function readInsertedFiles(
  context: PlatformContext,
  changes: readonly ContentChange[],
): Promise<InsertedFiles> {
  const files: Inserted[] = [];
  for (const [i, change] of changes.entries()) {
    if (change.type !== 'insert_files') continue;
    for (const [n, file] of change.files.entries())
      files.push(await readFile(context, file, `changes/${i}/files/${n}`));
  }
  return files;
}

async function readFile(context: PlatformContext, file: InsertedFile, field: string): Promise<Inserted> {
  const { name, ref, url, base64, contentType } = file;
  if ((url === undefined) === (base64 === undefined)) throw invalid(field, 'exactly one of url and base64 is needed');
  const bytes = url === undefined ? inline(file, field) : await fetched(context, url);
  const content = fileContent(name, () => partsHeld(bytes));
  return { ...content, ref, contentType: contentType ?? content.contentType };
}

function inline({ base64 = '', contentType }: InsertedFile, field: string): Buffer {
  if (contentType === undefined) throw invalid(`${field}/contentType`, 'it is needed with base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw invalid(`${field}/base64`, 'it is no base64');
  if (bytes.byteLength > MOST_INLINE_BYTES)
    throw invalid(`${field}/base64`, `it holds ${bytes.byteLength} bytes, at most ${MOST_INLINE_BYTES} are taken`);
  return bytes;
}

async function fetched(context: PlatformContext, url: string): Promise<Buffer> {
  try {
    return await context.fetchSource(url);
  } catch (error) {
    throw error instanceof ImportRefused ? new Refusal(error.status, error.message) : error;
  }
}
