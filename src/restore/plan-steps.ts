// The steps of a plan in their order: containers, spaces, content, links across spaces, discussions, settings.
import { kindNames, kindOf, type KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { creditedText } from './credit.ts';
import { isRestored, reasonNotRestored } from './ledger.ts';
import { linksElsewhere } from './links.ts';
import { changedPages } from './change-request-pages.ts';
import type { Action, Part, PlanStep } from './types.ts';

interface NewStep {
  readonly action?: Action;
  readonly part: Part;
  readonly of: Resource;
  readonly note?: string;
  readonly needs?: readonly (number | undefined)[];
  readonly requests?: number;
}

/** Collects steps and knows which step creates what. */
class StepList {
  readonly steps: PlanStep[] = [];
  readonly #creators = new Map<string, number>();

  add(step: NewStep): number {
    const { of } = step;
    const number = this.steps.length + 1;
    this.steps.push({
      step: number,
      action: step.action ?? 'create',
      part: step.part,
      kind: of.kind,
      key: of.key,
      title: titleOf(of),
      note: step.note ?? '',
      needs: (step.needs ?? []).filter((need) => need !== undefined),
      requests: step.requests ?? 1,
    });
    if (step.part === 'create' || step.part === 'content') this.#creators.set(`${of.kind} ${of.key}`, number);
    return number;
  }

  creatorOf(kind: KindName, key: string): number | undefined {
    return this.#creators.get(`${kind} ${key}`);
  }
}

export function titleOf(resource: Resource): string {
  const { title, subject, name, displayName } = resource.body as Record<string, string | undefined>;
  return title ?? subject ?? name ?? displayName ?? resource.id;
}

export interface StepInput {
  readonly reader: SnapshotReader;
  readonly organization: string;
  readonly review: boolean;
}

/** Every step for one organization of a snapshot. The same snapshot gives the same steps. */
export function planSteps(input: StepInput): PlanStep[] {
  const list = new StepList();
  addCollections(list, input);
  const spaces = [...input.reader.resources('space')].filter(
    (space) => space.body['organization'] === input.organization,
  );
  for (const space of spaces) addSpace(list, space);
  for (const space of spaces) addContent(list, input, space);
  if (!input.review) {
    for (const space of spaces) addLinks(list, input, space);
    for (const space of spaces) addDiscussions(list, input.reader, space);
  }
  for (const space of spaces) addSettings(list, space);
  addUnsupported(list, input, new Set(spaces.map((space) => space.id)));
  return list.steps;
}

/** Parents before children; siblings in the order of their keys, so that the same snapshot gives the same plan. */
function addCollections(list: StepList, { reader, organization }: StepInput): void {
  let level: (string | undefined)[] = [undefined];
  const all = [...reader.resources('collection')].filter((one) => one.body['organization'] === organization);
  const ids = new Set(all.map((one) => one.id));
  const parentOf = (one: Resource): string | undefined => {
    const parent = one.body['parent'];
    return typeof parent === 'string' && ids.has(parent) ? parent : undefined;
  };
  while (level.length > 0) {
    const here = all.filter(
      (one) => level.includes(parentOf(one)) && list.creatorOf('collection', one.key) === undefined,
    );
    for (const one of here) addCollection(list, one, parentOf(one));
    level = here.map((one) => one.id);
  }
}

function addCollection(list: StepList, one: Resource, parent: string | undefined): void {
  const above = parent === undefined ? undefined : list.creatorOf('collection', parent);
  const created = list.add({ part: 'create', of: one, needs: [above] });
  const { description, defaultLevel } = one.body;
  if (description !== undefined || defaultLevel !== undefined) {
    list.add({ action: 'update', part: 'settings', of: one, note: 'description and default level', needs: [created] });
  }
}

function addSpace(list: StepList, space: Resource): void {
  const parent = space.body['parent'];
  const needs = [typeof parent === 'string' ? list.creatorOf('collection', parent) : undefined];
  list.add({ part: 'create', of: space, note: 'by the create operation that the target offers', needs });
}

function addContent(list: StepList, { reader, review }: StepInput, space: Resource): void {
  const revision = reader.one('revision', space.key);
  const pages = reader.count('page', space.id);
  if (!revision || pages === 0) return;
  const files = reader.count('file', space.id);
  const note = `${pages} pages and ${files} files by import${review ? ', as a change request to be merged by a person' : ''}`;
  list.add({
    part: 'content',
    of: named(revision, space),
    note,
    needs: [list.creatorOf('space', space.key)],
    requests: review ? 4 : 2,
  });
}

// A revision has no title of its own.
function named(resource: Resource, space: Resource): Resource {
  return { ...resource, body: { ...resource.body, title: titleOf(space) } };
}

function addLinks(list: StepList, { reader }: StepInput, space: Resource): void {
  let pages = 0;
  for (const page of reader.resources('page', space.id))
    if (page.text !== null && linksElsewhere(page.text)) pages += 1;
  const revision = reader.one('revision', space.key);
  if (pages === 0 || !revision) return;
  const contents = list.steps.filter((step) => step.part === 'content').map((step) => step.step);
  const note = `soft edge: links of ${pages} pages into other spaces, once those are there`;
  list.add({
    action: 'update',
    part: 'links',
    of: named(revision, space),
    note,
    needs: [list.creatorOf('revision', space.key), ...contents],
  });
}

function addDiscussions(list: StepList, reader: SnapshotReader, space: Resource): void {
  const content = list.creatorOf('revision', space.key) ?? list.creatorOf('space', space.key);
  const requests = [...reader.resources('change-request', space.id)].toSorted(
    (a, b) => Number(a.body['number']) - Number(b.body['number']),
  );
  for (const request of requests) addChangeRequest(list, reader, { request, content });
  addComments(list, reader, { kind: 'comment', reply: 'comment-reply', within: space.id, needs: content });
}

function addChangeRequest(
  list: StepList,
  reader: SnapshotReader,
  { request, content }: { request: Resource; content: number | undefined },
): void {
  const created = list.add({ part: 'create', of: request, needs: [content] });
  const revision = reader.one('change-request-revision', request.key);
  let last = created;
  if (revision && request.body['status'] !== 'merged') {
    const changed = [...changedPages(reader, request)].length;
    if (changed > 0)
      last = list.add({
        part: 'content',
        of: revision,
        note: `${changed} changed pages by import`,
        needs: [created],
        requests: 2,
      });
  }
  const comments = {
    kind: 'change-request-comment',
    reply: 'change-request-comment-reply',
    within: request.key,
    needs: last,
  } as const;
  addComments(list, reader, comments);
  // Last, since an archived request may take no more content.
  if (request.body['status'] !== 'draft') {
    const note =
      request.body['status'] === 'merged' ? 'archived; what it merged is in the space' : String(request.body['status']);
    list.add({ action: 'update', part: 'state', of: request, note, needs: [last] });
  }
}

interface Discussion {
  readonly kind: 'comment' | 'change-request-comment';
  readonly reply: 'comment-reply' | 'change-request-comment-reply';
  readonly within: string;
  readonly needs: number | undefined;
}

function addComments(list: StepList, reader: SnapshotReader, { kind, reply, within, needs }: Discussion): void {
  for (const comment of byTime(reader.resources(kind, within))) {
    if (creditedText(comment.body) === null) {
      list.add({
        action: 'unsupported',
        part: 'none',
        of: comment,
        note: 'its text was not sent as Markdown',
        requests: 0,
      });
      continue;
    }
    const created = list.add({ part: 'create', of: comment, note: 'with a credit line', needs: [needs] });
    for (const answer of byTime(reader.resources(reply, comment.key))) {
      const replied = list.add({ part: 'create', of: answer, note: 'with a credit line', needs: [created] });
      if (hasReactions(answer) && reply === 'comment-reply') {
        list.add({ action: 'update', part: 'state', of: answer, note: 'reactions', needs: [replied] });
      }
    }
    if (hasReactions(comment) || comment.body['status'] === 'resolved') {
      list.add({ action: 'update', part: 'state', of: comment, note: 'reactions and resolution', needs: [created] });
    }
  }
}

function byTime(resources: Iterable<Resource>): Resource[] {
  return [...resources].toSorted(
    (a, b) => String(a.body['postedAt']).localeCompare(String(b.body['postedAt'])) || a.key.localeCompare(b.key),
  );
}

function hasReactions(resource: Resource): boolean {
  const { reactions } = resource.body;
  return Array.isArray(reactions) && reactions.length > 0;
}

// After the content: a locked space takes no import. Discussions may fail without holding it back.
function addSettings(list: StepList, space: Resource): void {
  const { editMode, defaultLevel } = space.body;
  if (editMode === undefined && defaultLevel === undefined) return;
  const imports = list.steps.filter((step) => step.kind === 'revision' && step.key === space.key);
  list.add({
    action: 'update',
    part: 'settings',
    of: space,
    note: 'edit mode and default level',
    needs: [list.creatorOf('space', space.key), ...imports.map((step) => step.step)],
  });
}

function addUnsupported(list: StepList, { reader, organization }: StepInput, spaces: ReadonlySet<string>): void {
  for (const kind of kindNames) {
    if (isRestored(kind) || kind === 'organization') continue;
    const within = kindOf(kind).params[0] === 'organizationId' ? organization : undefined;
    for (const resource of reader.resources(kind, within)) {
      if (resource.params['spaceId'] !== undefined && !spaces.has(resource.params['spaceId'])) continue;
      list.add({ action: 'unsupported', part: 'none', of: resource, note: reasonNotRestored(kind), requests: 0 });
    }
  }
}
