// Links of a change request. The platform computes them from its pages whenever it is asked, and so does the replica: of a large space
// that takes a minute, so it is done in pieces.
import { isRecord, rewriteLinks, type Pieces } from '../base/index.ts';
import { readTarget, type LinkTarget } from '../document/index.ts';
import type { Resource } from '../mirror/index.ts';
import { mainPlace, textOfPage, withoutTitle, type Place } from './content.ts';
import { List } from './list.ts';
import { show, type Body } from './show.ts';
import { listedPages, need, type ListedPage, type View } from './view.ts';

interface Found {
  readonly key: string;
  readonly target: LinkTarget;
  readonly holders: ListedPage[];
}

/** The content that links are looked for in. */
interface Content {
  readonly view: View;
  readonly place: Place;
  readonly space: Resource;
  /** Without their texts, which are read one by one. */
  readonly pages: readonly ListedPage[];
}

/** Links of one page of a change request, and how many of them are broken there but not in the space. */
export function* requestPageLinks(view: View, place: Place, id: string): Pieces<List> {
  const page = need(view, place.page, `${place.within}/${id}`);
  const content = contentAt(view, place);
  const links = yield* linksIn(content, [page]);
  const broken = links.filter(({ target }) => statusOf(content, target) === 'broken');
  const changeRequest = yield* brokenAnew(contentAt(view, mainPlace(content.space.id)), broken);
  const stats = { total: links.length, broken: { total: broken.length, changeRequest } };
  return List.of(
    links.map((link) => showLink(content, link)),
    { stats },
  );
}

/** How many of the broken links are none of those that are broken in the main content. */
function* brokenAnew(main: Content, broken: readonly Found[]): Pieces<number> {
  // Else every text of the space would be read for nothing.
  if (broken.length === 0) return 0;
  const known = new Map((yield* linksIn(main, main.pages)).map((link) => [link.key, link]));
  const isKnown = (link: Found | undefined): boolean => link !== undefined && statusOf(main, link.target) === 'broken';
  return broken.filter(({ key }) => !isKnown(known.get(key))).length;
}

