// One space (or the content of one change request) as files: what people read on disk and what an import takes back.
import type { KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { textField } from './fields.ts';
import { relativeLink, rewriteStableLinks, type LinkResolver, type StableLink } from './links.ts';
import { allocateNames, splitExtension } from './names.ts';
import { filePath, keptDocuments, readPageTree, type PageNode, type PageTree } from './page-tree.ts';
import { pageText } from './page-text.ts';
import { SUMMARY, summaryText } from './summary.ts';

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
  /** Limits the pages; the others keep their names, so paths do not depend on the selection. */
  readonly only?: (page: Resource) => boolean;
  readonly onlyFiles?: (file: Resource) => boolean;
}

export interface SpaceLayout {
  /** Made one by one while it is read; reading again makes them again. SUMMARY.md comes first. */
  readonly files: Iterable<LayoutFile>;
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

interface Asset {
  readonly path: string;
  readonly object: string;
  readonly size: number;
}

interface Context {
  readonly input: SpaceLayoutInput;
  readonly tree: PageTree;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Lays out a space. Names are read at once, texts when `files` is; so the reader must stay open until then. */
export function spaceLayout(input: SpaceLayoutInput): SpaceLayout {
  const { pages, files, within } = source(input);
  const tree = readPageTree(input.reader.resources(pages, within), input.only);
  const { assets, missing } = readAssets(input.reader.resources(files, within), input.onlyFiles);
  const context: Context = { input, tree, assets };
  return {
    files: { [Symbol.iterator]: () => layoutFiles(context) },
    documents: tree.documents,
    assets: assets.size,
    missing,
    pagePath: (page) => pathOfPage(tree, page),
    filePath: (file) => assets.get(file)?.path,
  };
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

function readAssets(
  files: Iterable<Resource>,
  only: ((file: Resource) => boolean) | undefined,
): { assets: Map<string, Asset>; missing: string[] } {
  const wanted: { id: string; name: string; extension: string; object: Resource['object'] }[] = [];
  for (const file of files) {
    if (only !== undefined && !only(file)) continue;
    wanted.push({ id: file.id, ...assetName(textField(file.body, 'name')), object: file.object });
  }
  const names = allocateNames(wanted);
  const assets = new Map<string, Asset>();
  const missing: string[] = [];
  for (const { id, object } of wanted) {
    if (object === null) missing.push(id);
    else assets.set(id, { path: `assets/${names.get(id) ?? id}`, object: object.sha256, size: object.size });
  }
  return { assets, missing };
}

// An attached Markdown file would be read back as a page.
function assetName(name: string): { name: string; extension: string } {
  const { name: stem, extension } = splitExtension(name);
  return { name: stem, extension: /^\.(md|markdown)$/i.test(extension) ? `${extension}.txt` : extension };
}

function* layoutFiles({ input, tree, assets }: Context): Generator<LayoutFile> {
  yield { path: SUMMARY, text: summaryText(tree.roots) };
  for (const node of keptDocuments(tree.roots)) {
    const text = documentText({ input, tree, assets }, node);
    if (text !== null) yield { path: filePath(node), text };
  }
  yield* assets.values();
}

function documentText(context: Context, node: PageNode): string | null {
  const { input, assets } = context;
  const page = input.reader.one(source(input).pages, node.key);
  if (page === undefined) return null;
  const path = filePath(node);
  return pageText({
    page,
    markdown: page.text ?? textOfMain(input, page),
    name: node.base.slice(node.base.lastIndexOf('/') + 1),
    rewrite: (text) => rewriteStableLinks(text, (link) => resolveLink(context, link, path)),
    fileLink: (file) => {
      const asset = assets.get(file);
      return asset ? relativeLink(path, asset.path) : input.links.file(file, path);
    },
  });
}

// A page that a change request did not touch shares its document with the space.
function textOfMain(input: SpaceLayoutInput, page: Resource): string | null {
  if (input.changeRequest === undefined) return null;
  const main = input.reader.one('page', `${input.space}/${page.id}`);
  return main !== undefined && main.body['documentId'] === page.body['documentId'] ? main.text : null;
}

function resolveLink({ input, tree, assets }: Context, link: StableLink, from: string): string | null {
  if (link.to === 'file') {
    const asset = assets.get(link.id);
    return asset ? relativeLink(from, asset.path) : input.links.file(link.id, from);
  }
  const isOwn = link.space === null || link.space === input.space;
  const path = isOwn ? pathOfPage(tree, link.id) : undefined;
  return path === undefined ? input.links.page(link.space, link.id, from) : relativeLink(from, path);
}

function pathOfPage(tree: PageTree, page: string): string | undefined {
  const node = tree.byId.get(page);
  return node?.kept === true && node.type === 'document' ? filePath(node) : undefined;
}
