// Finds what a scope names in a snapshot, and everything that this needs to stand.
import { groupBy, lazy } from '../../base/index.ts';
import { kindOf, parentKind, type KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { Chosen } from './chosen.ts';
import { nothingFor, scopeText, type Container, type Scope } from './scope.ts';
import { hasValue, idAt, textAt, titleOf } from '../resource.ts';
import { OWN_KINDS } from '../restored-kinds.ts';
import type { ClosureEntry } from '../types.ts';

/** What of a space comes back. */
export interface SpaceParts {
  readonly content: boolean;
  readonly values: boolean;
  readonly changeRequests: boolean;
  /** What was said of the space. */
  readonly comments: boolean;
  /** What was said of its change requests. */
  readonly requestComments: boolean;
}

/** What it found, and what came along for it, with the reason. */
export class Finder {
  readonly keys = new Set<string>();
  readonly closure: ClosureEntry[] = [];
  /** What may hold something of the kind that was asked for, whether it does or not. */
  readonly lookedIn = new Set<string>();
  readonly #parts: SpaceParts;
  readonly #reader: SnapshotReader;
  readonly #organization: string;
  /** Collections whose content was added. */
  readonly #inside = new Set<string>();
  /** By the collection that they stand in; read once, since a collection may hold thousands of others. */
  readonly #keysIn = {
    collection: lazy(() => this.#keysByParent('collection')),
    space: lazy(() => this.#keysByParent('space')),
  };

  constructor(reader: SnapshotReader, organization: string, parts: SpaceParts) {
    this.#parts = parts;
    this.#reader = reader;
    this.#organization = organization;
  }

  addAll(): void {
    this.keys.add(`organization ${this.#organization}`);
    for (const kind of OWN_KINDS) for (const one of this.#all(kind)) this.#take(one, null);
  }

  addKind(kind: KindName): void {
    const own = ownerOf(kind);
    if (own === 'organization') {
      this.keys.add(`organization ${this.#organization}`);
      return;
    }
    const holds = holdsAny(this.#reader, kind, this.#organization);
    for (const one of this.#all(own)) {
      this.lookedIn.add(`${own} ${one.key}`);
      if (own === kind || holds(one)) this.#addWithNeeds(one, null);
    }
  }

  /** Those that stand by themselves as they are; of others what they stand in, which they need. */
  addChosen({ kind, resources, because }: Chosen): void {
    for (const one of resources) {
      const own = isOwn(kind);
      const [holder, key] = own ? [kind, one.key] : holderOf(one, this.#organization);
      const found = own ? one : this.#reader.one(holder, key);
      if (found) this.#addWithNeeds(found, own ? null : `holds ${because}`);
      if (kind === 'collection') this.#addInside(one.id);
    }
  }

  addOne(kind: Exclude<Container, 'organization'>, id: string): void {
    const key = kind === 'site' ? `${this.#organization}/${id}` : id;
    const one = this.#reader.one(kind, key);
    if (!one) return throwNothing({ by: kind, id }, this.#reader);
    this.#addWithNeeds(one, null);
    if (kind === 'collection') this.#addInside(id);
  }

  *#all(kind: KindName): IterableIterator<Resource> {
    const within = kindOf(kind).params[0] === 'organizationId' ? this.#organization : undefined;
    for (const one of this.#reader.resources(kind, within)) {
      if (within !== undefined || one.body['organization'] === this.#organization) yield one;
    }
  }

  /** False when it was taken before. */
  #take(one: Resource, why: string | null): boolean {
    const name = `${one.kind} ${one.key}`;
    if (this.keys.has(name)) return false;
    this.keys.add(name);
    if (why !== null) this.closure.push({ kind: one.kind, key: one.key, title: titleOf(one), why });
    return true;
  }

  #addWithNeeds(one: Resource, why: string | null): void {
    if (!this.#take(one, why)) return;
    if (one.kind === 'collection' || one.kind === 'space') this.#addParent(one);
    if (one.kind === 'space' && this.#parts.values) this.#addFields(one);
    if (one.kind === 'site') this.#addSpacesOf(one);
    const team = one.kind === 'saml-provider' ? idAt(one.body['defaultTeam']) : undefined;
    if (team !== undefined) this.#need('team', `${this.#organization}/${team}`, `default team of ${titleOf(one)}`);
  }

  #need(kind: KindName, key: string, why: string): void {
    const one = this.#reader.one(kind, key);
    if (one) this.#addWithNeeds(one, why);
  }

  #addParent(one: Resource): void {
    const parent = textAt(one.body, 'parent');
    if (parent !== undefined) this.#need('collection', parent, `holds ${one.kind} ${titleOf(one)}`);
  }

  #addFields(space: Resource): void {
    for (const value of this.#reader.resources('custom-field-value', space.key)) {
      if (!hasValue(value)) continue;
      this.#need('custom-field', `${this.#organization}/${value.id}`, `has a value in space ${titleOf(space)}`);
    }
  }

  #addSpacesOf(site: Resource): void {
    for (const place of this.#reader.resources('site-space', site.key)) {
      const space = idAt(place.body['space']);
      if (space !== undefined) this.#need('space', space, `shown by site ${titleOf(site)}`);
    }
  }

  #addInside(collection: string): void {
    // Collections may be said to stand inside each other.
    if (this.#inside.has(collection)) return;
    this.#inside.add(collection);
    for (const space of this.#standIn('space', collection)) this.#addWithNeeds(space, null);
    for (const inner of this.#standIn('collection', collection)) {
      this.#addWithNeeds(inner, null);
      this.#addInside(inner.id);
    }
  }

  *#standIn(kind: 'collection' | 'space', collection: string): IterableIterator<Resource> {
    for (const key of this.#keysIn[kind]().get(collection) ?? []) {
      const one = this.#reader.one(kind, key);
      if (one) yield one;
    }
  }

  #keysByParent(kind: KindName): Map<string | undefined, string[]> {
    const all = groupBy(this.#all(kind), (one) => textAt(one.body, 'parent'));
    return new Map([...all].map(([parent, inside]) => [parent, inside.map(({ key }) => key)]));
  }
}

/** The kind of its own that something stands or falls with. */
function ownerOf(kind: KindName): KindName {
  let owner: KindName = kind;
  for (;;) {
    if (isOwn(owner)) return owner === 'member' && kind === 'team-membership' ? 'team' : owner;
    const parent = parentKind(owner);
    if (parent === null) return 'organization';
    owner = parent;
  }
}

export function isOwn(kind: KindName): boolean {
  return OWN_KINDS.includes(kind);
}

/** What of its own kind a resource stands or falls with. */
export function holderOf({ kind, key, params }: Resource, organization: string): [KindName, string] {
  const { spaceId, siteId, teamId } = params;
  if (spaceId !== undefined && kind !== 'space-member') return ['space', spaceId];
  if (siteId !== undefined) return ['site', `${organization}/${siteId}`];
  if (kind === 'team-membership') return ['team', `${organization}/${teamId ?? ''}`];
  return [kind, key];
}

/** Tells what holds something of a kind. */
function holdsAny(
  reader: SnapshotReader,
  kind: KindName,
  organization: string,
): (holder: Pick<Resource, 'key'>) => boolean {
  if (kind !== 'team-membership') return ({ key }) => anyWithin(reader, kind, key);
  // The key of a membership is one of its member, not of its team.
  const all = [...reader.resources(kind, organization)];
  const teams = new Set(all.map((one) => holderOf(one, organization)[1]));
  return ({ key }) => teams.has(key);
}

export function anyWithin(reader: SnapshotReader, kind: KindName, key: string): boolean {
  if (kind !== 'custom-field-value') return reader.count(kind, key) > 0;
  return [...reader.resources(kind, key)].some(hasValue);
}

export function throwNothing(
  scope: Exclude<Scope, { by: 'kind' }>,
  { snapshot }: Pick<SnapshotReader, 'snapshot'>,
): never {
  throw nothingFor(scopeText(scope), { kind: scope.by, snapshot });
}
