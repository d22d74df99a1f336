// Change requests with their content, comments and replies.
import { compareTimes, count, type Pieces } from '../../base/index.ts';
import { childKinds, isComment, isReply, kindOf } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import {
  countChanged,
  isOfSpace,
  leftBehind,
  neverRead,
  ownFiles,
  unreadPages,
  wereTreesRead,
} from '../special/change-request-pages.ts';
import { creditedText } from '../special/credit.ts';
import { AddressLinks } from '../links/address-links.ts';
import { linkedElsewhere } from '../links/links.ts';
import { hasLinkingProposals } from '../links/proposed-links.ts';
import { proposedNotImported } from '../special/not-imported.ts';
import { emojiIn, spaceOf, textAt, titleOf } from '../resource.ts';
import { insertRequests } from './by-edits.ts';
import { importRequests, importsOf } from './content.ts';
import { NO_PAGES, type Planning, type StepList } from './step-list.ts';

/** Change requests with their content, oldest first. */
export function* addChangeRequests(planning: Planning, space: Resource): Pieces<void> {
  const { list } = planning;
  const content = list.creatorOf('revision', space.key) ?? list.creatorOf('space', space.key);
  const linker = list.linkerOf(space.key);
  for (const request of requestsOf(planning, space)) {
    const written = yield* contentOf(planning, request);
    // Without content of its own it shows the texts that its space has when it is made; one that is merged is there for what was said of it.
    const showsSpace = written === null && request.body['status'] !== 'merged';
    const linksTo = showsSpace ? [linker] : [];
    const created = list.add({ part: 'create', of: request, needs: [content], linksTo });
    if (written !== null) addRequestContent(planning, request, { ...written, created });
  }
}

interface RequestContent {
  readonly revision: Resource;
  /** How many pages, and how many files, are not as in the space. */
  readonly changed: { readonly pages: number; readonly files: number };
  /** How many of its pages could never be read. */
  readonly unread: number;
  /** Pages of the space that it lacks or moves. */
  readonly behind: readonly Resource[];
  /** Those of them that are to go from it. */
  readonly left: readonly Resource[];
}

/** What is to be written into a change request; null when nothing is. */
function* contentOf({ reader, complete }: Planning, request: Resource): Pieces<RequestContent | null> {
  const revision = reader.one('change-request-revision', request.key);
  if (!revision || request.body['status'] === 'merged') return null;
  const changed = {
    pages: yield* countChanged(reader, request),
    files: [...ownFiles(reader, request)].length,
  };
  const untold = unreadPages(reader, request);
  const behind = (yield* leftBehind(reader, request)).filter(({ id }) => !untold.has(id));
  // What a partial snapshot lacks may only not have been read; what another revision of the space lacks may have come to it since.
  const isTold = complete && isOfSpace(reader, request) && wereTreesRead(reader, request);
  const left = isTold ? behind : [];
  const unread = neverRead(reader, request);
  return changed.pages + changed.files + left.length === 0 ? null : { revision, changed, unread, behind, left };
}

function addRequestContent(
  planning: Planning,
  request: Resource,
  { revision, changed, unread, behind, left, created }: RequestContent & { readonly created: number },
): void {
  const { list, reader, addresses } = planning;
  const imports = importsOf(planning, { space: spaceOf(request), changeRequest: request.id });
  const { pages, files } = changed;
  // Those that its pages show come with them, and need not be told.
  const brought = pages > 0 ? count(pages, 'changed page') : count(files, 'changed file');
  const parts = [
    ...(pages + files > 0 ? [`${brought} by ${imports === 1 ? 'import' : `${imports} imports`}`] : []),
    ...(left.length > 0 ? [`${count(left.length, 'page')} taken away from where the space has it`] : []),
    ...(behind.length > left.length
      ? [`${count(behind.length, 'page')} of the space that it lacks or moves stay in it`]
      : []),
    ...(unread > 0 ? [`${count(unread, 'page')} that could never be read left out`] : []),
  ];
  const linking = hasLinkingProposals(reader, { addresses, request: request.key });
  const { titled, shown } = proposedNotImported(reader, request.key);
  const beside = titled.length + shown.length > 0 ? 2 : 0;
  const added = left.map((page) => ({ id: page.id, title: titleOf(page), why: ['as the change request has it'] }));
  list.add({
    part: 'content',
    of: revision,
    title: titleOf(request),
    note: parts.join(', '),
    needs: [created],
    linksTo: contentsLinked(planning, request),
    requests: importRequests(imports) + (left.length > 0 ? 3 : 1) + (linking ? 1 : 0) + beside,
    byEdits: insertRequests({ parents: parentsAnew(planning, request), files: 0 }) + (left.length > 0 ? 4 : 2),
    ...(left.length > 0 ? { pages: { ...NO_PAGES, added } } : {}),
  });
}

/** Those that its space does not have: all others are edited. */
function parentsAnew({ reader }: Planning, request: Resource): Map<string, string | null> {
  const own = spaceOf(request);
  const pages = [...reader.outline('change-request-page', request.key)].filter(
    ({ id, holds }) => holds && reader.one('page', `${own}/${id}`) === undefined,
  );
  return new Map(pages.map(({ id, parent }) => [id, parent]));
}