/** Pages of a change request that link to a file, by their ids. */
export function* requestBacklinks(view: View, place: Place, file: string): Pieces<List> {
  need(view, place.file, `${place.within}/${file}`);
  const content = contentAt(view, place);
  const links = yield* linksIn(content, content.pages);
  const to = links.find(({ target }) => target.kind === 'file' && target.file === file);
  const holders = (to?.holders ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return List.of(holders.map((holder) => showHolder(content, holder)));
}

function contentAt(view: View, place: Place): Content {
  const space = need(view, 'space', place.within.split('/')[0] ?? '');
  return { view, place, space, pages: listedPages(view, place.page, place.within) };
}

// About as much as is read and taken apart in some tens of milliseconds.
const PIECE_LENGTH = 65_536;

/** One entry for each target, sorted by it. */
function* linksIn({ view, place, space, pages }: Content, holders: readonly ListedPage[]): Pieces<Found[]> {
  const paths = new Map(pages.map((page) => [page.body['path'], page]));
  const found = new Map<string, Found>();
  let looked = 0;
  for (const holder of holders) {
    const page = view.reader.one(place.page, holder.key);
    if (page === undefined) continue;
    const text = textOfPage(view, place, page) ?? '';
    looked += text.length;
    if (looked >= PIECE_LENGTH) {
      looked = 0;
      yield;
    }
    const from = { space: space.id, page: holder.id, pageAt: (path: string) => paths.get(path) };
    for (const written of new Set(writtenIn(page, text))) {
      const target = readTarget(from, written);
      const key = JSON.stringify(target);
      const known = found.get(key);
      if (known && known.holders.at(-1) !== holder) known.holders.push(holder);
      if (!known) found.set(key, { key, target, holders: [holder] });
    }
  }
  return [...found.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Link targets as they stand: where the page leads, its cover, what it is computed from, and those in its text. */
function writtenIn(page: Resource, text: string): string[] {
  const { href, cover, computed } = page.body;
  const ref = isRecord(cover) && isRecord(cover['ref']) ? cover['ref'] : {};
  const targets = [
    typeof href === 'string' ? href : '',
    typeof ref['file'] === 'string' ? `/files/${ref['file']}` : typeof ref['url'] === 'string' ? ref['url'] : '',
    specOf(computed),
  ];
  rewriteLinks(withoutTitle(text), (target) => {
    targets.push(target);
    return undefined;
  });
  return targets.filter((target) => target !== '');
}

function specOf(computed: unknown): string {
  let value: unknown = computed;
  for (const step of ['dependencies', 'spec', 'ref', 'spec']) value = isRecord(value) ? value[step] : undefined;
  return typeof value === 'string' ? `/openapi/${value}` : '';
}

function statusOf(content: Content, target: LinkTarget): 'ok' | 'broken' | 'in-app' {
  if (target.kind !== 'url') return isThere(content, target) ? 'ok' : 'broken';
  if (target.url.startsWith(appOf(content.space))) return 'in-app';
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target.url) ? 'ok' : 'broken';
}

/** Where the addresses of the platform's own pages begin. */
function appOf({ body }: Resource): string {
  const app = isRecord(body['urls']) ? body['urls']['app'] : undefined;
  const at = typeof app === 'string' ? app.indexOf('/app/') : -1;
  return typeof app === 'string' && at >= 0 ? app.slice(0, at + '/app/'.length) : '\u0000';
}

function isThere({ view: { reader }, place, space }: Content, target: Exclude<LinkTarget, { kind: 'url' }>): boolean {
  switch (target.kind) {
    case 'page':
      return target.space === space.id
        ? reader.one(place.page, `${place.within}/${target.page}`) !== undefined
        : reader.one('page', `${target.space}/${target.page}`) !== undefined;
    case 'file':
      return target.space === space.id
        ? reader.one(place.file, `${place.within}/${target.file}`) !== undefined
        : reader.one('file', `${target.space}/${target.file}`) !== undefined;
    case 'space':
      return reader.one('space', target.space) !== undefined;
    case 'collection':
      return reader.one('collection', target.collection) !== undefined;
    case 'user':
      return reader.keysOf('member', target.user).length > 0;
    case 'openapi':
      return reader.one('openapi-spec', `${String(space.body['organization'])}/${target.slug}`) !== undefined;
    case 'reusable-content':
      return reader.keysOf('reusable-content', target.content).length > 0;
  }
}

function showLink(content: Content, { target, holders }: Found): Body {
  const isNeeded = target.kind === 'reusable-content' || target.kind === 'openapi';
  return {
    status: statusOf(content, target),
    relation: isNeeded ? 'dependsOn' : 'reference',
    targetReference: showTarget(content, target),
    locationReferences: holders.map((holder) => showHolder(content, holder)),
  };
}

function showHolder(content: Content, { body }: ListedPage): Body {
  return { kind: 'page', ...placeOf(content, content.space.id), page: body };
}

function showTarget(content: Content, target: LinkTarget): Body {
  const { view, place, space } = content;
  const isOwn = 'space' in target && target.space === space.id;
  switch (target.kind) {
    case 'url':
      return { kind: 'url', url: target.url };
    case 'file': {
      const file = isOwn ? view.reader.one(place.file, `${place.within}/${target.file}`) : undefined;
      const { downloadURL: _, ...shown } = file?.body ?? { id: target.file };
      return { kind: 'file', ...placeOf(content, target.space), file: shown };
    }
    case 'page': {
      const page = isOwn ? view.reader.one(place.page, `${place.within}/${target.page}`) : undefined;
      const { anchor } = target;
      const inside = anchor === undefined ? {} : { internalLocation: { type: 'anchor', anchor } };
      return { kind: 'page', ...placeOf(content, target.space), page: page?.body ?? { id: target.page }, ...inside };
    }
    case 'space':
      return { kind: 'space', ...placeOf(content, target.space) };
    case 'collection':
      return { kind: 'collection', collection: { id: target.collection } };
    case 'user':
      return { kind: 'user', user: { id: target.user } };
    case 'reusable-content': {
      const reusable = view.reader.one('reusable-content', `${target.space}/${target.content}`);
      const shown = isOwn ? reusable?.body : undefined;
      return {
        kind: 'reusable-content',
        ...placeOf(content, target.space),
        reusableContent: shown ?? { id: target.content },
      };
    }
    case 'openapi':
      return { kind: 'openapi', openAPISpec: { slug: target.slug } };
  }
}

/** The space and its organization; nothing for a space that is not there. */
function placeOf({ view }: Content, id: string): Body {
  const space = view.reader.one('space', id);
  const organization = space && view.reader.one('organization', String(space.body['organization']));
  return space && organization ? { organization: show(view, organization), space: show(view, space) } : {};
}
