// What stands in an organization as people see it: ids appear only where they tell two things apart.
import { readerAt, type Mirror, type Resource, type SnapshotReader } from '../../src/mirror/index.ts';

export interface StandingPage {
  readonly id: string;
  readonly space: string;
  readonly parent: string | null;
  readonly at: number;
  readonly type: string;
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly hidden: boolean;
  /** With the ids of what it links to. */
  readonly text: string;
}

/** Pages by id. */
export function pagesAt(mirror: Mirror, snapshot: number): Map<string, StandingPage> {
  const pages = [...readerAt(mirror, snapshot).resources('page')];
  return new Map(pages.map((page) => [page.id, asStanding(page)]));
}

function asStanding({ id, params, parent, position, body, text }: Resource): StandingPage {
  const word = (field: string): string => (typeof body[field] === 'string' ? body[field] : '');
  return {
    id,
    space: params['spaceId'] ?? '',
    parent,
    at: position ?? 0,
    // An import makes groups at the top only: below a page one comes back as an empty document.
    type: word('type') === 'group' && parent !== null ? 'document' : word('type'),
    title: word('title'),
    slug: word('slug'),
    path: word('path'),
    hidden: body['hidden'] === true,
    text: text ?? '',
  };
}

const LINK = /\/(?:spaces\/([\w-]+)\/)?(pages|files|spaces)\/([\w-]+)/g;
const ADDRESS = /https?:\/\/[\w.:-]+\/app\/s\/([\w-]+)(?:\/p\/([\w-]+))?/g;

/** A text whose links say no more than that they lead somewhere. */
export function withoutTargets(text: string): string {
  return text
    .replaceAll(ADDRESS, (...[, , page]) => (page === undefined ? '/spaces/*' : '/pages/*'))
    .replaceAll(LINK, '/$2/*');
}

/** Everything in words: spaces with their pages in order, texts with links by the path of what they lead to, files by their content. */
export function wordsOf(mirror: Mirror, snapshot: number): string[] {
  const reader = readerAt(mirror, snapshot);
  const named = namesIn(reader);
  const pages = [...pagesAt(mirror, snapshot).values()];
  const spaces = [...reader.resources('space')].toSorted((a, b) => (spaceName(a) < spaceName(b) ? -1 : 1));
  return spaces.flatMap((space) => [
    `space ${spaceName(space)} in ${named.get(`collection ${String(space.body['parent'])}`) ?? 'none'}`,
    ...below(
      pages.filter((page) => page.space === space.id),
      null,
      named,
    ),
    ...[...reader.resources('file', space.key)].map((file) => `file ${named.get(`file ${file.id}`) ?? ''}`).toSorted(),
  ]);
}

function below(pages: readonly StandingPage[], parent: string | null, named: ReadonlyMap<string, string>): string[] {
  const here = pages.filter((page) => page.parent === parent).toSorted((a, b) => a.at - b.at);
  return here.flatMap((page) => [
    `page ${page.path} ${page.type} "${page.title}"${page.hidden ? ' hidden' : ''}: ${inWords(page, named)}`,
    ...below(pages, page.id, named),
  ]);
}

function inWords({ text, space: own }: StandingPage, named: ReadonlyMap<string, string>): string {
  // An address is as good as the ids: a restore may write either for what has another id.
  const byId = text.replaceAll(ADDRESS, (...[, space = '', page]: (string | undefined)[]) => {
    if (page === undefined) return `/spaces/${space}`;
    return space === own ? `/pages/${page}` : `/spaces/${space}/pages/${page}`;
  });
  const words = byId.replaceAll(LINK, (...[, space, kind = '', id = '']: string[]) => {
    const where = space === undefined ? '' : `<${named.get(`space ${space}`) ?? 'broken'}>`;
    return `${where}<${named.get(`${kind.slice(0, -1)} ${id}`) ?? 'broken'}>`;
  });
  return JSON.stringify(words.trim());
}

function spaceName({ body }: Resource): string {
  return String(body['title']);
}

function namesIn(reader: SnapshotReader): Map<string, string> {
  const names = new Map<string, string>();
  for (const one of reader.resources('space')) names.set(`space ${one.id}`, `space ${spaceName(one)}`);
  for (const one of reader.resources('collection')) names.set(`collection ${one.id}`, String(one.body['title']));
  for (const one of reader.resources('page'))
    names.set(`page ${one.id}`, `page ${String(one.body['path'] ?? one.body['title'])}`);
  for (const one of reader.resources('file'))
    names.set(`file ${one.id}`, `${String(one.body['name'])} ${one.object?.sha256.slice(0, 8) ?? ''}`);
  return names;
}
