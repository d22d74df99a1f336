// Comparing a snapshot with what stands on the target after a restore, field by field, through the id map and the ledger.
import type { Pieces } from '../../base/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { RESTORED_KINDS } from '../restored-kinds.ts';
import { AsPlanned } from './as-planned.ts';
import { leftThere, beyondSnapshot } from './left-there.ts';
import { ByAddress } from './by-address.ts';
import { covered } from './covered.ts';
import { findRestored } from './find-restored.ts';
import { givenUpBy, withoutGivenUp } from './given-up.ts';
import { InReview } from './in-review.ts';
import { withoutOthersParts } from './others-parts.ts';
import { relinkedThere } from './relinked-there.ts';
import { SameFields } from './same-fields.ts';
import { SiblingPlaces } from './sibling-places.ts';
import type { Sides } from './sides.ts';
import { Tally, type Compared } from './tally.ts';
import { UntoldFields } from './untold-fields.ts';
import { foundValues, wantedValues, type Values } from './values.ts';

const SHOWN_LENGTH = 200;

// So many are compared in some tens of milliseconds.
const AT_ONCE = 50;

/** Compares every resource that the plan brings back. A missing resource counts all its exact fields as unequal. */
export function* compareSnapshots(sides: Sides): Pieces<Compared> {
  const comparison = new Comparison(sides);
  let compared = 0;
  for (const kind of RESTORED_KINDS) {
    for (const resource of covered(sides.plan, sides.original, kind)) {
      if (resource !== null) comparison.compare(resource);
      if (resource === null || ++compared % AT_ONCE === 0) yield;
    }
  }
  yield;
  yield* comparison.compareRest();
  yield;
  return comparison.result();
}

/** What stands for a resource of the snapshot. */
interface Found {
  /** Undefined where nothing does. */
  readonly restored: Resource | undefined;
  readonly why: string;
}

class Comparison {
  readonly #sides: Sides;
  readonly #tally: Tally;
  readonly #givenUp: ReadonlySet<string>;
  readonly #review: InReview;
  readonly #addresses: ByAddress;
  readonly #places: SiblingPlaces;
  readonly #same: SameFields;
  readonly #untold: UntoldFields;

  constructor(sides: Sides) {
    const planned = new AsPlanned(sides);
    this.#sides = sides;
    this.#tally = new Tally(sides.plan);
    this.#givenUp = givenUpBy(sides.plan);
    this.#review = new InReview(sides.plan, sides.restored);
    this.#addresses = new ByAddress(sides);
    this.#places = new SiblingPlaces(sides);
    this.#same = new SameFields(sides, planned);
    this.#untold = new UntoldFields(sides, { planned, givenUp: this.#givenUp });
  }

  compare(held: Resource): void {
    const resource = this.#addresses.wanted(held);
    const { kind, key } = resource;
    this.#tally.addResource(kind);
    const { restored, why } = this.#find(resource);
    if (restored === undefined) this.#tally.addMissing(kind, key, why);
    const { wanted, got } = this.#valuesOf(resource, restored);
    const pair = restored && { resource, restored, wanted, got };
    const untold = this.#untold.of(resource, pair);
    for (const field of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      const equal = pair !== undefined && this.#same.has(field, pair);
      const isUntold = untold.has(field) || (!equal && untold.excuses(field));
      const is = this.#tally.addField({ kind, key, field, wanted: wanted[field], equal, isUntold });
      if (equal || is === 'lost' || restored === undefined) continue;
      this.#tally.tell({ kind, key, field, expected: show(wanted[field]), got: show(got[field]) }, is);
    }
  }

  /** What is to be gone, what is there besides, and pages that were to link to what was made anew. */
  *compareRest(): Pieces<void> {
    const sides = this.#sides;
    let compared = 0;
    for (const { kind, key, got } of leftThere(sides)) {
      this.#tally.addClaim(got === null ? null : { kind, key, field: '*', expected: 'not there', got });
      if (++compared % AT_ONCE === 0) yield;
    }
    for (const beyond of beyondSnapshot(sides)) {
      if (beyond === null) yield;
      else this.#tally.addClaim({ kind: 'page', key: beyond.key, field: '*', expected: 'not there', got: beyond.got });
    }
    for (const { key, got } of relinkedThere(sides, this.#review)) {
      this.#tally.addClaim(got === 'turned' ? null : { kind: 'page', key, ...RELINKED[got] });
      if (++compared % AT_ONCE === 0) yield;
    }
  }

  result(): Compared {
    return { ...this.#tally.found(), waiting: this.#review.waiting.size };
  }

  #find(resource: Resource): Found {
    const { ids, restored: target, keepsUnread, isUnread } = this.#sides;
    const there = this.#review.find(ids, resource) ?? findRestored(ids, target, resource);
    if (there === undefined) return { restored: undefined, why: this.#review.whyMissing(ids, resource) };
    if (keepsUnread && isUnread(there.kind, there.key)) return { restored: undefined, why: 'not read' };
    return { restored: this.#addresses.got(there), why: '' };
  }

  #valuesOf(resource: Resource, restored: Resource | undefined): { wanted: Values; got: Values } {
    const place = restored && this.#places.of(resource, restored);
    const wanted = withoutGivenUp(resource.kind, wantedValues(resource, this.#sides.ids), this.#givenUp);
    return withoutOthersParts(this.#sides, resource, {
      wanted: { ...wanted, ...place?.wanted },
      got: restored ? { ...foundValues(restored, this.#isOriginal(resource, restored)), ...place?.got } : {},
    });
  }

  /** True in place for what stood there when the plan was made, under its own id. */
  #isOriginal({ kind, key }: Resource, restored: Resource): boolean {
    return restored.key === key && this.#sides.live?.one(kind, key) !== undefined;
  }
}

const RELINKED = {
  old: { field: 'links', expected: 'links to what was made anew', got: 'links to what it stands for' },
  missing: { field: '*', expected: 'there', got: 'missing' },
} as const;

function show(value: unknown): string {
  // Of a line that differs by the space around it alone, a table shows the same twice.
  const isPlain = typeof value === 'string' && (value.includes('\n') || (value !== '' && value.trim() === value));
  const text = isPlain ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)` : text;
}
