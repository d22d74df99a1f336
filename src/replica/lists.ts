// Listings: which resources belong to one, in which order, and what its filters do.
import { compareTimes, depthFirst, folded, groupBy, isRecord } from '../base/index.ts';
import { kindNames, kindOf, type KindName, type OperationName } from '../contract/index.ts';
import type { Resource } from '../mirror/index.ts';
import { listed, listedNaming, need, told, type View } from './view.ts';

export type Query = Readonly<Record<string, unknown>>;

/** A request for one operation, taken apart. */
export interface Ask {
  readonly operation: OperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
}

type Lister = (view: View, ask: Ask) => readonly Resource[];

/** The kind whose resources an operation lists; undefined when it lists none. */
function kindListedBy(operation: OperationName): KindName | undefined {
  return kindNames.find((kind) => {
    const { read } = kindOf(kind);
    return read.from === 'list' && read.operation === operation;
  });
}

/** True for an operation that lists resources of a kind. */
export function isListed(operation: OperationName): boolean {
  return LISTERS[operation] !== undefined || kindListedBy(operation) !== undefined;
}

/** The resources of a listing, filtered and in order. Throws a 404 when what holds it is not there. */
export function listOf(view: View, ask: Ask): readonly Resource[] {
  const special = LISTERS[ask.operation];
  if (special) return special(view, ask);
  const kind = kindListedBy(ask.operation);
  return kind === undefined ? [] : plainList(view, ask, kind);
}

/** What stands below the resource that the path names. */
function plainList(view: View, { path }: Ask, kind: KindName): readonly Resource[] {
  const { params } = kindOf(kind);
  demandHolder(view, path);
  const within = params
    .slice(0, -1)
    .map((name) => path[name] ?? '')
    .join('/');
  return told(view, { kind, within }, listed(view, kind, within === '' ? undefined : within));
}

/** From the outermost inwards, as a platform would say what is not there. */
function demandHolder(view: View, path: Ask['path']): void {
  const { organizationId, userId, specSlug, siteId, spaceId, changeRequestId, commentId } = path;
  if (organizationId !== undefined) need(view, 'organization', organizationId);
  if (userId !== undefined) need(view, 'member', `${organizationId ?? ''}/${userId}`);
  if (specSlug !== undefined) need(view, 'openapi-spec', `${organizationId ?? ''}/${specSlug}`);
  if (siteId !== undefined) need(view, 'site', `${organizationId ?? ''}/${siteId}`);
  if (spaceId !== undefined) need(view, 'space', spaceId);
  if (changeRequestId !== undefined) need(view, 'change-request', `${spaceId ?? ''}/${changeRequestId}`);
  if (commentId === undefined) return;
  const inRequest = changeRequestId !== undefined;
  const key = [spaceId, ...(inRequest ? [changeRequestId] : []), commentId].join('/');
  need(view, inRequest ? 'change-request-comment' : 'comment', key);
}

/** Depth first, each collection right before what it holds. One that stands in none that is held, whatever it names, stands at the top. */
const collections: Lister = (view, { path, query }) => {
  const { organizationId = '' } = path;
  need(view, 'organization', organizationId);
  const all = told(
    view,
    { kind: 'collection', within: organizationId },
    listed(view, 'collection').filter(({ body }) => body['organization'] === organizationId),
  );
  const held = new Set<unknown>(all.map(({ id }) => id));
  const inside = groupBy(all, ({ body: { parent } }) => (held.has(parent) ? parent : null));
  const roots = inside.get(null) ?? [];
  const found = depthFirst(roots, ({ id }) => inside.get(id) ?? []);
  const reached = new Set(found);
  // They stand within themselves, or in such a one: no root leads to them.
  const looped = all.filter((one) => !reached.has(one));
  return [...(query['nested'] === false ? roots : found), ...looped];
};

const collectionSpaces: Lister = (view, { path }) => {
  const { collectionId = '' } = path;
  need(view, 'collection', collectionId);
  const spaces = listedNaming(view, collectionId, { kind: 'space' }).filter(
    ({ body }) => body['parent'] === collectionId,
  );
  return told(view, { kind: 'space', within: collectionId, holder: 'collection' }, spaces);
};

/** Newest first; what is open unless another status is asked for. */
const changeRequests: Lister = (view, ask) => {
  const { status, contributor } = ask.query;
  return plainList(view, ask, 'change-request')
    .filter(
      ({ body }) => body['status'] === status && (contributor === undefined || idOf(body['createdBy']) === contributor),
    )
    .toSorted((a, b) => Number(b.body['number']) - Number(a.body['number']));
};

function comments(kind: KindName): Lister {
  return (view, ask) => {
    const { status, order, targetPage, authors } = ask.query;
    const wanted = Array.isArray(authors) && authors.length > 0 ? new Set(authors.map(String)) : null;
    const found = byTime(plainList(view, ask, kind), 'postedAt').filter(({ body }) => {
      const target = isRecord(body['target']) ? body['target'] : {};
      return (
        (status === 'all' || body['status'] === status) &&
        (targetPage === undefined || idOf(target['page']) === targetPage) &&
        (wanted === null || wanted.has(idOf(body['postedBy']) ?? ''))
      );
    });
    return order === 'desc' ? found.toReversed() : found;
  };
}

