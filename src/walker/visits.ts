// One visit: read over the network first, then one transaction that takes the answer in, adds what follows from it and
// removes the visit. A kill between the two loses the visit's answer and nothing else.
import { isRecord } from '../base/index.ts';
import { finishVisit, isNotOffered, type Visit } from '../mirror/index.ts';
import { readAbsent, takeRoutes, takeVerdict } from './absent.ts';
import {
  readActiveRevision,
  readContent,
  takeConfirmation,
  takeContent,
  type ConfirmVisit,
  type ContentVisit,
  type Entry,
} from './content.ts';
import { readFile, readPage, takeFile, takePage } from './entries.ts';
import { endsWalk, isOutage, recordFailure, saysNotOffered, type Place } from './failures.ts';
import { pathFor, readListing, takeListing, type ListingVisit } from './listing.ts';
import type { AbsentVisit } from './missing.ts';
import type { Body } from './parts.ts';
import { seeSpace } from './spaces.ts';
import type { Walk } from './types.ts';

type Params = Readonly<Record<string, unknown>>;

/** A kind of visit: where it is, and how it is made; `make` reads and answers what takes the answer in. */
interface Task {
  place(params: Params): Place;
  make(walk: Walk, params: Params): Promise<() => void>;
}

// Parameters come from the frontier, where only this room writes them.
const listingOf = (params: Params): ListingVisit => params as unknown as ListingVisit;
const contentOf = (params: Params): ContentVisit => params as unknown as ContentVisit;
const confirmOf = (params: Params): ConfirmVisit => params as unknown as ConfirmVisit;
const entryOf = (params: Params): Entry => params as unknown as Entry;
const absentOf = (params: Params): AbsentVisit => params as unknown as AbsentVisit;

function below(params: Params): Place {
  const { kind, path } = listingOf(params);
  return { kind, resource: Object.values(path).join('/') };
}

function own(params: Params): Place {
  const entry = entryOf(params);
  return { kind: entry.kind, resource: Object.values(entry.params).join('/') };
}

const tasks: Readonly<Record<string, Task>> = {
  listing: {
    place: below,
    make: async (walk, params) => {
      const items = await readListing(walk, listingOf(params));
      return () => takeListing(walk, listingOf(params), items);
    },
  },
  content: {
    place: below,
    make: async (walk, params) => {
      const body = await readContent(walk, contentOf(params));
      return () => takeContent(walk, contentOf(params), body);
    },
  },
  confirm: {
    place: below,
    make: async (walk, params) => {
      const active = await readActiveRevision(walk, confirmOf(params));
      return () => takeConfirmation(walk, confirmOf(params), active);
    },
  },
  page: {
    place: own,
    make: async (walk, params) => {
      const body = await readPage(walk, entryOf(params));
      return () => takePage(walk, entryOf(params), body);
    },
  },
  file: {
    place: own,
    make: async (walk, params) => {
      const bytes = await readFile(walk, entryOf(params));
      return () => takeFile(walk, entryOf(params), bytes);
    },
  },
  absent: {
    place: own,
    make: async (walk, params) => {
      const verdict = await readAbsent(walk, absentOf(params));
      return () => takeVerdict(walk, absentOf(params), verdict);
    },
  },
  'collection-spaces': {
    place: (params) => ({ kind: 'space', resource: String(params['key']) }),
    make: async (walk, params) => {
      const spaces = await readCollectionSpaces(walk, String(params['key']));
      return () => spaces.forEach((space) => seeSpace(walk, space, 'collection'));
    },
  },
  space: {
    place: (params) => ({ kind: 'space', resource: String(params['key']) }),
    make: async (walk, params) => {
      const path = { spaceId: String(params['key']) };
      const body = await walk.client.callRaw('getSpace', { path }, { signal: walk.signal });
      return () => void seeSpace(walk, isRecord(body) ? body : {}, 'configured');
    },
  },
  routes: {
    place: (params) => ({ kind: 'space', resource: String(params['key']) }),
    make: (walk, params) => Promise.resolve(() => takeRoutes(walk, params as unknown as { rid: number; key: string })),
  },
};

async function readCollectionSpaces(walk: Walk, collectionId: string): Promise<Body[]> {
  const spaces: Body[] = [];
  const input = { path: pathFor('listCollectionSpaces', { collectionId }) };
  const options = { pageSize: walk.settings.pageSize, signal: walk.signal };
  for await (const page of walk.client.paginateRaw('listCollectionSpaces', input, options)) spaces.push(...page.items);
  return spaces;
}

/** `outage` carries what was thrown: whether it is of this visit or of the platform is asked next. */
export type VisitOutcome = 'taken' | 'failed' | { readonly outage: unknown };

/** Makes a visit. Its failure is recorded and the walk goes on, unless the failure speaks of more than this visit: then it is thrown. */
export async function makeVisit(walk: Walk, visit: Visit): Promise<VisitOutcome> {
  const task = tasks[visit.task];
  if (!task) throw new Error(`the frontier holds a visit of an unknown task: ${visit.task}`);
  let take: () => void;
  if (isNotOffered(walk, task.place(visit.params).kind)) {
    walk.mirror.store.transaction(() => finishVisit(walk.mirror, visit.seq));
    return 'taken';
  }
  try {
    take = await task.make(walk, visit.params);
  } catch (error) {
    if (endsWalk(error)) throw error;
    if (isOutage(error)) return { outage: error };
    failVisit(walk, visit, error);
    return 'failed';
  }
  try {
    walk.mirror.store.transaction(() => {
      take();
      finishVisit(walk.mirror, visit.seq);
    });
  } catch (error) {
    if (endsWalk(error)) throw error;
    failVisit(walk, visit, error);
    return 'failed';
  }
  return 'taken';
}

function scopeOf(params: Params): number | null {
  return typeof params['scope'] === 'number' ? params['scope'] : null;
}

/** Records a visit as failed and takes it off the frontier; the next walk begins with it, since its mark was not set. */
export function failVisit(walk: Walk, visit: Visit, error: unknown): void {
  const task = tasks[visit.task];
  const level = saysNotOffered(error) ? 'info' : 'warn';
  const err = error instanceof Error ? error.message : error;
  walk.log[level]({ task: visit.task, place: task?.place(visit.params), err }, 'could not read');
  walk.mirror.store.transaction(() => {
    if (task) recordFailure(walk, { ...task.place(visit.params), scope: scopeOf(visit.params) }, error);
    finishVisit(walk.mirror, visit.seq);
  });
}
