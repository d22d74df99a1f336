// What the plan says cannot come back is missed by nothing that listed it.
import { groupBy, isRecord, lazyBy } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { idAt, keyAbove, lastOf } from '../resource.ts';
import { defaultAmong } from '../special/site-order.ts';
import type { Plan } from '../types.ts';
import type { Sides } from './sides.ts';
import type { Values } from './values.ts';

/** Kinds and ids of what the plan brings back nothing of. */
export function givenUpBy({ steps }: Pick<Plan, 'steps'>): ReadonlySet<string> {
  const nameOf = ({ kind, key }: Plan['steps'][number]): string => `${kind} ${lastOf(key)}`;
  const brought = new Set(steps.filter(({ action }) => action !== 'unsupported').map(nameOf));
  return new Set(steps.map(nameOf).filter((name) => !brought.has(name)));
}

/** The values without those members of lists of parts. */
export function withoutGivenUp(kind: KindName, values: Values, givenUp: ReadonlySet<string>): Values {
  const lists = Object.entries(kindOf(kind).embeds ?? {}).flatMap(([field, of]) => {
    const list: unknown = values[field];
    if (!Array.isArray(list)) return [];
    return [[field, list.filter((one) => !isRecord(one) || !givenUp.has(`${of} ${idAt(one) ?? ''}`))] as const];
  });
  return { ...values, ...Object.fromEntries(lists) };
}

type PartKind = 'site-section' | 'site-space';

/** Parts of sites beside the one that people saw first, when that does not come back: the target shows another one first. */
export class LostDefaults {
  readonly #sides: Sides;
  readonly #givenUp: ReadonlySet<string>;
  /** Sections of a site, undefined for its root, that have lost the part that was first. The parts of a site are read once. */
  readonly #lostIn = lazyBy((kind: PartKind) => lazyBy((site: string) => this.#lost(kind, site)));

  constructor(sides: Sides, givenUp: ReadonlySet<string>) {
    this.#sides = sides;
    this.#givenUp = givenUp;
  }

  has({ kind, key, body }: Resource): boolean {
    if (kind !== 'site-section' && kind !== 'site-space') return false;
    if (this.#givenUp.size === 0 && this.#sides.live === null) return false;
    return this.#lostIn(kind)(keyAbove(key)).has(body['section']);
  }

  #lost(kind: PartKind, site: string): ReadonlySet<unknown> {
    const bySection = groupBy(this.#sides.original.resources(kind, site), ({ body }) => body['section']);
    const isLost = (first: Resource | undefined): boolean =>
      first !== undefined && (this.#givenUp.has(`${kind} ${first.id}`) || isLeftOut(this.#sides, first));
    return new Set([...bySection].flatMap(([section, parts]) => (isLost(defaultAmong(parts)) ? [section] : [])));
  }
}

/** In place: it was gone when the plan was made, which brings it not back, and is not there. */
function isLeftOut({ plan, live, restored }: Sides, { kind, key }: Resource): boolean {
  if (live === null || [live, restored].some((side) => side.one(kind, key) !== undefined)) return false;
  return !plan.steps.some((step) => step.kind === kind && step.key === key);
}
