// Original ids to restored ids, by kind. Everything that names another resource goes through here.
import { AppError } from '../../base/index.ts';
import { type KindName, copyKind, kindOf } from '../../contract/index.ts';
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove, lastOf } from '../resource.ts';
import type { Plan } from '../types.ts';
import { detailOf } from './step-detail.ts';
import type { ContentSource } from '../content/import-parts.ts';

/** New ids by kind and original key. */
export class IdMap {
  readonly #ids = new Map<KindName, Map<string, string>>();
  readonly #byId = new Map<string, string>();
  /** By kind and whole key: what texts only link to. */
  readonly #linked = new Map<string, string>();
  readonly #results = new Set<string>();
  /** The same with the original key of what holds it. */
  readonly #resultsWithin = new Set<string>();
  readonly #reserved = new Set<string>();
  readonly #live: SnapshotReader | null;

  /** @param live In place: what stands keeps its id, unless it was made anew. */
  constructor(live: SnapshotReader | null = null) {
    this.#live = live;
  }

  set(kind: KindName, key: string, id: string): void {
    const own = this.#ids.get(kind) ?? new Map<string, string>();
    this.#ids.set(kind, own.set(key, id));
    this.#results.add(`${kind} ${id}`);
    this.#resultsWithin.add(`${kind} ${holderOf(key)} ${id}`);
    this.#byId.set(`${kind} ${lastOf(key)}`, id);
  }

  get(kind: KindName, key: string): string | undefined {
    return this.#ids.get(kind)?.get(key) ?? this.#live?.one(kind, key)?.id;
  }

  /** The new id, or an error that names what is missing: its step was skipped or failed. */
  need(kind: KindName, key: string): string {
    const id = this.get(kind, key);
    if (id === undefined)
      throw new AppError('DM_RESTORE_FAILED', `${kind} ${key}, which it needs, was not restored`, {
        hint: 'Mend what kept that from being restored, then resume.',
      });
    return id;
  }

  /** Ids that belong to others: no step may take them for what it made. */
  reserve(kind: KindName, ids: readonly string[]): void {
    for (const id of ids) this.#reserved.add(`${kind} ${id}`);
  }

