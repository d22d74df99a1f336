// Which resources of a snapshot a scope means, with everything that those need to stand.
import { AppError, lazyBy } from '../../base/index.ts';
import { kindOf, parentKind, type KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { Chosen } from './chosen.ts';
import { scopeText, type Scope } from './scope.ts';
import { firstOf, textAt, titleOf } from '../resource.ts';
import { anyWithin, Finder, holderOf, isOwn, throwNothing, type SpaceParts } from './selection-finder.ts';
import type { ClosureEntry } from '../types.ts';
import { pageAbove } from '../special/page-places.ts';

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
  /** True for what may hold something of the one kind that was asked for, whether it does or not. */
  wasLookedIn(kind: KindName, key: string): boolean;
  /** Of a kind inside spaces only these are meant, by their keys, or hold what is; null when all are. */
  limitOf(kind: KindName): ReadonlySet<string> | null;
}

export interface Asked {
  readonly scope: Scope;
  readonly chosen: Chosen | null;
}

const EVERYTHING: SpaceParts = {
  content: true,
  values: true,
  changeRequests: true,
  comments: true,
  requestComments: true,
};

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
  const holding = holders(reader, chosen === null ? kind : null);
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
    wasLookedIn: (one, key) => found.lookedIn.has(`${one} ${key}`),
    limitOf: (one) => (chosen !== null && only !== null ? limitFor(one, chosen, above) : holding(one)),
  };
}

/** Of the kinds between a space and what alone was asked for, those that hold something of that. */
function holders(reader: SnapshotReader, wanted: KindName | null): Selection['limitOf'] {
  const keysOf = lazyBy((kind: KindName) => {
    if (wanted === null || wanted === kind || !isPartOf(wanted, kind)) return null;
    const keys = [...reader.resources(kind)].map(({ key }) => key);
    return new Set(keys.filter((key) => anyWithin(reader, wanted, key)));
  });
  return (kind) => (HOLDING.has(kind) ? keysOf(kind) : null);
}

const HOLDING: ReadonlySet<KindName> = new Set<KindName>(['change-request', 'comment', 'change-request-comment']);

/** A kind, and what only it leads to: the replies of comments, the pages of change requests. */
function isPartOf(kind: KindName, wanted: KindName): boolean {
  for (let one: KindName | null = kind; one !== null; one = parentKind(one)) if (one === wanted) return true;
  return false;
}

/** Those of a kind that were chosen or hold what was, and the pages above those; null where the kind holds none of it. */
function limitFor(
  kind: KindName,
  { kind: chosen, resources }: Chosen,
  above: readonly ClosureEntry[],
): Set<string> | null {
  if (!isPartOf(chosen, kind)) return null;
  const depth = kindOf(kind).params.length;
  const own = resources.map(({ key }) => key.split('/').slice(0, depth).join('/'));
  return new Set([...own, ...(kind === chosen ? above.map(({ key }) => key) : [])]);
}

/** It, or what stands below it in the same keys. */
function isChosen(only: ReadonlySet<string>, { key }: Resource): boolean {
  const steps = key.split('/');
  return steps.some((_, i) => only.has(steps.slice(0, i + 1).join('/')));
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
      return textAt(reader.one(scope.by, scope.id)?.body, 'organization') ?? throwNothing(scope, reader);
    case 'site': {
      const site = [...reader.resources('site')].find(({ id }) => id === scope.id);
      return site?.params['organizationId'] ?? throwNothing(scope, reader);
    }
    case 'page':
    case 'change-request': {
      const [key = scope.id] = scope.id.includes('/') ? [scope.id] : reader.keysOf(scope.by, scope.id);
      return textAt(reader.one('space', firstOf(key))?.body, 'organization') ?? throwNothing(scope, reader);
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
  return textAt(holder?.body, 'organization') ?? null;
}

/** Of one kind inside spaces comes back what it stands on; of a change request what was said of it, too. A space comes whole. */
function partsOfKind(kind: KindName): SpaceParts {
  const within = kindOf(kind).params[0] === 'spaceId' && kind !== 'space';
  if (!within) return EVERYTHING;
  const changeRequests = kind.startsWith('change-request');
  const requestComments = kind === 'change-request' || kind.startsWith('change-request-comment');
  const comments = kind.startsWith('comment');
  return { content: true, values: kind === 'custom-field-value', changeRequests, comments, requestComments };
}

/** Pages above chosen ones, without which these would stand elsewhere; each once. */
function pagesAbove(reader: SnapshotReader, chosen: Chosen | null): ClosureEntry[] {
  if (chosen?.kind !== 'page') return [];
  const known = new Set(chosen.resources.map(({ key }) => key));
  const above: ClosureEntry[] = [];
  for (const page of chosen.resources) {
    for (let at = pageAbove(reader, page); at !== undefined && !known.has(at.key); at = pageAbove(reader, at)) {
      known.add(at.key);
      above.push({ kind: 'page', key: at.key, title: titleOf(at), why: `holds page ${titleOf(page)}` });
    }
  }
  return above;
}
