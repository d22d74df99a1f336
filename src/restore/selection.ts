// Which resources of a snapshot a scope means, with everything that those need to stand.
import { AppError } from '../base/index.ts';
import { kindOf, type KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import type { Chosen } from './chosen.ts';
import { pagesAbove } from './page-parents.ts';
import { scopeText, type Container, type Scope } from './scope.ts';
import { idAt, textAt, titleOf } from './resource.ts';
import type { ClosureEntry } from './types.ts';

/** What of a space comes back. */
export interface SpaceParts {
  readonly content: boolean;
  readonly values: boolean;
  readonly changeRequests: boolean;
  readonly comments: boolean;
}

/** The resources that a plan covers. Those inside spaces and sites follow their container. */
export interface Selection {
  readonly organization: string;
  /** What was asked for, in words. */
  readonly text: string;
  readonly scope: Scope;
  /** True for the whole organization. */
  readonly whole: boolean;
  readonly parts: SpaceParts;
  readonly closure: readonly ClosureEntry[];
  has(kind: KindName, key: string): boolean;
  /** True for what was asked for by its own name, or holds it no more than a space holds its pages; not for what that needs. */
  meant(resource: Resource): boolean;
  /** Of a kind inside spaces only these are meant, by their keys; null when all are. */
  limitOf(kind: KindName): ReadonlySet<string> | null;
}

export interface Asked {
  readonly scope: Scope;
  readonly chosen: Chosen | null;
}

const EVERYTHING: SpaceParts = { content: true, values: true, changeRequests: true, comments: true };

/** Throws DM_USAGE when the snapshot has nothing of that name in the organization. */
export function select(reader: SnapshotReader, organization: string, { scope, chosen }: Asked): Selection {
  // Of chosen collections all that is in them is meant, as of one that is named.
  const kind = chosen?.kind === 'collection' ? null : (chosen?.kind ?? (scope.by === 'kind' ? scope.kind : null));
  const parts = kind === null ? EVERYTHING : partsOfKind(kind);
  const found = new Finder(reader, organization, parts);
  const whole = chosen === null && scope.by === 'organization';
  if (chosen !== null) found.addChosen(chosen);
  else if (scope.by === 'organization') found.addAll();
  else if (scope.by === 'kind') found.addKind(scope.kind);
  else if (scope.by !== 'page' && scope.by !== 'change-request') found.addOne(scope.by, scope.id);
  const only = chosen === null || isOwn(chosen.kind) ? null : new Set(chosen.resources.map(({ key }) => key));
  const needed = new Set(found.closure.map((entry) => `${entry.kind} ${entry.key}`));
  const above = pagesAbove(reader, chosen);
  const has: Selection['has'] = (one, key) => found.keys.has(`${one} ${key}`);
  return {
    organization,
    text: chosen === null ? scopeText(scope) : chosen.because,
    scope,
    whole,
    parts,
    closure: [...found.closure, ...above],
    has,
    meant: (one) => {
      if (kind !== null && !isPartOf(one.kind, kind)) return false;
      if (only !== null) return isChosen(only, one);
      return has(...holderOf(one, organization)) && !needed.has(`${one.kind} ${one.key}`);
    },
    limitOf: (one) => (one === chosen?.kind && only ? new Set([...only, ...above.map(({ key }) => key)]) : null),
  };
}

function isOwn(kind: KindName): boolean {
  return (OWN_KINDS as readonly KindName[]).includes(kind);
}

/** A kind, and what only it leads to: the replies of comments, the pages of change requests. */
function isPartOf(kind: KindName, wanted: KindName): boolean {
  for (let one: string | null = kind; one !== null; one = kindOf(one as KindName).parent)
    if (one === wanted) return true;
  return false;
}

/** It, or what stands below it in the same keys. */
function isChosen(only: ReadonlySet<string>, { key }: Resource): boolean {
  const steps = key.split('/');
  return steps.some((_, i) => only.has(steps.slice(0, i + 1).join('/')));
}

/** What of its own kind a resource stands or falls with. */
function holderOf({ kind, key, params }: Resource, organization: string): [KindName, string] {
  const { spaceId, siteId, teamId } = params;
  if (spaceId !== undefined && kind !== 'space-member') return ['space', spaceId];
  if (siteId !== undefined) return ['site', `${organization}/${siteId}`];
  if (kind === 'team-membership') return ['team', `${organization}/${teamId ?? ''}`];
  return [kind, key];
}

/** The organization that a scope lies in; null when the scope does not tell. */
export function organizationOf(reader: SnapshotReader, scope: Scope): string | null {
  switch (scope.by) {
    case 'organization':
      return scope.id;
    case 'kind':
      return null;
    case 'collection':
    case 'space':
      return textAt(reader.one(scope.by, scope.id)?.body ?? {}, 'organization') ?? unknown(scope);
    case 'site': {
      const site = [...reader.resources('site')].find(({ id }) => id === scope.id);
      return site?.params['organizationId'] ?? unknown(scope);
    }
    case 'page':
    case 'change-request': {
      const [key = scope.id] = scope.id.includes('/') ? [scope.id] : reader.keysOf(scope.by, scope.id);
      return textAt(reader.one('space', key.split('/')[0] ?? '')?.body ?? {}, 'organization') ?? unknown(scope);
    }
  }
}

/** The organization in which what was chosen lies; null for what is outside of spaces. Throws DM_USAGE where it lies in several. */
export function organizationOfChosen(reader: SnapshotReader, { resources, because }: Chosen): string | null {
  const all = new Set(resources.map((one) => organizationHolding(reader, one)));
  const [only = null] = all;
  if (all.size <= 1) return only;
  const names = [...all].filter((id) => id !== null).join(', ');
  throw new AppError('DM_USAGE', `${because} chooses what lies in several organizations: ${names}; expected one`, {
    hint: 'Make a plan for each: add its organization to the condition, such as "and space in (select id from spaces where organization = \'ID\')".',
  });
}

function organizationHolding(reader: SnapshotReader, one: Resource): string | null {
  const { spaceId, organizationId } = one.params;
  if (organizationId !== undefined) return organizationId;
  const holder = spaceId === undefined ? one : reader.one('space', spaceId);
  return textAt(holder?.body ?? {}, 'organization') ?? null;
}

function unknown(scope: Scope): never {
  throw new AppError('DM_USAGE', `The snapshot has nothing for --scope ${scopeText(scope)}`, {
    hint: 'Find ids with docmirror query, such as "select id, title from spaces".',
  });
}

/** Kinds that are restored by themselves, below the organization. */
const OWN_KINDS = [
  'member',
  'team',
  'saml-provider',
  'custom-field',
  'translation-settings',
  'openapi-spec',
  'collection',
  'space',
  'site',
] as const satisfies readonly KindName[];

class Finder {
  readonly keys = new Set<string>();
  readonly closure: ClosureEntry[] = [];
  readonly #parts: SpaceParts;
  readonly #reader: SnapshotReader;
  readonly #organization: string;
  /** Collections whose content was added. */
  readonly #inside = new Set<string>();

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
    for (const one of this.#all(own)) this.#addWithNeeds(one, null);
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
    if (!one) return unknown({ by: kind, id });
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
      if (value.body['value'] === undefined) continue;
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
    for (const space of this.#all('space')) if (space.body['parent'] === collection) this.#addWithNeeds(space, null);
    for (const inner of this.#all('collection')) {
      if (inner.body['parent'] !== collection) continue;
      this.#addWithNeeds(inner, null);
      this.#addInside(inner.id);
    }
  }
}

/** The kind of its own that something stands or falls with. */
function ownerOf(kind: KindName): (typeof OWN_KINDS)[number] | 'organization' {
  let owner: KindName = kind;
  for (;;) {
    const own = OWN_KINDS.find((one) => one === owner);
    if (own !== undefined) return own === 'member' && kind === 'team-membership' ? 'team' : own;
    const { parent } = kindOf(owner);
    if (parent === null) return 'organization';
    owner = parent as KindName;
  }
}

/** Of one kind inside spaces comes back what it stands on, and nothing that stands on it. A space comes whole. */
function partsOfKind(kind: KindName): SpaceParts {
  const within = kindOf(kind).params[0] === 'spaceId' && kind !== 'space';
  if (!within) return EVERYTHING;
  const changeRequests = kind.startsWith('change-request');
  const comments = kind.includes('comment');
  return { content: true, values: kind === 'custom-field-value', changeRequests, comments };
}