/** The spaces that it links to: with links that lead nowhere yet, it would propose to turn those of its space back. */
function contentsLinked({ list, reader, addresses }: Planning, request: Resource): (number | undefined)[] {
  const own = spaceOf(request);
  const links = new AddressLinks(addresses, own);
  const linked = new Set<string>();
  for (const { id, text } of reader.resources('change-request-page', request.key)) {
    const shown = links.byId(text ?? reader.one('page', `${own}/${id}`)?.text ?? '');
    for (const { space } of linkedElsewhere(shown, own)) linked.add(space);
  }
  return [...linked].map((space) => list.creatorOf('revision', space) ?? list.creatorOf('space', space));
}

/** Last of all: what may send mail, and then the state of change requests, since an archived one may take no more. */
export function addTalk(planning: Planning, space: Resource): void {
  const { list, selection } = planning;
  const needs = list.creatorOf('revision', space.key) ?? list.creatorOf('space', space.key);
  for (const request of requestsOf(planning, space)) addTalkOf(planning, request);
  if (!selection.parts.comments) return;
  const only = selection.limitOf('comment');
  addComments(planning, { kind: 'comment', within: space.id, needs, only });
}

function requestsOf({ reader, selection }: Planning, space: Resource): Resource[] {
  const chosen = selection.limitOf('change-request');
  if (!selection.parts.changeRequests) return [];
  return [...reader.resources('change-request', space.id)]
    .filter(({ key }) => chosen === null || chosen.has(key))
    .toSorted((a, b) => Number(a.body['number']) - Number(b.body['number']));
}

function addTalkOf(planning: Planning, request: Resource): void {
  const { list, selection } = planning;
  const needs = list.creatorOf('change-request-revision', request.key) ?? list.creatorOf('change-request', request.key);
  const kind = 'change-request-comment';
  const only = selection.limitOf(kind);
  if (selection.parts.requestComments) addComments(planning, { kind, within: request.key, needs, only });
  const { status } = request.body;
  if (status === 'draft') return;
  const note = status === 'merged' ? 'archived; what it merged is in the space' : String(status);
  list.add({ part: 'state', of: request, note, needs: [needs] });
}

/** Comments and replies that are gone from what stands; a reply also goes with its comment. */
export function addMissingDiscussions({ list, reader }: Planning, missing: readonly Resource[]): void {
  for (const one of byTime(missing.filter(({ kind }) => isComment(kind)))) {
    if (isReply(one.kind)) addReply(list, one, undefined);
    else addComment(list, reader, { comment: one, needs: undefined });
  }
}

interface Discussion {
  readonly kind: 'comment' | 'change-request-comment';
  readonly within: string;
  readonly needs: number | undefined;
  /** Keys of those that are meant; null for all. */
  readonly only: ReadonlySet<string> | null;
}

function addComments({ list, reader }: Planning, { kind, within, needs, only }: Discussion): void {
  for (const comment of byTime(reader.resources(kind, within)))
    if (only === null || only.has(comment.key)) addComment(list, reader, { comment, needs });
}

interface CommentParts {
  readonly comment: Resource;
  readonly needs: number | undefined;
}

const WITHOUT_TEXT = 'its text was not sent as Markdown';

function addComment(list: StepList, reader: SnapshotReader, { comment, needs }: CommentParts): void {
  const replies = childKinds(comment.kind).flatMap((kind) => [...reader.resources(kind, comment.key)]);
  if (creditedText(comment.body) === null) {
    list.addUnsupported(comment, WITHOUT_TEXT);
    for (const answer of byTime(replies)) list.addUnsupported(answer, `it goes with its comment: ${WITHOUT_TEXT}`);
    return;
  }
  const created = list.add({ part: 'create', of: comment, note: 'with a credit line', needs: [needs] });
  for (const answer of byTime(replies)) addReply(list, answer, created);
  if (emojiIn(comment.body).length > 0 || comment.body['status'] === 'resolved') {
    list.add({ part: 'state', of: comment, note: 'reactions and resolution', needs: [created] });
  }
}

function addReply(list: StepList, answer: Resource, comment: number | undefined): void {
  if (creditedText(answer.body) === null) {
    list.addUnsupported(answer, WITHOUT_TEXT);
    return;
  }
  const replied = list.add({ part: 'create', of: answer, note: 'with a credit line', needs: [comment] });
  if (emojiIn(answer.body).length > 0 && kindOf(answer.kind).update !== undefined)
    list.add({ part: 'state', of: answer, note: 'reactions', needs: [replied] });
}

function byTime(resources: Iterable<Resource>): Resource[] {
  const postedAt = ({ body }: Resource): string => textAt(body, 'postedAt') ?? '';
  return [...resources].toSorted((a, b) => compareTimes(postedAt(a), postedAt(b)) || a.key.localeCompare(b.key));
}
