// One space (or the content of one change request) as files: what people read on disk and what an import takes back.
import type { KindName } from '../../contract/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import type { AppAddresses } from './app-addresses.ts';
import { readAssets, type LayoutAsset } from './assets.ts';
import { FieldWriter } from './field-writer.ts';
import { followLink } from './link-pages.ts';
import {
  askResolver,
  relativeLink,
  rewriteStableLinks,
  type LinkResolver,
  type OtherLinks,
  type StableLink,
} from './links.ts';
import { filePath, readPageTree, type PageFilter, type PageNode, type PageTree } from './page-tree.ts';
import { pageText } from './page-text.ts';
import { SUMMARY, summaryText, type Follow } from './summary.ts';

/** A file with its text, or with the name of the object that holds its bytes. Paths are joined by `/` and stay inside. */
export type LayoutFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly object: string; readonly size: number };

export interface SpaceLayoutInput {
  readonly reader: SnapshotReader;
  /** Id of the space. */
  readonly space: string;
  /** Id of one of its change requests, whose content is meant then. */
  readonly changeRequest?: string;
  /** Decides about links that lead out of the layout. */
  readonly links: LinkResolver;
  /** A link that names its own space goes on naming one, where `links` knows what it leads to; else it leads from file to file. */
  readonly namesOwnSpace?: boolean;
  /**
   * Given where the files are there to be read: addresses of the app, and link pages, lead to files then. Not for an import: a line of the
   * table of contents that leads to a file is the place of that page.
   */
  readonly addresses?: AppAddresses;
  /** For an import: where link pages lead by then, and addresses in texts that are as good as links by id. */
  readonly follow?: Follow;
  readonly others?: OtherLinks;
  /** Limit pages and files; the others keep their names, so paths do not depend on the selection. */
  readonly only?: PageFilter;
  readonly onlyFiles?: (file: Outlined) => boolean;
  /** The names of what is gone stay taken, so that nothing else is renamed when something goes. */
  readonly keepNames?: boolean;
  /** One for many layouts remembers what recurs. */
  readonly fields?: FieldWriter;
  /** Most texts will be wanted: those that can be held are read together with the names, which is half the work. */
  readonly eager?: boolean;
}

/** A page of a layout, before its text is made. */
export interface LayoutPage {
  readonly id: string;
  readonly rid: number;
  readonly path: string;
}

export interface SpaceLayout {
  /** Made one by one while it is read; reading again makes them again. SUMMARY.md comes first. */
  readonly files: Iterable<LayoutFile>;
  /** The same files in three parts, for whoever makes only some of the texts. */
  summary(): string;
  pages(): Iterable<LayoutPage>;
  /** The text of a page, and whether links in it were looked at; null for a page that is not there. */
  pageText(page: string): { readonly text: string; readonly linked: boolean } | null;
  assetFiles(): Iterable<LayoutAsset>;
  /** Number of Markdown files beside SUMMARY.md: one for each document. */
  readonly documents: number;
  /** Number of files under `assets/`. */
  readonly assets: number;
  /** Ids of files whose bytes are not in the mirror; links to them are left as they are. */
  readonly missing: readonly string[];
  /** Path of a document that is part of the layout. */
  pagePath(page: string): string | undefined;
  filePath(file: string): string | undefined;
}

interface Context {
  readonly input: SpaceLayoutInput;
  readonly tree: PageTree;
  readonly assets: ReadonlyMap<string, LayoutAsset>;
  readonly fields: FieldWriter;
  readonly held: Held;
}

type PageContent = Pick<Resource, 'body' | 'text'>;

/** What was read before it was asked for, by id of the page; each is given away once. */
type Held = Map<string, PageContent>;

// In UTF-16 units, a few hundred pages; the fields of a page count for so many.
const MOST_HELD = 2 * 1024 * 1024;
const FIELDS_HELD = 1024;

/** Lays out a space. Names are read at once, texts when `files` is; so the reader must stay open until then. */
export function spaceLayout(input: SpaceLayoutInput): SpaceLayout {
  const { pages, files, within } = source(input);
  const { reader, eager = false } = input;
  const held: Held = new Map();
  const all = eager ? holding(reader, [pages, within], held) : reader.outline(pages, within);
  const tree = readPageTree(outline(input, all), input.only);
  const { assets, missing } = readAssets(outline(input, reader.outline(files, within)), input.onlyFiles);
  const context: Context = { input, tree, assets, fields: input.fields ?? new FieldWriter(), held };
  return {
    files: { [Symbol.iterator]: () => layoutFiles(context) },
    summary: () => contents(context),
    pages: () => layoutPages(tree),
    pageText: (page) => {
      const node = tree.byId.get(page);
      return node ? documentText(context, node) : null;
    },
    assetFiles: () => assets.values(),
    documents: tree.documents.length,
    assets: assets.size,
    missing,
    pagePath: (page) => pathOfPage(tree, page),
    filePath: (file) => assets.get(file)?.path,
  };
}

