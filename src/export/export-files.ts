// Everything an export holds, brought up to date space by space: what is made of the same as last time is not made again.
import type { SnapshotReader } from '../mirror/index.ts';
import { AppAddresses } from './layout/app-addresses.ts';
import { differencesOf, hasRequestContent, requestFiles, requestFolders } from './layout/change-requests.ts';
import { isUnchanged, type Changes } from './changes.ts';
import { commentLines } from './layout/comments.ts';
import { COMMENTS_SUFFIX, REQUESTS_SUFFIX, spaceFolders, type SpaceFolder } from './layout/containers.ts';
import { countUntouched, updateContent, updateWaiting } from './export-content.ts';
import type { ExportIndex } from './written/export-index.ts';
import { PARTS, REACH, SPACE_OWNER, type FileEntry } from './written/index-rows.ts';
import { FieldWriter } from './layout/field-writer.ts';
import { indexLinks, ReachMeter } from './written/index-links.ts';
import type { Pace } from './files/pace.ts';
import { rootReadme } from './layout/root-readme.ts';
import type { TreeWriter } from './files/tree-writer.ts';

/** What was come by so far, written anew or not. */
export interface DoneSoFar {
  pages: number;
  files: number;
  changeRequests: number;
}

export interface ExportWork {
  readonly reader: SnapshotReader;
  readonly index: ExportIndex;
  readonly writer: TreeWriter;
  readonly changes: Changes;
  readonly pace: Pace;
  readonly onProgress: (progress: Readonly<DoneSoFar>) => void;
}

export interface Context extends ExportWork {
  readonly meter: ReachMeter;
  readonly fields: FieldWriter;
  readonly addresses: AppAddresses;
  readonly progress: DoneSoFar;
  /** Something has another place than before, so links from one space to another may have to change. */
  moved: boolean;
  /** Shows how far it is and lets others go on. */
  readonly rest: () => Promise<void>;
}

/** Brings the index up to the snapshot and writes the files that are new, changed or lost. */
export async function updateFiles(work: ExportWork): Promise<void> {
  const { reader, index, writer } = work;
  if (isUnchanged(work.changes)) return;
  const folders = new Map(spaceFolders(reader).map((folder) => [folder.id, folder]));
  const context = contextOf(work, index.dropSpaces(new Set(folders.keys())));
  const touched = new Set<string>();
  for (const folder of folders.values()) {
    const isDue = needsLook(work, folder);
    if (isDue) touched.add(folder.id);
    if (isDue) await updateContent(context, folder);
    else countUntouched(context, index.space(folder.id));
  }
  // From here on the index is asked where links lead.
  await writer.settled();
  // A link page may lead to the address of what has no file: no place tells when that changes.
  index.deferBeyond(context.moved ? null : SPACE_OWNER);
  await updateWaiting(context);
  const linked = new Set(context.moved ? index.spacesWithRequestsBeyond() : []);
  for (const folder of folders.values()) {
    if (touched.has(folder.id) || linked.has(folder.id)) await updateRequests(context, folder);
    if (touched.has(folder.id)) updateComments(context, folder);
  }
  const readme: FileEntry = { path: 'README.md', space: 0, part: PARTS.root, owner: null, reach: REACH.none };
  writer.putText(readme, rootReadme(reader, [...folders.values()]));
  await context.rest();
}

function contextOf(work: ExportWork, moved: boolean): Context {
  const progress = { pages: 0, files: 0, changeRequests: 0 };
  const rest = async (): Promise<void> => {
    work.onProgress(progress);
    await work.pace.rest();
  };
  const addresses = new AppAddresses(work.reader, { isExact: true });
  return { ...work, meter: new ReachMeter(), fields: new FieldWriter(), addresses, progress, moved, rest };
}

function needsLook({ index, changes }: ExportWork, folder: SpaceFolder): boolean {
  const row = index.space(folder.id);
  if (changes.all || row === undefined || row.path !== folder.path) return true;
  return changes.spaces.has(folder.id) || changes.lostIn.has(row.num);
}

async function updateRequests(context: Context, { id: space, path }: SpaceFolder): Promise<void> {
  const { reader, index, writer, meter, pace, fields, addresses, progress } = context;
  const num = index.space(space)?.num ?? 0;
  const root = path + REQUESTS_SUFFIX;
  const linksFrom = (name: string) => indexLinks({ index, space, root: `${root}/${name}`, meter });
  const folders = requestFolders(reader, space);
  const hasContent = folders.size > 0 && hasRequestContent(reader, space);
  for (const { folder, request } of folders.values()) {
    meter.reset();
    const input = { reader, space, fields, addresses, hasContent, linksFrom };
    await context.rest();
    const differences = await pace.through(differencesOf(input, request));
    for (const file of requestFiles(input, { folder, request, differences })) {
      const { reach } = meter;
      const entry = { path: `${root}/${folder}/${file.path}`, space: num, part: PARTS.requests, owner: null, reach };
      if ('text' in file) writer.putText(entry, file.text);
      else await writer.putObject(entry, file);
      meter.reset();
      if (pace.step()) await context.rest();
    }
    progress.changeRequests += 1;
  }
  index.sweep(num, PARTS.requests);
  index.setRequests(num, folders.size);
}

function updateComments({ reader, index, writer }: Context, { id, path }: SpaceFolder): void {
  const num = index.space(id)?.num ?? 0;
  const entry = { path: path + COMMENTS_SUFFIX, space: num, part: PARTS.comments, owner: null, reach: REACH.none };
  writer.putLines(entry, commentLines(reader, id));
  index.sweep(num, PARTS.comments);
}
