// The content of a space, or of one of its change requests, without an import: files and pages are inserted, and what of a change request
// stands in its space already is edited.
import { originalKind, UNDER_WAY_STATUSES, type ChangeRequest, type Revision } from '../../contract/index.ts';
import { kindsOf, pagesInOrder, textIn, type ContentSource } from '../content/import-parts.ts';
import { untakenContent } from '../content/untaken-content.ts';
import { settleWhereLast } from '../journal/made-spaces.ts';
import { detailOf } from '../journal/step-detail.ts';
import { chosenContent, pagesAsked } from '../selection/chosen-content.ts';
import { pagesById } from '../special/page-places.ts';
import {
  contentAfter,
  contentOf,
  idsIn,
  isRequest,
  type ContentPath,
  type RequestPath,
} from '../target/content-there.ts';
import type { Filled } from '../steps/content/first-pages.ts';
import type { ImportJob } from '../steps/content/import-whole.ts';
import { createRequest, findRequest, mergeRequest } from '../target/own-request.ts';
import { ownWhereImported } from '../steps/content/own-spaces.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import { withBoth, withLacks } from '../with-problems.ts';
import { editProposed } from './edit-proposed.ts';
import { adoptFiles, fileSaid, insertFiles, type WantedFile } from './insert-files.ts';
import { insertPages } from './insert-pages.ts';
import { adoptPages, titleSent, type WantedPage } from './page-insertion.ts';
import { putInOrder } from './put-in-order.ts';
import { lacksOf, standInText } from './stand-ins.ts';
import { keepInserted, whyInserted } from './was-inserted.ts';

/** Brings all of a source. What goes into the space itself is gathered in a change request of the step, which is merged. */
export async function insertWhole(context: ApplyContext, step: PlanStep, { source, into }: ImportJob): Promise<Filled> {
  const content = contentOfSource(context, source);
  const why = whyInserted(context, step);
  keepInserted(context, step, why);
  const done = (brought: Brought, how: string): Filled => filled(context, into, { ...brought, content, how });
  if (isRequest(into)) return done(await fill(context, step, { source, content, path: into }), why);
  const own = await requestOf(context, step, into.spaceId);
  const how = `${why}, in change request ${own.number}`;
  // Of an earlier try, which was cut off when it had merged.
  if (own.status === 'merged') return done(await standing(context, step, { content, into, own }), how);
  const path = { ...into, changeRequestId: own.id };
  const { lacks } = await fill(context, step, { source, content, path });
  const { revision, isBoth } = await mergeRequest(context, path);
  const brought = idsBrought(context, content);
  const isAll = (now: Revision): boolean => {
    const there = idsIn(now);
    return brought.every((id) => there.has(id));
  };
  return done({ made: await contentAfter(context, { into, revision, isAll }), lacks, isBoth }, how);
}

interface Standing {
  readonly content: Content;
  readonly into: ContentPath;
  readonly own: ChangeRequest;
}

async function standing(
  context: ApplyContext,
  step: PlanStep,
  { content: { pages, files }, into, own }: Standing,
): Promise<Brought> {
  const others = new Set(firstPagesOf(context, step));
  const lost = (now: Revision): readonly (WantedPage | WantedFile)[] => {
    adoptFiles(context, { wanted: files, others }, now);
    adoptPages(context, { wanted: pages, others }, now.pages);
    return [...pages, ...files].filter(({ kind, key }) => context.ids.get(kind, key) === undefined);
  };
  const isAll = (now: Revision): boolean => lost(now).length === 0;
  const made = await contentAfter(context, { into, revision: own.revisionMerged ?? '', isAll });
  return { made, lacks: [...lost(made).map(notThere), ...lacksOf(context, step, { pages, made: made.pages })] };
}

/** What was refused an earlier try knew, which was cut off before it could say so. */
function notThere(one: WantedPage | WantedFile): string {
  const called = 'name' in one ? `file ${one.name}` : `page ${titleSent(one.body)}`;
  return `${called} is not in what an earlier try merged`;
}

function idsBrought({ ids }: ApplyContext, { pages, files }: Content): string[] {
  return [...pages, ...files].flatMap(({ kind, key }) => ids.get(kind, key) ?? []);
}

/** That of an earlier try, or a new one. */
export async function requestOf(context: ApplyContext, step: PlanStep, spaceId: string): Promise<ChangeRequest> {
  const among = [...UNDER_WAY_STATUSES, 'merged'] as const;
  const begun = await findRequest(context, step, { spaceId, among });
  settleWhereLast(context.journal, step.key, begun?.createdAt);
  return begun ?? (await createRequest(context, step, spaceId));
}

interface Content {
  readonly pages: readonly WantedPage[];
  readonly files: readonly WantedFile[];
}

interface Brought {
  readonly made: Revision;
  readonly lacks: readonly string[];
  /** The merge met edits of others. */
  readonly isBoth?: boolean;
}

