// What must be known of a target before anything is written to it. Reads only.
import { hasStatus, NOT_OFFERED, NOT_PERMITTED } from './answers.ts';
import { canonicalJson, sha256 } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import { kindOf, type KindName, type Member, type PagedOperationName } from '../contract/index.ts';
import { allOf } from './listings.ts';
import { isInBin, textAt, titleOf, type Body } from './resource.ts';
import { OWN_KINDS } from './restored-kinds.ts';

/** Something that stands on the target. */
interface Found {
  readonly id: string;
  readonly title: string;
  readonly body: Body;
}

export interface TargetState {
  readonly organization: string;
  /** The organization itself, with what the token may do there. */
  readonly body: Body;
  readonly members: readonly Member[];
  /** By kind; kinds that the token cannot list are not there. */
  readonly there: ReadonlyMap<KindName, readonly Found[]>;
  /** Kinds that could not be listed, with the status. */
  readonly unread: readonly { readonly kind: KindName; readonly status: number }[];
  /** With which the platform refuses the organization itself to the token, of which this knows nothing then; null where it shows it. */
  readonly refused: number | null;
}

/** Read first, by themselves: without these nothing tells whether the organization is empty. */
const NEEDED: ReadonlySet<KindName> = new Set<KindName>(['member', 'collection', 'space']);

/** Reads what stands in an organization: enough to tell whether it is empty, what clashes, and who is there. */
export async function readTarget(client: ApiClient, organizationId: string): Promise<TargetState> {
  const asking = { client, organizationId };
  const organization = await client.call('getOrganization', { path: { organizationId } });
  const there = new Map<KindName, Found[]>();
  const unread: { kind: KindName; status: number }[] = [];
  const collections = await listAll(asking, 'listCollections');
  const members = await allOf(client.paginate('listMembers', { path: { organizationId } }));
  there.set('collection', collections.map(foundOf('collection')));
  there.set('space', (await readSpaces(asking, collections, members)).map(foundOf('space')));
  for (const kind of OWN_KINDS.filter((one) => !NEEDED.has(one))) {
    const items = await tryList(asking, kind);
    if (typeof items === 'number') unread.push({ kind, status: items });
    else there.set(kind, items.map(foundOf(kind)));
  }
  return { organization: organizationId, body: { ...organization }, members, there, unread, refused: null };
}

/** To whom it shows nothing of something, a platform says that it is forbidden, needs a higher plan, or is not there. */
export const NOT_SHOWN = [...NOT_PERMITTED, 404] as const;

/** In place a guest has spaces of an organization that is not shown to it: what they hold can be mended all the same. */
export async function readTargetOfGuest(client: ApiClient, organization: string): Promise<TargetState> {
  try {
    return await readTarget(client, organization);
  } catch (error) {
    if (!hasStatus(error, NOT_SHOWN)) throw error;
    const { status: refused } = error;
    return { organization, body: {}, members: [], there: new Map(), unread: [], refused };
  }
}

interface Asking {
  readonly client: ApiClient;
  readonly organizationId: string;
}

function listAll(
  { client, organizationId }: Asking,
  operation: PagedOperationName,
  path: Readonly<Record<string, string>> = {},
): Promise<Body[]> {
  return allOf(client.paginateRaw(operation, { path: { organizationId, ...path } }));
}

const NOT_READABLE = [...NOT_PERMITTED, ...NOT_OFFERED];

/** The items, or the status when the token or the platform does not let them be listed. */
async function tryList(asking: Asking, kind: KindName): Promise<Body[] | number> {
  const { read } = kindOf(kind);
  if (read.from !== 'list') throw new Error(`${kind} has no listing`);
  try {
    return await listAll(asking, read.operation);
  } catch (error) {
    if (!hasStatus(error, NOT_READABLE)) throw error;
    return error.status;
  }
}

// Who owns the token is not told by the API; spaces outside collections show through their members.
const MEMBERS_ASKED = 20;

async function readSpaces(asking: Asking, collections: readonly Body[], members: readonly Member[]): Promise<Body[]> {
  const found = new Map<string, Body>();
  const add = (space: Body): void => {
    if (!isInBin(space)) found.set(textAt(space, 'id') ?? '', space);
  };
  for (const collection of collections) {
    const path = { collectionId: textAt(collection, 'id') ?? '' };
    for (const space of await listAll(asking, 'listCollectionSpaces', path)) add(space);
  }
  for (const { id: userId } of members.filter(({ spaces }) => spaces !== 0).slice(0, MEMBERS_ASKED)) {
    for (const { space } of await listAll(asking, 'listMemberSpaces', { userId })) add(space as Body);
  }
  return [...found.values()];
}

function foundOf(kind: KindName): (body: Body) => Found {
  return (body) => {
    const id = textAt(body, kindOf(kind).id ?? 'id') ?? '';
    return { id, title: titleOf({ body, id }), body };
  };
}

/** True when nothing stands in it that a restore would write beside. */
export function isEmpty({ there }: TargetState): boolean {
  return [...there.values()].every((found) => found.length === 0);
}

/** Ids of what stands there, by kind. */
export function idsThere({ there }: TargetState): Record<string, string[]> {
  const kinds = [...there].filter(([, found]) => found.length > 0);
  return Object.fromEntries(kinds.map(([kind, found]) => [kind, found.map(({ id }) => id).toSorted()]));
}

/** Changes when something is added to the target or goes from it. */
export function seenHash(target: TargetState): string {
  return sha256(canonicalJson(idsThere(target)));
}
