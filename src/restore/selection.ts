// Which resources of a snapshot a scope means, with everything that those need to stand.
import { AppError } from '../base/index.ts';
import { kindOf, type KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { scopeText, type Scope } from './scope.ts';
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
  readonly scope: Scope;
  /** True for the whole organization. */
  readonly whole: boolean;
  readonly parts: SpaceParts;
  readonly closure: readonly ClosureEntry[];
  has(kind: KindName, key: string): boolean;
}

const EVERYTHING: SpaceParts = { content: true, values: true, changeRequests: true, comments: true };

/** Throws DM_USAGE when the snapshot has nothing of that name in the organization. */
export function select(reader: SnapshotReader, organization: string, scope: Scope): Selection {
  const parts = scope.by === 'kind' ? partsOfKind(scope.kind) : EVERYTHING;
  const found = new Finder(reader, organization, parts);
  const whole = scope.by === 'organization';
  if (whole) found.addAll();
  else if (scope.by === 'kind') found.addKind(scope.kind);
  else found.addOne(scope.by, scope.id);
  return {
    organization,
    scope,
    whole,
    parts,
    closure: found.closure,
    has: (kind, key) => found.keys.has(`${kind} ${key}`),
  };
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
  }
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

  addOne(kind: 'collection' | 'space' | 'site', id: string): void {
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

/** Of one kind inside spaces comes back what it stands on, and nothing that stands on it. */
function partsOfKind(kind: KindName): SpaceParts {
  const within = kindOf(kind).params[0] === 'spaceId';
  if (!within) return EVERYTHING;
  const changeRequests = kind.startsWith('change-request');
  const comments = kind.includes('comment');
  return { content: true, values: kind === 'custom-field-value', changeRequests, comments };
}
