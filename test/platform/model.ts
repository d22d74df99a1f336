// The states of the API document, kept as simply as possible: what a platform must agree with after any sequence of writes.

export interface ModelSpace {
  parent: string | null;
  /** Day of its deletion; null while it is there. */
  deleted: number | null;
  /** Went to the bin with its collection and was not moved since: where it stands among the others of that collection is open. */
  swept?: true;
}

export type RequestStatus = 'draft' | 'open' | 'archived' | 'merged';

export interface ModelComment {
  space: string;
  request: string | null;
  open: boolean;
  replies: number;
}

export interface Model {
  day: number;
  /** Collections and spaces; those with the same parent stand in this order. */
  order: string[];
  collections: Map<string, string | null>;
  spaces: Map<string, ModelSpace>;
  requests: Map<string, { space: string; status: RequestStatus }>;
  comments: Map<string, ModelComment>;
  teams: Map<string, Set<string>>;
  sites: Map<string, string[]>;
}

/** Days that a deleted space can be restored. */
const RESTORABLE_DAYS = 7;

export function emptyModel(): Model {
  return {
    day: 0,
    order: [],
    collections: new Map(),
    spaces: new Map(),
    requests: new Map(),
    comments: new Map(),
    teams: new Map(),
    sites: new Map(),
  };
}

export type SpaceState = 'there' | 'deleted' | 'gone';

export function stateOf(model: Model, space: string): SpaceState {
  const found = model.spaces.get(space);
  if (!found || (found.deleted !== null && model.day - found.deleted >= RESTORABLE_DAYS)) return 'gone';
  return found.deleted === null ? 'there' : 'deleted';
}

/** The collection and every one below it. */
export function withBelow(model: Model, collection: string): string[] {
  const inside = [...model.collections].filter(([, parent]) => parent === collection);
  return [collection, ...inside.flatMap(([id]) => withBelow(model, id))];
}

/** The spaces inside go to the bin and to the root. */
export function removeCollection(model: Model, collection: string): void {
  const below = withBelow(model, collection);
  for (const [id, space] of model.spaces) {
    if (space.parent === null || !below.includes(space.parent)) continue;
    Object.assign(space, { parent: null, deleted: space.deleted ?? model.day, swept: true });
    putLast(model, id);
  }
  for (const id of below) model.collections.delete(id);
}

export function putLast(model: Model, id: string): void {
  model.order = [...model.order.filter((one) => one !== id), id];
}

export function putAfter(model: Model, id: string, before: string): void {
  model.order.splice(model.order.indexOf(before) + 1, 0, id);
}

function parentOf(model: Model, id: string): string | null | undefined {
  return model.collections.has(id) ? model.collections.get(id) : model.spaces.get(id)?.parent;
}

/** True when it is the last that can be seen in the place already. */
export function isLastIn(model: Model, id: string, parent: string | null): boolean {
  const seen = model.order.filter(
    (one) => parentOf(model, one) === parent && (model.collections.has(one) || stateOf(model, one) === 'there'),
  );
  return seen.at(-1) === id;
}

export function livingSpaces(model: Model): string[] {
  return [...model.spaces.keys()].filter((id) => stateOf(model, id) === 'there');
}

/** The counters of a space as its resource shows them. */
export function countersOf(model: Model, space: string) {
  const requests = [...model.requests.values()].filter((one) => one.space === space);
  return {
    comments: [...model.comments.values()].filter((one) => one.space === space && one.request === null && one.open)
      .length,
    changeRequests: requests.length,
    changeRequestsOpen: requests.filter(({ status }) => status === 'open').length,
    changeRequestsDraft: requests.filter(({ status }) => status === 'draft').length,
  };
}
