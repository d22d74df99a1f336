// Whether pages and files that another restore brought back are there: live, or in a change request that waits for people to merge it.
import { UNDER_WAY_STATUSES } from '../../contract/index.ts';
import type { RestoreRecord, RestoreStep } from '../../mirror/index.ts';
import { contentOf, idsIn } from '../target/content-there.ts';
import { findRequest } from '../target/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { unlessGone } from '../answers.ts';

interface Written {
  readonly by: Pick<RestoreRecord, 'id' | 'snapshot'>;
  readonly step: Pick<RestoreStep, 'step' | 'key'>;
}

interface Waiting {
  /** Number of the change request. */
  readonly number: number;
  readonly ids: ReadonlySet<string>;
}

/** Asks once for each space, and for each change request. */
export class PagesMade {
  readonly #asking: Pick<ApplyContext, 'client' | 'signal'>;
  readonly #live = new Map<string, ReadonlySet<string>>();
  readonly #waiting = new Map<string, Waiting | null>();

  constructor(asking: Pick<ApplyContext, 'client' | 'signal'>) {
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
