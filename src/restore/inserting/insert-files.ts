// Files inserted into a change request: small ones stand in the edit itself, larger ones are fetched from the address of an offer.
import { readFile } from 'node:fs/promises';
import { groupBy } from '../../base/index.ts';
import { MOST_INLINE_BYTES, MOST_INSERTED_FILES, type KindName, type Revision } from '../../contract/index.ts';
import { textAt } from '../resource.ts';
import { contentAfter, type RequestPath } from '../target/content-there.ts';
import { sendChanges, type ContentChange } from '../target/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { sendByHalves } from './refusals.ts';
import { NoWayIn } from './target-import.ts';

/** A file that is to stand there. */
export interface WantedFile {
  readonly kind: KindName;
  readonly key: string;
  readonly name: string;
  readonly contentType: string;
  /** Name of the object that holds its bytes. */
  readonly object: string;
  readonly size: number;
}

interface Insertion {
  readonly path: RequestPath;
  readonly wanted: readonly WantedFile[];
  /** Ids of files of the target that none of them is. */
  readonly others: ReadonlySet<string>;
}

type Sent = Extract<ContentChange, { type: 'insert_files' }>['files'][number];

// Of one request; base64 makes a third more of them.
const MOST_BYTES = 4 * MOST_INLINE_BYTES;

/** Inserts those that are not there yet and notes their new ids; says which the target refused. */
export async function insertFiles(context: ApplyContext, insertion: Insertion, made: Revision): Promise<string[]> {
  adoptFiles(context, insertion, made);
  const lacking = insertion.wanted.filter(({ kind, key }) => context.ids.get(kind, key) === undefined);
  const problems: string[] = [];
  const sending = {
    send: async (batch: readonly WantedFile[]): Promise<void> => {
      const hidden = await send(context, insertion, batch);
      problems.push(...hidden.map(({ name }) => `file ${name} was inserted and is shown nowhere under that name`));
    },
    nameOf: ({ name }: WantedFile) => `file ${name}`,
  };
  for (const batch of batchesOf(lacking)) problems.push(...(await sendByHalves(batch, sending)));
  return problems;
}

/** A large file goes alone. */
function batchesOf(files: readonly WantedFile[]): WantedFile[][] {
  const batches: WantedFile[][] = [];
  let room = 0;
  for (const file of files) {
    const last = batches.at(-1);
    room -= file.size;
    if (last !== undefined && last.length < MOST_INSERTED_FILES && room >= 0) last.push(file);
    else {
      batches.push([file]);
      room = isLarge(file) ? Number.NEGATIVE_INFINITY : MOST_BYTES - file.size;
    }
  }
  return batches;
}

function isLarge({ size }: WantedFile): boolean {
  return size > MOST_INLINE_BYTES;
}

/** Those that are not shown then. */
async function send(
  context: ApplyContext,
  insertion: Insertion,
  batch: readonly WantedFile[],
): Promise<readonly WantedFile[]> {
  const large = batch.find(isLarge);
  await using offer = large === undefined ? null : await context.server.offer(pathOf(context, large));
  const files = await Promise.all(
    batch.map(async (file): Promise<Sent> => {
      const { name, contentType } = file;
      if (offer !== null) return { name, contentType, url: offer.url };
      return { name, contentType, base64: (await readFile(pathOf(context, file))).toString('base64') };
    }),
  );
  const revision = await sendChanges(context, insertion.path, [{ type: 'insert_files', files }]);
  if (revision === null) throw new NoWayIn();
  const hidden = (now: Revision): readonly WantedFile[] => {
    adoptFiles(context, insertion, now);
    return batch.filter(({ kind, key }) => context.ids.get(kind, key) === undefined);
  };
  const isAll = (now: Revision): boolean => hidden(now).length === 0;
  return hidden(await contentAfter(context, { into: insertion.path, revision, isAll }));
}

function pathOf({ archive }: ApplyContext, { object }: WantedFile): string {
  return archive.objects.pathOf(object);
}

/**
 * Notes which file is which of those that stand: by name and size, else by name, else by what a platform that keeps no spaces and the like
 * leaves of a name. Of several that are called the same, in their order.
 */
export function adoptFiles(
  { ids }: ApplyContext,
  { wanted, others }: Pick<Insertion, 'wanted' | 'others'>,
  { files }: Revision,
): void {
  const taken = new Set([...others, ...wanted.map(({ kind, key }) => ids.get(kind, key) ?? '')]);
  for (const nameOf of NAMES) {
    const free = groupBy(
      files.filter(({ id }) => !taken.has(id)),
      nameOf,
    );
    for (const { kind, key, ...file } of wanted) {
      const found = ids.get(kind, key) === undefined ? free.get(nameOf(file))?.shift() : undefined;
      if (found === undefined) continue;
      taken.add(found.id);
      ids.set(kind, key, found.id);
    }
  }
}

type Named = Pick<WantedFile, 'name'> & { readonly size?: number | undefined };

const NAMES: readonly ((file: Named) => string)[] = [
  ({ name, size = -1 }) => `${size} ${name}`,
  ({ name }) => name,
  ({ name, size = -1 }) =>
    `${size} ${name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '')}`,
];

/** What the snapshot says of a file, apart from its bytes. */
export function fileSaid(body: Readonly<Record<string, unknown>>): Pick<WantedFile, 'name' | 'contentType'> {
  return {
    name: textAt(body, 'name') ?? 'file',
    contentType: textAt(body, 'contentType') ?? 'application/octet-stream',
  };
}
