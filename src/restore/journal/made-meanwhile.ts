// What a plan is to make anew in place, and another restore has made already: made once more it would stand there twice.
import { AppError } from '../../base/index.ts';
import {
  stepsOf,
  halfUndone,
  undone,
  type Mirror,
  type Resource,
  type RestoreRecord,
  type RestoreStep,
} from '../../mirror/index.ts';
import { planningAgain } from '../plan/plan-archive.ts';
import { newParams } from '../compare/find-restored.ts';
import { idMapOf, type IdMap } from './id-map.ts';
import { lineageOf, madeBy, restoresInto, toBeMade, whatIsOf, type ToMake, type WhatIs } from './lineage.ts';
import { readLive } from '../steps/live-object.ts';
import { isUnfinished } from './step-journal.ts';
import type { ApplyContext, Plan } from '../types.ts';
import { spaceOf } from '../resource.ts';
import { UNDER_WAY_STATUSES } from '../../contract/index.ts';
import { contentOf, idsIn } from '../target/content-there.ts';
import { findRequest } from '../target/own-request.ts';
import { unlessGone } from '../answers.ts';

interface Asking extends Pick<ApplyContext, 'client' | 'reader' | 'live'> {
  /** Holds the journal of every restore. */
  readonly mirror: Mirror;
  /** This restore; null before it begins. */
  readonly restore: string | null;
}

interface Maker {
  readonly what: ToMake;
  readonly by: RestoreRecord;
  readonly noted: RestoreStep;
  /** Null where the other restore was cut off before it could note what it made. */
  readonly id: string | null;
}

/**
 * Two plans may name the same things, whatever their scopes, and whatever ids these had in their snapshots; so may a restore that was
 * cut off and the plan that somebody makes instead of resuming it. Throws DM_PLAN_STALE, with nothing written; what was made and has
 * gone again is in nobody's way.
 */
export async function demandNotMade(asking: Asking, plan: Plan): Promise<void> {
  if (plan.mode !== 'in-place') return;
  const own = asking.restore === null ? [] : stepsOf(asking.mirror, asking.restore);
  const done = new Set(own.filter(({ state }) => state === 'done').map(({ step }) => step));
  const open = plan.steps.filter(({ step }) => !done.has(step)).flatMap(toBeMade);
  if (open.length === 0) return;
  const others = restoresInto(asking.mirror, plan.target);
  const lineage = lineageOf(asking.mirror, others);
  const whatIs = whatIsOf(open, lineage);
  const pages = new PagesMade(asking);
  for (const by of others.toReversed()) {
    if (by.id === asking.restore) continue;
    const noted = stepsOf(asking.mirror, by.id);
    const isThere = standing(asking, plan, { noted, pages });
    const makers = noted.flatMap((one) => makersIn(one, { by, plan, whatIs }));
    for (const maker of makers) if (await isThere(maker, makers)) throw madeAlready({ ...asking, plan }, maker, pages);
  }
}

interface Searched {
  readonly by: RestoreRecord;
  readonly plan: Plan;
  readonly whatIs: WhatIs;
}

function makersIn(noted: RestoreStep, { by, plan, whatIs }: Searched): Maker[] {
  if (noted.state === 'done')
    return madeBy(noted).flatMap((made) => {
      const what = whatIs(made);
      return what === undefined ? [] : [{ what, by, noted, id: made.id }];
    });
  const what = whatIs(noted);
  // Begun before this plan, whatever came of it is in what the plan was made against.
  const isOpen = isUnfinished(noted) && noted.at > plan.createdAt;
  return what !== undefined && isOpen ? [{ what, by, noted, id: null }] : [];
}

interface Others {
  readonly noted: readonly RestoreStep[];
  readonly pages: PagesMade;
}

type IsThere = (maker: Maker, makers: readonly Maker[]) => Promise<boolean>;

function standing({ client, reader, live }: Asking, plan: Plan, { noted, pages }: Others): IsThere {
  return async ({ what, by, noted: step, id }, makers) => {
    if (id === null) return true;
    const resource = reader.one(what.kind, what.key);
    // What the plan saw standing under that id is no reason to doubt it: it was to be made beside that.
    if (resource === undefined || (live?.keysOf(what.kind, id).length ?? 0) > 0) return false;
    const ids = idMapOf(plan, noted, live);
    // The same things under the keys that they have in this plan.
    for (const one of makers) if (one.id !== null) ids.set(one.what.kind, one.what.key, one.id);
    // What was to hold it is not there either.
    if (Object.values(newParams(ids, resource)).includes(undefined)) return false;
    const space = inSpace(ids, resource);
    if (space !== null) return pages.stands({ space, by, step }, id);
    return (await readLive({ client, ids }, resource)) !== undefined;
  };
}

