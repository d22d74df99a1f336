// Whether the platform accounts for what is gone or otherwise there: what holds it says that something moved, or that it is no more.
import { valueAt } from '../../base/index.ts';
import { isStamped, kindOf, movedBy, parentKind, readWith, tellersOf, type KindName } from '../../contract/index.ts';
import { keyOf, type Params } from '../observe/key.ts';
import type { Resource, SnapshotReader } from '../reading/reader.ts';
import { differingFields, hasMoved } from './live-fields.ts';
import type { LiveAnswer, LiveBody, LiveListing, LivePlatform } from './live-types.ts';

/** What holds a resource, and what the mirror has of it. */
interface Holder {
  readonly kind: KindName;
  readonly params: Params;
  readonly stored: Resource | undefined;
}

/** Null when the platform accounts for it; else why not. */
type Account = Promise<string | null>;

const SPEC = 'openapi-spec' satisfies KindName;
/** Fields of a page that follow what it is computed from. */
const COMPUTED: readonly string[] = ['markdown', 'computedSeed'];

const UNTOLD = 'nothing tells that it went';

export class LiveAccount {
  readonly #reader: SnapshotReader;
  readonly #live: LivePlatform;
  // Many may be held by one: it is asked once.
  readonly #answers = new Map<string, Promise<LiveAnswer>>();

  constructor(reader: SnapshotReader, live: LivePlatform) {
    this.#reader = reader;
    this.#live = live;
  }

  /** Of a resource that is answered with "not found". */
  async ofGone(stored: Resource): Account {
    const holder = this.#holderOf(stored);
    if (holder === undefined) return UNTOLD;
    const answer = await this.#ask(holder);
    if (answer.is === 'unread') return `its ${holder.kind} could not be read: ${answer.why}`;
    if (answer.is === 'gone')
      return holder.stored === undefined || (await this.ofGone(holder.stored)) !== null
        ? `its ${holder.kind} is not found either, without an account`
        : null;
    return this.#byHolder(stored, holder, answer.body);
  }

  /** Of fields that are otherwise than they were, where the resource itself does not say so. */
  async ofChange(stored: Resource, fields: readonly string[]): Promise<boolean> {
    const { kind } = stored;
    const following = kindOf(kind).follows ?? [];
    const isFollowing = fields.every((field) => following.includes(field));
    if (isStamped(kind, stored.body) && !isFollowing) return false;
    if (fields.every((field) => COMPUTED.includes(field)) && (await this.#hasSpecMoved(stored))) return true;
    const tellers = isFollowing ? tellersOfHolder(kind) : movedBy(kind);
    // Neither it nor what holds it has a field that moves with an edit: nobody can tell this from one.
    if (tellers.length === 0) return true;
    const holder = this.#holderOf(stored);
    if (holder?.stored === undefined) return false;
    const answer = await this.#ask(holder);
    return answer.is === 'there' && hasMoved(holder.stored, answer.body, tellers);
  }

  /** Of a page that is computed from a specification: its revision stands still while that has another version, comes or goes. */
  async #hasSpecMoved(page: Resource): Promise<boolean> {
    const spec = this.#specOf(page);
    if (spec === undefined) return false;
    const answer = await this.#ask(spec);
    if (answer.is === 'unread') return false;
    if (spec.stored === undefined) return answer.is === 'there';
    if (answer.is === 'gone') return (await this.ofGone(spec.stored)) === null;
    return hasMoved(spec.stored, answer.body, tellersOf(SPEC));
  }

  #specOf({ params, body }: Resource): Holder | undefined {
    const specSlug = valueAt(body, 'computed.dependencies.spec.ref.spec');
    const organizationId = this.#reader.one('space', params['spaceId'] ?? '')?.body['organization'];
    if (typeof specSlug !== 'string' || typeof organizationId !== 'string') return undefined;
    const own = { organizationId, specSlug };
    return { kind: SPEC, params: own, stored: this.#reader.one(SPEC, keyOf(SPEC, own)) };
  }

  async #byHolder(stored: Resource, holder: Holder, live: LiveBody): Account {
    const { kind } = stored;
    const tellers = movedBy(kind);
    if (holder.stored !== undefined && hasMoved(holder.stored, live, [...tellers, 'deletedAt'])) return null;
    const listing = listingOf(stored, holder);
    if (listing !== null) return this.#byListing(stored, listing, countIn(live, kind));
    // No operation lists these: that what holds them can be read is all that tells "not found" from a platform that finds nothing.
    if (kindOf(kind).read.from === 'routes') return null;
    const isAccounted = (tellers.length === 0 && hasChanged(holder, live)) || (await this.#hasSpecMoved(stored));
    return isAccounted ? null : UNTOLD;
  }

  async #byListing({ kind, id }: Resource, listing: LiveListing, counted: number): Account {
    const found = await this.#live.list(listing);
    if (found.is === 'unread') return `its listing could not be read: ${found.why}`;
    const field = kindOf(kind).id ?? 'id';
    if (found.items.some((item) => item[field] === id)) return 'its listing still shows it';
    return found.items.length < counted ? 'its listing shows fewer than are counted' : null;
  }

  #ask({ kind, params }: Holder): Promise<LiveAnswer> {
    const name = `${kind} ${keyOf(kind, params)}`;
    const asked = this.#answers.get(name) ?? this.#live.read({ kind, params });
    this.#answers.set(name, asked);
    return asked;
  }

  #holderOf(stored: Resource): Holder | undefined {
    const held = placeOf(stored);
    return held && { ...held, stored: this.#reader.one(held.kind, keyOf(held.kind, held.params)) };
  }
}

/** What holds it. A tree is as its space or change request says, and is not read for that. */
function placeOf({ kind, params, body }: Resource): Omit<Holder, 'stored'> | undefined {
  const { parent, organization } = body;
  if (kind === 'space' && typeof parent === 'string') return { kind: 'collection', params: { collectionId: parent } };
  const above = holderKind(kind);
  if (above === null) return undefined;
  const known: Params = typeof organization === 'string' ? { organizationId: organization, ...params } : params;
  const own = kindOf(above).params.flatMap((name) => {
    const value = known[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return own.length === kindOf(above).params.length ? { kind: above, params: Object.fromEntries(own) } : undefined;
}

function holderKind(kind: KindName): KindName | null {
  return parentKind(readWith(kind));
}

function tellersOfHolder(kind: KindName): readonly string[] {
  const above = holderKind(kind);
  return above === null ? [] : [...tellersOf(above)];
}

function listingOf({ kind }: Resource, holder: Holder): LiveListing | null {
  const { params } = holder;
  if (holder.kind === 'collection') return { operation: 'listCollectionSpaces', params, filters: [{}] };
  const { read } = kindOf(kind);
  if (read.from !== 'list') return null;
  const { query = {}, each } = read;
  const filters = each?.values.map((value) => ({ ...query, [each.parameter]: value })) ?? [query];
  return { operation: read.operation, params, filters };
}

/** How many of a kind there are at least, by what holds them. */
function countIn(live: LiveBody, kind: KindName): number {
  const { countedBy, countedAtLeastBy } = kindOf(kind);
  const field = countedBy ?? countedAtLeastBy;
  const count = field === undefined ? 0 : live[field];
  return typeof count === 'number' ? count : 0;
}

function hasChanged({ stored }: Holder, live: LiveBody): boolean {
  return stored !== undefined && stored.isDamaged !== true && differingFields(stored, live).changed.length > 0;
}
