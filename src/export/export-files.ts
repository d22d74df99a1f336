// Everything an export holds, file by file, in the order in which it is written.
import type { SnapshotReader } from '../mirror/index.ts';
import { requestFiles, requestFolders } from './change-requests.ts';
import { commentLines } from './comments.ts';
import { COMMENTS_SUFFIX, REQUESTS_SUFFIX, spaceFolders, type SpaceFolder } from './containers.ts';
import { relativeLink, type LinkResolver } from './links.ts';
import { rootReadme } from './root-readme.ts';
import { spaceLayout, type LayoutFile, type SpaceLayout } from './space-layout.ts';

/** Counts of what was given out so far. */
export interface ExportTotals {
  spaces: number;
  /** Documents of spaces, each one Markdown file; those of change requests are not among them. */
  pages: number;
  /** Files attached to spaces. */
  files: number;
  changeRequests: number;
  /** Files whose bytes are not in the mirror. */
  missing: number;
  /** What `pages` must be at the end. */
  expectedPages: number;
}

interface Context {
  readonly reader: SnapshotReader;
  readonly folders: ReadonlyMap<string, SpaceFolder>;
  readonly layoutOf: (space: string) => SpaceLayout;
  readonly totals: ExportTotals;
}

// Links between spaces ask for the layout of the other one; a few are kept, so that memory does not grow with the number of spaces.
const KEPT_LAYOUTS = 4;

export function newTotals(): ExportTotals {
  return { spaces: 0, pages: 0, files: 0, changeRequests: 0, missing: 0, expectedPages: 0 };
}

/** The files of one snapshot with their paths in the export. Texts are made one at a time. */
export function* exportFiles(reader: SnapshotReader, totals: ExportTotals): Generator<LayoutFile> {
  const folders = new Map(spaceFolders(reader).map((folder) => [folder.id, folder]));
  const context: Context = { reader, folders, layoutOf: layoutCache(reader, folders), totals };
  for (const folder of folders.values()) {
    totals.spaces += 1;
    yield* contentOf(context, folder);
    yield* requestsOf(context, folder);
    const comments = commentLines(reader, folder.id);
    if (comments !== '') yield { path: folder.path + COMMENTS_SUFFIX, text: comments };
  }
  yield { path: 'README.md', text: rootReadme([...folders.values()]) };
}

function* contentOf({ layoutOf, totals }: Context, folder: SpaceFolder): Generator<LayoutFile> {
  const layout = layoutOf(folder.id);
  totals.expectedPages += layout.documents;
  totals.missing += layout.missing.length;
  let isFirst = true;
  for (const file of layout.files) {
    // The first is the table of contents.
    if ('text' in file && !isFirst) totals.pages += 1;
    if ('object' in file) totals.files += 1;
    isFirst = false;
    yield { ...file, path: `${folder.path}/${file.path}` };
  }
}

function* requestsOf(context: Context, folder: SpaceFolder): Generator<LayoutFile> {
  const { reader, totals } = context;
  const root = folder.path + REQUESTS_SUFFIX;
  const input = {
    reader,
    space: folder.id,
    linksFrom: (name: string) => linksFrom(context, folder.id, `${root}/${name}`),
  };
  for (const { folder: name, request } of requestFolders(reader, folder.id).values()) {
    totals.changeRequests += 1;
    for (const file of requestFiles(input, name, request)) yield { ...file, path: `${root}/${name}/${file.path}` };
  }
}

/** Links out of a layout that lies in `root`: to pages of other spaces, and from a change request to its space. */
function linksFrom(
  { folders, layoutOf }: Pick<Context, 'folders' | 'layoutOf'>,
  own: string,
  root: string,
): LinkResolver {
  const relative = (space: string, from: string, path: string | undefined): string | null => {
    const folder = folders.get(space);
    return folder && path !== undefined ? relativeLink(`${root}/${from}`, `${folder.path}/${path}`) : null;
  };
  return {
    page: (space, page, from) => {
      const target = space ?? own;
      return folders.has(target) ? relative(target, from, layoutOf(target).pagePath(page)) : null;
    },
    file: (file, from) => relative(own, from, layoutOf(own).filePath(file)),
  };
}

function layoutCache(
  reader: SnapshotReader,
  folders: ReadonlyMap<string, SpaceFolder>,
): (space: string) => SpaceLayout {
  const kept = new Map<string, SpaceLayout>();
  const layoutOf = (space: string): SpaceLayout => {
    const root = folders.get(space)?.path ?? '';
    const layout =
      kept.get(space) ?? spaceLayout({ reader, space, links: linksFrom({ folders, layoutOf }, space, root) });
    kept.delete(space);
    kept.set(space, layout);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_LAYOUTS && oldest !== undefined) kept.delete(oldest);
    return layout;
  };
  return layoutOf;
}