/** The space as it stands now that holds a page or a file; null for anything else. */
function inSpace(ids: IdMap, resource: Resource): string | null {
  return resource.kind === 'page' || resource.kind === 'file' ? ids.need('space', spaceOf(resource)) : null;
}

function madeAlready(
  { mirror, restore, plan }: Pick<Asking, 'mirror' | 'restore'> & { readonly plan: Plan },
  { what, by, noted, id }: Maker,
  pages: PagesMade,
): AppError {
  const title = `${what.kind} ${what.title}`;
  const again = planningAgain(plan);
  const why = restore === null ? 'The plan no longer fits' : `Restore ${restore} does not go on`;
  const waiting = id === null ? undefined : pages.waitsIn({ by, step: noted }, id);
  if (waiting !== undefined)
    return new AppError(
      'DM_PLAN_STALE',
      `${why}: restore ${by.id} has brought ${title} back in change request ${waiting}, which waits to be merged, and it would come back twice`,
      {
        hint: `Merge that change request, or archive it; then make a new plan with \`${again}\`. Nothing was written.`,
      },
    );
  const isOpen = by.state !== 'done' && !undone(mirror).has(by.id);
  const next = isOpen
    ? `Run \`docmirror restore resume ${halfUndone(mirror).get(by.id) ?? by.id}\` first; then \`${again}\` names what is still missing.`
    : `Make a new plan with \`${again}\`: it takes what was brought back for what was lost, and names only what is still missing.`;
  const made = id === null ? 'may have made' : 'has made';
  return new AppError(
    'DM_PLAN_STALE',
    `${why}: restore ${by.id} ${made} ${title} anew meanwhile, and it would stand there twice`,
    { hint: `${next} Nothing was written.` },
  );
}

interface Written {
  readonly by: Pick<RestoreRecord, 'id' | 'snapshot'>;
  readonly step: Pick<RestoreStep, 'step' | 'key'>;
}

interface Waiting {
  /** Number of the change request. */
  readonly number: number;
  readonly ids: ReadonlySet<string>;
}

/** Whether pages and files that another restore brought back are live, or wait in a change request. Asks once for each. */
class PagesMade {
  readonly #asking: Pick<ApplyContext, 'client'>;
  readonly #live = new Map<string, ReadonlySet<string>>();
  readonly #waiting = new Map<string, Waiting | null>();

  constructor(asking: Pick<ApplyContext, 'client'>) {
    this.#asking = asking;
  }

  async stands({ space, ...written }: Written & { readonly space: string }, id: string): Promise<boolean> {
    return (await this.#liveIn(space)).has(id) || (await this.#waitingOf(written, space))?.ids.has(id) === true;
  }

  /** Number of the change request in which it waits; undefined when it is live, or was not asked for. */
  waitsIn(written: Written, id: string): number | undefined {
    const waiting = this.#waiting.get(nameOf(written));
    return waiting?.ids.has(id) === true ? waiting.number : undefined;
  }

  async #liveIn(spaceId: string): Promise<ReadonlySet<string>> {
    const known = this.#live.get(spaceId);
    if (known) return known;
    const made = await unlessGone(contentOf(this.#asking, { spaceId }));
    const ids = made === undefined ? new Set<string>() : idsIn(made);
    this.#live.set(spaceId, ids);
    return ids;
  }

  async #waitingOf(written: Written, spaceId: string): Promise<Waiting | null> {
    const known = this.#waiting.get(nameOf(written));
    if (known !== undefined) return known;
    const found = await unlessGone(this.#findWaiting(written, spaceId));
    this.#waiting.set(nameOf(written), found ?? null);
    return found ?? null;
  }

  async #findWaiting({ by, step }: Written, spaceId: string): Promise<Waiting | null> {
    const asked = { ...this.#asking, plan: by, restore: by.id };
    const request = await findRequest(asked, step, { spaceId, among: UNDER_WAY_STATUSES });
    if (request === null) return null;
    const ids = idsIn(await contentOf(this.#asking, { spaceId, changeRequestId: request.id }));
    return { number: request.number, ids };
  }
}

function nameOf({ by, step }: Written): string {
  return `${by.id} ${step.step}`;
}