function* outline(input: SpaceLayoutInput, all: Iterable<Outlined>): Generator<Outlined> {
  for (const one of all) if (one.holds || input.keepNames === true) yield one;
}

/** Pages of a container; the first of them are read with their texts, and held, while there is room. */
function* holding(reader: SnapshotReader, [kind, within]: [KindName, string], held: Held): Generator<Outlined> {
  let size = 0;
  let after: string | undefined;
  for (const page of reader.outline(kind, within, { texts: true })) {
    const { id, holds, body, text } = page;
    if (holds && text !== undefined) {
      held.set(id, { body, text });
      size += FIELDS_HELD + (text?.length ?? 0);
    }
    yield page;
    if (size < MOST_HELD) continue;
    after = page.key;
    break;
  }
  if (after !== undefined) yield* reader.outline(kind, within, { after });
}

function* layoutPages(tree: PageTree): Generator<LayoutPage> {
  for (const node of tree.documents) yield { id: node.id, rid: node.rid, path: filePath(node) };
}

function source(input: SpaceLayoutInput): { pages: KindName; files: KindName; within: string } {
  return input.changeRequest === undefined
    ? { pages: 'page', files: 'file', within: input.space }
    : {
        pages: 'change-request-page',
        files: 'change-request-file',
        within: `${input.space}/${input.changeRequest}`,
      };
}

function* layoutFiles(context: Context): Generator<LayoutFile> {
  const { tree, assets } = context;
  yield { path: SUMMARY, text: contents(context) };
  for (const node of tree.documents) {
    const made = documentText(context, node);
    if (made !== null) yield { path: filePath(node), text: made.text };
  }
  for (const { path, object, size } of assets.values()) yield { path, object, size };
}

function contents(context: Context): string {
  const { input, tree } = context;
  const { reader, space, addresses, follow } = input;
  if (addresses === undefined) return summaryText(tree.roots, follow);
  const resolve = (link: StableLink): string | null => resolveLink(context, link, SUMMARY);
  return summaryText(tree.roots, (node) => followLink({ reader, space, addresses, resolve }, node));
}

function documentText(context: Context, node: PageNode): { text: string; linked: boolean } | null {
  const { input, assets, fields } = context;
  const page = contentOf(context, node.id);
  if (page === undefined) return null;
  const path = filePath(node);
  let linked = false;
  const text = pageText({
    page,
    fields,
    markdown: page.text ?? textOfMain(input, node.id, page),
    name: node.base.slice(node.base.lastIndexOf('/') + 1),
    rewrite: (text) =>
      rewriteStableLinks(
        text,
        (link) => {
          // No file of a layout stands for a space: whether such a link moves with its page is for the resolver to say.
          linked ||= link.to !== 'space';
          return resolveLink(context, link, path);
        },
        input.others ?? input.addresses,
      ),
    fileLink: (file) => {
      linked = true;
      const asset = assets.get(file);
      return asset ? relativeLink(path, asset.path) : input.links.file(file, path);
    },
  });
  return { text, linked };
}

function contentOf({ input, held }: Context, id: string): PageContent | undefined {
  const content = held.get(id);
  held.delete(id);
  const { pages, within } = source(input);
  return content ?? input.reader.one(pages, `${within}/${id}`);
}

// A page that a change request did not touch shares its document with the space.
function textOfMain(input: SpaceLayoutInput, id: string, page: PageContent): string | null {
  if (input.changeRequest === undefined) return null;
  const main = input.reader.one('page', `${input.space}/${id}`);
  return main !== undefined && main.body['documentId'] === page.body['documentId'] ? main.text : null;
}

function resolveLink({ input, tree, assets }: Context, link: StableLink, from: string): string | null {
  const named = input.namesOwnSpace === true && isToldById(input, link) ? askResolver(input.links, link, from) : null;
  if (named !== null) return named;
  const path = pathInside({ input, tree, assets }, link);
  return path === undefined ? askResolver(input.links, link, from) : relativeLink(from, path);
}

/** An import takes over neither a space that is named nor a query: a link from file to file would come back without. */
function isToldById({ space }: SpaceLayoutInput, link: StableLink): boolean {
  return link.to !== 'space' && (link.space === space || link.rest.startsWith('?'));
}

function pathInside(
  { input, tree, assets }: Pick<Context, 'input' | 'tree' | 'assets'>,
  link: StableLink,
): string | undefined {
  if (link.space !== null && link.space !== input.space) return undefined;
  switch (link.to) {
    case 'page':
      return pathOfPage(tree, link.id);
    case 'file':
      return assets.get(link.id)?.path;
    case 'space':
      return undefined;
  }
}

function pathOfPage(tree: PageTree, page: string): string | undefined {
  const node = tree.byId.get(page);
  return node?.kept === true && node.type === 'document' ? filePath(node) : undefined;
}
