// Comparing a snapshot with what stands on the target after a restore, field by field, through the id map and the ledger.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { changedPages } from '../change-request-pages.ts';
import { creditOf, readCredit, textOf, withoutCredit } from '../credit.ts';
import type { IdMap } from '../id-map.ts';
import { RESTORED_KINDS, ledgerOf } from '../ledger.ts';
import { mapLinks } from '../links.ts';
import type { Difference, FieldCount } from '../types.ts';

export interface Compared {
  readonly exact: FieldCount;
  readonly bestEffort: FieldCount;
  readonly lost: FieldCount;
  readonly kinds: Record<string, { resources: number; missing: number; exact: FieldCount }>;
  readonly differences: Difference[];
}

export interface CompareInput {
  readonly original: SnapshotReader;
  readonly restored: SnapshotReader;
  readonly ids: IdMap;
  /** Original organization and the one restored into. */
  readonly organization: { readonly from: string; readonly to: string };
}

const MOST_DIFFERENCES = 1000;
const SHOWN_LENGTH = 200;

/** Compares every resource of the kinds that a restore writes. A missing resource counts all its exact fields as unequal. */
export function compareSnapshots(input: CompareInput): Compared {
  const compared: Compared = {
    exact: { fields: 0, equal: 0 },
    bestEffort: { fields: 0, equal: 0 },
    lost: { fields: 0, equal: 0 },
    kinds: {},
    differences: [],
  };
  for (const kind of RESTORED_KINDS) {
    const counts = { resources: 0, missing: 0, exact: { fields: 0, equal: 0 } };
    for (const resource of originals(input, kind)) compareResource(input, compared, { resource, counts });
    if (counts.resources > 0) compared.kinds[kind] = counts;
  }
  return compared;
}

/** The originals that the plan covers: those of the organization, and of change requests what is their own. */
function* originals({ original, organization }: CompareInput, kind: KindName): IterableIterator<Resource> {
  if (kind === 'change-request-page') {
    for (const request of original.resources('change-request')) {
      if (isCovered(original, request, organization.from) && request.body['status'] !== 'merged')
        yield* changedPages(original, request);
    }
    return;
  }
  // Revisions have only fields that the server sets; the files of a change request are compared where they are in the space.
  if (kind === 'revision' || kind === 'change-request-revision' || kind === 'change-request-file') return;
  for (const resource of original.resources(kind)) if (isCovered(original, resource, organization.from)) yield resource;
}

function isCovered(original: SnapshotReader, resource: Resource, organization: string): boolean {
  if (resource.kind === 'collection' || resource.kind === 'space')
    return resource.body['organization'] === organization;
  return original.one('space', resource.params['spaceId'] ?? '')?.body['organization'] === organization;
}

interface Counts {
  resources: number;
  missing: number;
  readonly exact: FieldCount;
}

function compareResource(
  input: CompareInput,
  compared: Compared,
  { resource, counts }: { resource: Resource; counts: Counts },
): void {
  counts.resources += 1;
  const restored = findRestored(input, resource);
  if (!restored) {
    counts.missing += 1;
    addDifference(compared, {
      kind: resource.kind,
      key: resource.key,
      field: '*',
      class: 'exact',
      expected: 'restored',
      got: 'missing',
    });
  }
  const wanted = valuesOf(resource, (kind, id) => input.ids.byId(kind, id) ?? id, input);
  const got = restored ? valuesOf(restored, (_kind, id) => id, null) : {};
  for (const field of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const entry = ledgerOf(resource.kind, field);
    const equal = restored !== undefined && canonicalJson(wanted[field] ?? null) === canonicalJson(got[field] ?? null);
    count(compared[entry.class], equal);
    if (entry.class === 'exact') count(counts.exact, equal);
    if (equal || entry.class === 'lost' || !restored) continue;
    const shown = { expected: show(wanted[field]), got: show(got[field]) };
    addDifference(compared, { kind: resource.kind, key: resource.key, field, class: entry.class, ...shown });
  }
}

