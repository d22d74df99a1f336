// Revisions, pages and files, put together from the parts that the mirror keeps.
import { isRecord } from '../base/index.ts';
import { notFound, Refusal, type KindName } from '../contract/index.ts';
import { documentNodes } from '../document/index.ts';
import type { Outlined, Resource } from '../mirror/index.ts';
import { show, type Body } from './show.ts';
import { storedPages } from './stored-content.ts';
import { demandTold, listed, need, told, type View } from './view.ts';

export interface Place {
  readonly revision: KindName;
  readonly page: KindName;
  readonly file: KindName;
  readonly document: KindName;
  /** Key of the space, or of the change request in it. */
  readonly within: string;
  /** Entries that pages are computed from are wanted, not those pages. */
  readonly isStored?: boolean;
}

/** The content that a path means: that of a space, or of one of its change requests. */
export function placeOf(view: View, path: Readonly<Record<string, string>>): Place {
  const { spaceId = '', changeRequestId } = path;
  need(view, 'space', spaceId);
  if (changeRequestId === undefined) return mainPlace(spaceId);
  const within = `${spaceId}/${changeRequestId}`;
  need(view, 'change-request', within);
  return {
    revision: 'change-request-revision',
    page: 'change-request-page',
    file: 'change-request-file',
    document: 'change-request-page-document',
    within,
  };
}

/** The main content of a space. */
export function mainPlace(space: string): Place {
  return { revision: 'revision', page: 'page', file: 'file', document: 'page-document', within: space };
}

export function revisionAt(view: View, place: Place): Body {
  const revision = need(view, place.revision, place.within);
  return {
    ...show(view, revision),
    pages: pagesAt(view, place),
    files: listed(view, place.file, place.within).map((one) => showFile(view, one)),
    // They are known by their space, also where only a change request holds them.
    reusableContents: listed(view, 'reusable-content', place.within.split('/')[0]).map(({ body }) => body),
  };
}

/** The tree of pages, without their texts. */
export function pagesAt(view: View, { page, within, isStored = false }: Place): Body[] {
  const children = new Map<string | null, Outlined[]>();
  const held = [...view.reader.outline(page, within)].filter(({ holds }) => holds);
  for (const one of told(view, { kind: page, within }, held)) {
    const siblings = children.get(one.parent) ?? [];
    children.set(one.parent, siblings);
    siblings.push(one);
  }
  const below = (parent: string | null): Body[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
      .map((one) => withPages(one, below(one.id)));
  return isStored ? storedPages(below(null)) : below(null);
}

/** Links hold no pages, and have no list of them. */
function withPages({ body }: Pick<Outlined, 'body'>, pages: readonly Body[]): Body {
  return body['type'] === 'link' && pages.length === 0 ? body : { ...body, pages };
}

/** By id, as the list of files comes. */
export function filesAt(view: View, { file, within }: Place): Body[] {
  const held = [...view.reader.resources(file, within)];
  return told(view, { kind: file, within }, held)
    .map((one) => showFile(view, one))
    .toSorted(byId);
}

function byId(a: Body, b: Body): number {
  return String(a['id']) < String(b['id']) ? -1 : 1;
}

export function fileAt(view: View, { file, within }: Place, id: string): Body {
  return showFile(view, need(view, file, `${within}/${id}`));
}

/** The bytes come from here, not from the platform. */
function showFile(view: View, { body, object }: Resource): Body {
  if (object === null) return body;
  const text = (field: string, otherwise: string): string => {
    const value = body[field];
    return typeof value === 'string' ? value : otherwise;
  };
  const [name, contentType] = [text('name', 'file'), text('contentType', 'application/octet-stream')];
  return { ...body, downloadURL: view.address({ sha256: object.sha256, name, contentType }) };
}

const WITHOUT_TEXT: ReadonlySet<unknown> = new Set(['link', 'group', 'computed']);

interface PageRequest {
  readonly id: string;
  readonly format: 'markdown' | 'document';
}

/** A page with its text and the tree below it. */
export function pageAt(view: View, place: Place, { id, format }: PageRequest): Body {
  const key = `${place.within}/${id}`;
  const page = need(view, place.page, key);
  const shown = isAlone(view, place, page) ? withPages(page, []) : findPage(pagesAt(view, place), id);
  if (shown === undefined) throw notFound('Page', id);
  if (WITHOUT_TEXT.has(shown['type'])) return shown;
  if (format === 'markdown') {
    const markdown = textOfPage(view, place, page);
    if (markdown === null) throw textLacks(view, place, id);
    return { ...shown, markdown };
  }
  const kept = documentOfPage(view, place, page);
  const text = textOfPage(view, place, page);
  if (kept === undefined && text === null) throw textLacks(view, place, id);
  return { ...shown, document: kept ?? documentOf(withoutTitle(text ?? '')) };
}

/** Why a page has no text: the snapshot, or one that is said to share it, could not read it. */
function textLacks(view: View, { page, within }: Place, id: string): Error {
  demandTold(view, page, `${within}/${id}`);
  return new Refusal(503, `The text of page ${id} is not in the mirror`);
}

/** The Markdown of a page; one that a change request did not touch shares it with the space. Null when the mirror lacks it. */
export function textOfPage({ reader }: View, { within }: Place, page: Resource): string | null {
  if (page.text !== null) return page.text;
  const { documentId, computed, title } = page.body;
  // An empty page has no document, so none is read of it.
  if ((documentId ?? computed ?? undefined) === undefined) return `# ${String(title)}\n`;
  const main = reader.one('page', `${within.split('/')[0] ?? ''}/${page.id}`);
  return main !== undefined && main.body['documentId'] === page.body['documentId'] ? main.text : null;
}

/** The document tree that the platform gave of a page; that of the space where a change request shows the same text. */
function documentOfPage({ reader }: View, { document, within }: Place, page: Resource): unknown {
  const { documentId } = page.body;
  const own = reader.one(document, `${within}/${page.id}`);
  if (own !== undefined || typeof documentId !== 'string') return own?.body['document'];
  const main = reader.one('page-document', `${within.split('/')[0] ?? ''}/${page.id}`);
  return main?.body['documentId'] === documentId ? main.body['document'] : undefined;
}

/** True for a page that stands in the tree with none below it, as most do: then it can be shown without the others. */
function isAlone({ reader }: View, { page: kind, within, isStored = false }: Place, page: Resource): boolean {
  if (isStored || reader.isParent(page)) return false;
  const passed = new Set<string>();
  let at: Resource | undefined = page;
  while (at !== undefined && at.parent !== null && !passed.has(at.id)) {
    passed.add(at.id);
    at = reader.one(kind, `${within}/${at.parent}`);
  }
  return at?.parent === null;
}

function findPage(pages: readonly Body[], id: string): Body | undefined {
  for (const page of pages) {
    if (page['id'] === id) return page;
    const below = Array.isArray(page['pages']) ? findPage(page['pages'].filter(isRecord), id) : undefined;
    if (below) return below;
  }
  return undefined;
}

/** The Markdown of a page begins with its title; its document does not. */
export function withoutTitle(markdown: string): string {
  return markdown.replace(/^# [^\n]*(?:\n+|$)/, '');
}

export function documentOf(markdown: string): Body {
  return { object: 'document', data: {}, nodes: documentNodes(markdown) };
}