  /** New ids of a kind. */
  idsOf(kind: KindName): string[] {
    return [...(this.#ids.get(kind)?.values() ?? [])];
  }

  get isEmpty(): boolean {
    return [...this.#ids.values()].every((own) => own.size === 0);
  }

  /** True when an id is already the result of a step, or stood there before, so that no other step may take it for its own. */
  isTaken(kind: KindName, newId: string): boolean {
    const name = `${kind} ${newId}`;
    return this.#results.has(name) || this.#reserved.has(name) || (this.#live?.keysOf(kind, newId).length ?? 0) > 0;
  }

  /** The same among what one thing holds: comments of two spaces may have the same id, and the other one is nobody's. */
  isTakenWithin({ kind, key }: Pick<Resource, 'kind' | 'key'>, there: string): boolean {
    const id = lastOf(there);
    const isResult = this.#resultsWithin.has(`${kind} ${holderOf(key)} ${id}`);
    return isResult || this.#reserved.has(`${kind} ${id}`) || this.#live?.one(kind, there) !== undefined;
  }

  /** Takes in what an import made. */
  addAll(map: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
    for (const [kind, entries] of Object.entries(map)) {
      for (const [key, id] of Object.entries(entries)) this.set(kind as KindName, key, id);
    }
  }

  /** Forgets what was made and is given up. */
  forget(kind: KindName, keys: readonly string[]): void {
    for (const key of keys) {
      const id = this.#ids.get(kind)?.get(key);
      if (id === undefined) continue;
      this.#ids.get(kind)?.delete(key);
      this.#results.delete(`${kind} ${id}`);
      this.#resultsWithin.delete(`${kind} ${holderOf(key)} ${id}`);
      if (this.#byId.get(`${kind} ${lastOf(key)}`) === id) this.#byId.delete(`${kind} ${lastOf(key)}`);
    }
  }

  /** Takes in new ids of what texts only link to: `byId` finds them, and no step does. */
  addLinked(map: NonNullable<Plan['linked']>): void {
    for (const [kind, entries] of Object.entries(map))
      for (const [key, id] of Object.entries(entries)) {
        this.#byId.set(`${kind} ${lastOf(key)}`, id);
        this.#linked.set(`${kind} ${key}`, id);
      }
  }

  /**
   * The new id of a resource by its original id alone, whatever holds it: the last part of its key.
   * @param within Key of what holds it, where that is known: pages of two spaces, or places on two sites, may have the same id. A page or
   * file of another space is never meant then.
   */
  byId(kind: KindName, id: string, within: string | null = null): string | undefined {
    if (within === null) return this.#byId.get(`${kind} ${id}`);
    const own = this.#ids.get(kind)?.get(`${within}/${id}`) ?? this.#linked.get(`${kind} ${within}/${id}`);
    return own ?? (kind === 'page' || kind === 'file' ? undefined : this.#byId.get(`${kind} ${id}`));
  }
}

/** The key of what holds a resource; empty for one that nothing holds. */
function holderOf(key: string): string {
  return key.includes('/') ? keyAbove(key) : '';
}

/** The map as the plan begins it and the journal goes on. */
export function idMapOf(plan: Plan, steps: readonly RestoreStep[], live: SnapshotReader | null = null): IdMap {
  const ids = new IdMap(live);
  for (const [kind, there] of Object.entries(plan.existing)) ids.reserve(kind as KindName, there);
  ids.addAll(plan.heirs ?? {});
  ids.addLinked(plan.linked ?? {});
  ids.set('organization', plan.organization, plan.target.organization);
  for (const [user, known] of Object.entries(plan.people)) ids.set('member', `${plan.organization}/${user}`, known);
  for (const { kind, key, adopts } of plan.steps) if (adopts !== null) ids.set(kind, key, adopts);
  for (const step of steps) {
    if (step.state !== 'done') continue;
    if (step.new_id !== null) ids.set(step.kind as KindName, step.key, step.new_id);
    ids.addAll(detailOf(step).map ?? {});
  }
  return ids;
}

/**
 * The same id may stand in several places: pages and files of two spaces may have it, and each request that holds a page of its space
 * gets one of its own. So what a change request proposes comes before anything else, and what its own space has before all other spaces.
 */
export function idsWithin(ids: IdMap, { space, changeRequest }: Within): Pick<IdMap, 'byId'> {
  const proposed = (kind: KindName | null, id: string): string | undefined =>
    kind === null || changeRequest === undefined ? undefined : ids.get(kind, `${space}/${changeRequest}/${id}`);
  return {
    byId: (kind, id, within) => {
      if (kind === 'change-request-page') return proposed(kind, id) ?? ids.byId(kind, id);
      if (kind !== 'page' && kind !== 'file') return ids.byId(kind, id);
      const holder = within ?? space;
      return (holder === space ? proposed(copyKind(kind), id) : undefined) ?? ids.byId(kind, id, holder);
    },
  };
}

/** Where links lead: by new ids, from one place. */
export interface Leading {
  readonly ids: Pick<IdMap, 'byId'>;
  /** The space that a link means which names none. */
  readonly own: string;
}

/** Where the links of what stands in a space or a change request lead. */
export function leadingWithin(ids: IdMap, within: Within): Leading {
  return { ids: idsWithin(ids, within), own: within.space };
}

/** A space, or one of its change requests. */
type Within = Pick<ContentSource, 'space' | 'changeRequest'>;

/** What a resource of a space stands in. */
export function withinOf({ kind, key }: Pick<Resource, 'kind' | 'key'>): Within {
  const [space = '', changeRequest] = key.split('/');
  const isOfRequest = kindOf(kind).params[1] === 'changeRequestId';
  return { space, ...(isOfRequest && changeRequest !== undefined ? { changeRequest } : {}) };
}