function replies(kind: KindName): Lister {
  return (view, ask) => byTime(plainList(view, ask, kind), 'postedAt');
}

const members: Lister = (view, ask) => {
  const { role, search, sort, order } = ask.query;
  const found = plainList(view, ask, 'member').filter(({ body }) => {
    // Who was never seen, or is disabled, is not active.
    if (sort === 'lastSeenAt' && (typeof body['lastSeenAt'] !== 'string' || body['disabled'] === true)) return false;
    if (role === 'guest' ? body['role'] !== null : role !== undefined && body['role'] !== role) return false;
    const user = isRecord(body['user']) ? body['user'] : {};
    return search === undefined || has(user['displayName'], search) || has(user['email'], search);
  });
  const field = sort === 'lastSeenAt' ? 'lastSeenAt' : 'joinedAt';
  const ascending = found.toSorted(
    (a, b) => compareTimes(textOf(a.body[field]), textOf(b.body[field])) || compare(a.id, b.id),
  );
  return order === 'desc' ? ascending.toReversed() : ascending;
};

/** The newest space first, unless asked otherwise. */
const memberSpaces: Lister = (view, ask) => {
  const all = plainList(view, ask, 'space-member');
  const times = new Map(all.map(({ id }) => [id, textOf(view.reader.one('space', id)?.body['createdAt'])]));
  const found = all.toSorted((a, b) => compareTimes(times.get(a.id) ?? '', times.get(b.id) ?? '') || b.rid - a.rid);
  return ask.query['order'] === 'asc' ? found : found.toReversed();
};

const teams: Lister = (view, ask) => {
  const { title, owner } = ask.query;
  const admins = new Set(
    listed(view, 'member', ask.path['organizationId'])
      .filter(({ body }) => body['role'] === 'admin')
      .map(({ id }) => id),
  );
  const owned = new Set(
    listed(view, 'team-membership', ask.path['organizationId'])
      .filter(({ params, body }) => params['userId'] === owner && roleIn(body['member']) === 'owner')
      .map(({ params }) => params['teamId']),
  );
  return plainList(view, ask, 'team').filter(
    ({ id, body }) =>
      (title === undefined || has(body['title'], title)) &&
      (owner === undefined || admins.has(textOf(owner)) || owned.has(id)),
  );
};

const memberTeams: Lister = (view, ask) => {
  const { title } = ask.query;
  const all = plainList(view, ask, 'team-membership');
  const order = new Map(listed(view, 'team', ask.path['organizationId']).map(({ id }, i) => [id, i]));
  return all
    .filter(({ params }) => {
      const team = view.reader.one('team', `${ask.path['organizationId'] ?? ''}/${params['teamId'] ?? ''}`);
      return title === undefined || has(team?.body['title'], title);
    })
    .toSorted((a, b) => (order.get(a.params['teamId'] ?? '') ?? 0) - (order.get(b.params['teamId'] ?? '') ?? 0));
};

const sites: Lister = (view, ask) => {
  const { title, published, space } = ask.query;
  return plainList(view, ask, 'site').filter(
    ({ key, body }) =>
      (title === undefined || has(body['title'], title)) &&
      (published === undefined || body['published'] === published) &&
      (space === undefined || listed(view, 'site-space', key).some((place) => idOf(place.body['space']) === space)),
  );
};

const siteSpaces: Lister = (view, ask) => {
  const { default: first } = ask.query;
  return plainList(view, ask, 'site-space').filter(
    ({ body }) => first === undefined || (body['default'] === true) === first,
  );
};

/** Newest first: the one that the specification calls its last, and the others by their times, which a platform may leave out. */
const specVersions: Lister = (view, ask) => {
  const { organizationId = '', specSlug = '' } = ask.path;
  const last = view.reader.one('openapi-spec', `${organizationId}/${specSlug}`)?.body['lastVersion'];
  const versions = byTime(plainList(view, ask, 'openapi-spec-version'), 'createdAt').toReversed();
  return versions.toSorted((a, b) => Number(b.id === last) - Number(a.id === last));
};

const LISTERS: Readonly<Partial<Record<OperationName, Lister>>> = {
  listOrganizations: (view) => listed(view, 'organization'),
  listCollections: collections,
  listCollectionSpaces: collectionSpaces,
  listChangeRequests: changeRequests,
  listComments: comments('comment'),
  listChangeRequestComments: comments('change-request-comment'),
  listCommentReplies: replies('comment-reply'),
  listChangeRequestCommentReplies: replies('change-request-comment-reply'),
  listMembers: members,
  listMemberSpaces: memberSpaces,
  listTeams: teams,
  listMemberTeams: memberTeams,
  listSites: sites,
  listSiteSpaces: siteSpaces,
  listOpenApiSpecVersions: specVersions,
};

function byTime(resources: readonly Resource[], field: string): Resource[] {
  return resources.toSorted((a, b) => compareTimes(textOf(a.body[field]), textOf(b.body[field])) || a.rid - b.rid);
}

function compare(a: unknown, b: unknown): number {
  const [first, second] = [textOf(a), textOf(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function has(text: unknown, part: unknown): boolean {
  return folded(textOf(text)).includes(folded(textOf(part)));
}

function idOf(value: unknown): string | undefined {
  const id = isRecord(value) ? value['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function roleIn(member: unknown): unknown {
  return isRecord(member) ? member['role'] : member;
}