function count(counts: FieldCount, equal: boolean): void {
  counts.fields += 1;
  if (equal) counts.equal += 1;
}

function addDifference(compared: Compared, difference: Difference): void {
  if (compared.differences.length < MOST_DIFFERENCES) compared.differences.push(difference);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)` : text;
}

function findRestored({ ids, restored }: CompareInput, resource: Resource): Resource | undefined {
  const own = ids.get(resource.kind, resource.key);
  if (own === undefined) return undefined;
  const { params } = kindOf(resource.kind);
  const last = params.length - 1;
  const key = params.map((name, index) => (index === last ? own : newParam(ids, resource, name)));
  return restored.one(resource.kind, key.join('/'));
}

function newParam(ids: IdMap, resource: Resource, name: string): string {
  const value = resource.params[name] ?? '';
  const space = resource.params['spaceId'] ?? '';
  switch (name) {
    case 'spaceId':
      return ids.get('space', value) ?? '';
    case 'changeRequestId':
      return ids.get('change-request', `${space}/${value}`) ?? '';
    case 'commentId': {
      const kind = resource.kind === 'comment-reply' ? 'comment' : 'change-request-comment';
      return ids.get(kind, resource.key.slice(0, resource.key.lastIndexOf('/'))) ?? '';
    }
    default:
      return value;
  }
}

type NewId = (kind: KindName, id: string) => string;

/** What is compared of a resource: its fields, with every id of the original replaced by the restored one. */
function valuesOf(resource: Resource, newId: NewId, input: CompareInput | null): Record<string, unknown> {
  const values: Record<string, unknown> = { ...resource.body };
  for (const [path, kind] of Object.entries(kindOf(resource.kind).refs ?? {})) {
    const to = (id: string): string =>
      kind === 'organization' && input ? input.organization.to : newId(kind as KindName, id);
    replaceAt(values, path.split('.'), to);
  }
  const text = (markdown: string): string => (input ? mapLinks(markdown, input.ids) : markdown);
  if (resource.kind.endsWith('page')) {
    values['markdown'] = resource.text === null ? null : text(resource.text);
    values['parent'] = resource.parent === null ? null : newId(resource.kind, resource.parent);
    values['position'] = resource.position;
  }
  if (resource.object !== null) values['sha256'] = resource.object.sha256;
  if (resource.kind.includes('comment'))
    Object.assign(values, commentValues(resource, { text, newId, original: input !== null }));
  return values;
}

/** Replaces the id at a path; the objects on the way are copied, not changed. */
function replaceAt(values: Record<string, unknown>, [step = '', ...rest]: string[], to: (id: string) => string): void {
  const value = values[step];
  if (rest.length === 0) {
    if (typeof value === 'string') values[step] = to(value);
  } else if (isRecord(value)) {
    const copy = { ...value };
    values[step] = copy;
    replaceAt(copy, rest, to);
  }
}

interface CommentView {
  readonly text: (markdown: string) => string;
  readonly newId: NewId;
  readonly original: boolean;
}

function commentValues(resource: Resource, { text, newId, original }: CommentView): Record<string, unknown> {
  const { reactions, target } = resource.body;
  const page = isRecord(target) && isRecord(target['page']) ? target['page']['id'] : undefined;
  const emoji = (Array.isArray(reactions) ? reactions : []).filter(isRecord).map((one) => JSON.stringify(one['emoji']));
  const sent = text(textOf(resource.body) ?? '');
  // On the restored side the credit line speaks for the author; the poster is the account that restored.
  const credit = original ? creditOf(resource.body) : readCredit(sent);
  return {
    postedBy: credit?.author ?? null,
    postedAt: credit?.at ?? null,
    body: original ? sent : withoutCredit(sent),
    reactions: emoji.toSorted((a, b) => a.localeCompare(b)),
    ...(target === undefined ? {} : { target: typeof page === 'string' ? newId('page', page) : null }),
  };
}
