// Change requests beside their space: what each one is, and the pages in which it differs from the space.
import { canonicalJson, compareTimes, isRecord, type Pieces } from '../../base/index.ts';
import { PAGE_FLAGS, PAGE_TEXTS, type KindName } from '../../contract/index.ts';
import { PAGES_AT_ONCE, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import type { AppAddresses } from './app-addresses.ts';
import type { FieldWriter } from './field-writer.ts';
import { textField } from './fields.ts';
import type { LinkResolver } from './links.ts';
import { allocateNames, slugName } from './names.ts';
import { spaceLayout, type LayoutFile } from './space-layout.ts';
import { escapeMarkdown, SUMMARY } from './summary.ts';

/** The pages of a change request that are others than those of its space, each by its id with its title. */
export interface Differences {
  readonly added: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, string>;
  readonly removed: ReadonlyMap<string, string>;
  /** What it shows and could never be read: by it, nobody can tell whether it differs. */
  readonly unread: ReadonlyMap<string, string>;
}

const SAME: Differences = { added: new Map(), changed: new Map(), removed: new Map(), unread: new Map() };

interface RequestContent {
  readonly reader: SnapshotReader;
  readonly space: string;
  /** False when no request of the space has pages or files in the mirror. */
  readonly hasContent: boolean;
}

export interface RequestsInput extends RequestContent {
  readonly fields: FieldWriter;
  readonly addresses: AppAddresses;
  /** Links of the request that lies in this folder, below the folder of all requests of the space. */
  readonly linksFrom: (folder: string) => LinkResolver;
}

const COMPARED = ['type', 'title', 'slug', ...PAGE_TEXTS, ...PAGE_FLAGS, 'href', 'cover', 'layout'];

/** Folder names of all change requests of a space, by id: `12-fix-the-typo`. */
export function requestFolders(
  reader: SnapshotReader,
  space: string,
): Map<string, { folder: string; request: Resource }> {
  const requests = [...reader.resources('change-request', space)];
  const names = allocateNames(
    requests.map(({ id, rid, body }) => {
      const subject = slugName(textField(body, 'subject'));
      const number = textField(body, 'number');
      return { id, age: rid, name: subject === '' ? number : `${number}-${subject}` };
    }),
  );
  return new Map(requests.map((request) => [request.id, { folder: names.get(request.id) ?? request.id, request }]));
}

/** Whether any change request of a space has pages or files in the mirror: for most spaces this saves asking for each request. */
export function hasRequestContent(reader: SnapshotReader, space: string): boolean {
  return reader.count('change-request-page', space) > 0 || reader.count('change-request-file', space) > 0;
}

interface RequestLayout {
  /** Of the folder, below that of all requests of the space. */
  readonly folder: string;
  readonly request: Resource;
  /** Null where it has no pages in the mirror. */
  readonly differences: Differences | null;
}

/** The files of one change request, relative to its folder. */
export function* requestFiles(input: RequestsInput, one: RequestLayout): Generator<LayoutFile> {
  const { reader, space, fields } = input;
  const { folder, request } = one;
  const hasPages = one.differences !== null;
  const differences = one.differences ?? SAME;
  yield { path: 'README.md', text: readme(request, { fields, differences, hasPages }) };
  const isAnyPage = differences.added.size + differences.changed.size > 0;
  if (!isAnyPage && !has(input, 'change-request-file', request)) return;
  const layout = spaceLayout({
    reader,
    space,
    changeRequest: request.id,
    keepNames: true,
    links: input.linksFrom(folder),
    addresses: input.addresses,
    only: ({ id }) => differences.added.has(id) || differences.changed.has(id),
    onlyFiles: (file) => reader.one('file', `${space}/${file.id}`)?.object?.sha256 !== file.object?.sha256,
  });
  for (const file of layout.files) if (file.path !== SUMMARY) yield file;
}

function has({ reader, space, hasContent }: RequestContent, kind: KindName, { id }: Resource): boolean {
  return hasContent && reader.count(kind, `${space}/${id}`) > 0;
}

/** Null for a request that has no pages in the mirror. */
export function* differencesOf(input: RequestContent, request: Resource): Pieces<Differences | null> {
  const { reader, space } = input;
  if (!has(input, 'change-request-page', request)) return null;
  // What was merged is in the space, which has moved on since; comparing would show that, turned round.
  if (request.body['status'] === 'merged') return SAME;
  const added = new Map<string, string>();
  const changed = new Map<string, string>();
  const removed = new Map<string, string>();
  const kept = new Set<string>();
  let looked = 0;
  for (const page of reader.resources('change-request-page', `${space}/${request.id}`)) {
    if (++looked % PAGES_AT_ONCE === 0) yield;
    const main = reader.one('page', `${space}/${page.id}`);
    kept.add(page.id);
    if (main === undefined) added.set(page.id, titleOf(page));
    else if (differs(page, main)) changed.set(page.id, titleOf(page));
  }
  const unread = unreadPages(reader, request.key, kept);
  const since = textField(request.body, 'createdAt');
  for (const page of reader.outline('page', space)) {
    if (++looked % PAGES_AT_ONCE === 0) yield;
    if (!page.holds) continue;
    const isNewer = compareTimes(textField(page.body, 'createdAt'), since) > 0;
    if (unread.has(page.id)) unread.set(page.id, titleOf(page));
    else if (!kept.has(page.id) && !isNewer) removed.set(page.id, titleOf(page));
  }
  return { added, changed, removed, unread };
}

/** By id, which is all that is known of those that the space does not have. */
function unreadPages(reader: SnapshotReader, request: string, kept: ReadonlySet<string>): Map<string, string> {
  const ids = reader.unread('change-request-page', request).map((key) => key.slice(key.lastIndexOf('/') + 1));
  return new Map(ids.filter((id) => !kept.has(id)).map((id) => [id, id]));
}

function differs(page: Resource, main: Resource): boolean {
  if (page.parent !== main.parent) return true;
  if (COMPARED.some((field) => canonicalJson(page.body[field]) !== canonicalJson(main.body[field]))) return true;
  const document = page.body['documentId'] ?? null;
  const ofMain = main.body['documentId'] ?? null;
  if (document !== null && document === ofMain) return false;
  return page.text === null ? document !== ofMain : page.text !== main.text;
}

function titleOf(page: Pick<Resource, 'id' | 'body'>): string {
  return textField(page.body, 'title') || page.id;
}

interface Readme {
  readonly fields: FieldWriter;
  readonly differences: Differences;
  readonly hasPages: boolean;
}

function readme({ body }: Resource, { fields, differences, hasPages }: Readme): string {
  const createdBy = isRecord(body['createdBy']) ? body['createdBy']['displayName'] : undefined;
  const known = {
    number: body['number'],
    subject: body['subject'],
    status: body['status'],
    createdBy,
    createdAt: body['createdAt'],
    updatedAt: body['updatedAt'],
    outdated: body['outdated'],
    comments: body['comments'],
  };
  const set = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== null));
  const title = escapeMarkdown(`Change request ${textField(body, 'number')}: ${textField(body, 'subject')}`);
  return `---\n${fields.write(set)}---\n\n# ${title}\n\n${explain(body, hasPages)}\n${lists(differences)}`;
}

// It holds the pages as they were when it was begun or updated last: what the space has had since looks as if it were taken away.
const BEHIND = ' It is behind the space: what the space has changed since shows here as well.';

function explain({ status, outdated }: Resource['body'], hasContent: boolean): string {
  if (status === 'merged') return 'It was merged: its content is part of the space.';
  if (!hasContent) return 'Its content is not in the mirror.';
  const what = 'Below are the pages in which it differs from the space as it stood at the same snapshot.';
  return outdated === true ? what + BEHIND : what;
}

function lists({ added, changed, removed, unread }: Differences): string {
  return Object.entries({ Added: added, Changed: changed, Removed: removed, 'Could not be read': unread })
    .filter(([, pages]) => pages.size > 0)
    .map(
      ([word, pages]) =>
        `\n## ${word}\n\n${[...pages.values()].map((title) => `* ${escapeMarkdown(title)}\n`).join('')}`,
    )
    .join('');
}