interface Filling extends Pick<ImportJob, 'source'> {
  readonly content: Content;
  readonly path: RequestPath;
}

async function fill(context: ApplyContext, step: PlanStep, { source, content, path }: Filling): Promise<Brought> {
  const { pages: wanted, files } = content;
  const begun = await contentOf(context, path);
  ownWhereImported(context, source, begun);
  const stands = standingOf(context, source, begun);
  const others = new Set([...stands, ...idsOfSpace(context, source), ...firstPagesOf(context, step)]);
  const refused = await insertFiles(context, { path, wanted: files, others }, begun);
  const edited = new Set([...stands, ...ownOf(context, wanted, begun)]);
  const { made, lacks, untaken } = await insertPages(context, { path, wanted, others, edited });
  const unedited =
    source.changeRequest === undefined ? [] : await editProposed(context, source, { path, standing: edited });
  const unmoved = await putInOrder(context, { path, wanted, others }, made.pages);
  const inserted = wanted.filter(({ key, kind }) => !stands.has(context.ids.get(kind, key) ?? ''));
  const left = untakenContent(context.reader, source, untaken);
  return {
    made,
    lacks: [
      ...refused,
      ...left,
      ...lacks,
      ...unedited,
      ...unmoved,
      ...lacksOf(context, step, { pages: inserted, made: made.pages }),
    ],
  };
}

/** In a change request: pages and files of its space, which it has from there, and which are its own by that. */
function standingOf(context: ApplyContext, { space, changeRequest }: ContentSource, begun: Revision): Set<string> {
  const standing = new Set<string>();
  if (changeRequest === undefined) return standing;
  const there = idsIn(begun);
  for (const [kind, within] of Object.values(kindsOf({ space, changeRequest }))) {
    for (const { key, id } of context.reader.outline(kind, within)) {
      const now = context.ids.get(originalKind(kind) ?? kind, `${space}/${id}`);
      if (now === undefined || !there.has(now)) continue;
      standing.add(now);
      context.ids.set(kind, key, now);
    }
  }
  return standing;
}

/** In place: pages that only the change request has, and that stand in it. */
function ownOf({ live }: ApplyContext, wanted: readonly WantedPage[], { pages }: Revision): string[] {
  const there = pagesById(pages);
  const own = wanted.filter(
    ({ kind, key, id }) => kind === 'change-request-page' && there.has(id) && live?.one(kind, key),
  );
  return own.map(({ id }) => id);
}

/** A change request has pages and files of its space from there: what it has in place of one is another, whatever it is called. */
function idsOfSpace({ ids, reader }: ApplyContext, { space, changeRequest }: ContentSource): string[] {
  if (changeRequest === undefined) return [];
  const kinds = ['page', 'file'] as const;
  return kinds.flatMap((kind) => [...reader.outline(kind, space)].flatMap(({ key }) => ids.get(kind, key) ?? []));
}

function firstPagesOf({ journal }: ApplyContext, { key }: PlanStep): string[] {
  const entry = journal.madeSpace(key);
  return entry === undefined ? [] : Object.keys(detailOf(entry).firstPages ?? {});
}

/** What is asked for of a source, as an edit takes it. */
export function contentOfSource(context: ApplyContext, source: ContentSource): Content {
  const { reader } = context;
  const { pages, files } = kindsOf(source);
  const asked = pagesAsked(context.plan, source);
  const chosen = asked && chosenContent(reader, source.space, asked);
  const wanted = pagesInOrder(reader, source).filter(({ id }) => chosen?.pages.has(id) ?? true);
  const ids = new Set(wanted.map(({ id }) => id));
  const own = [...reader.resources(...files)].filter(({ id }) => chosen?.files.has(id) ?? true);
  return {
    pages: wanted.map(({ key, id, parent, body }) => ({
      kind: pages[0],
      key,
      id,
      above: parent !== null && ids.has(parent) ? parent : null,
      body,
      text: textOf(context, source, { key, id, body }),
    })),
    files: own.flatMap(({ key, body, object }) =>
      object === null ? [] : [{ kind: files[0], key, object: object.sha256, size: object.size, ...fileSaid(body) }],
    ),
  };
}

function textOf(
  { reader, addresses }: ApplyContext,
  source: ContentSource,
  { key, id, body }: Pick<WantedPage, 'key' | 'id' | 'body'>,
): string {
  if (body['type'] !== 'document') return standInText(body, addresses);
  return textIn(reader, source, { id, key });
}

interface Told extends Brought {
  readonly content: Content;
  readonly how: string;
}

function filled(context: ApplyContext, into: ContentPath, { content, made, lacks, isBoth, how }: Told): Filled {
  const map: Record<string, Record<string, string>> = {};
  for (const { kind, key } of [...content.pages, ...content.files]) {
    const id = context.ids.get(kind, key);
    if (id !== undefined) (map[kind] ??= {})[key] = id;
  }
  return { into, made, outcome: withLacks(withBoth({ newId: made.id, map, how }, isBoth), lacks) };
}
