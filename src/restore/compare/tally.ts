// What a comparison counts, and names.
import type { KindName } from '../../contract/index.ts';
import { isTrivial, ledgerOf, type LedgerEntry } from '../ledger.ts';
import type { BetterThanClaimed, FieldCount, FieldDifference, Plan } from '../types.ts';
import { BetterFields } from './better-than-claimed.ts';

/** What was counted of one kind. */
interface Counts {
  resources: number;
  missing: number;
  readonly exact: FieldCount;
}

export interface Compared {
  readonly exact: FieldCount;
  readonly bestEffort: FieldCount;
  readonly lost: FieldCount;
  readonly kinds: Readonly<Record<string, Counts>>;
  readonly differences: readonly FieldDifference[];
  readonly betterThanClaimed: readonly BetterThanClaimed[];
  /** Change requests that wait for people, in which content was found. */
  readonly waiting: number;
}

interface FieldFound {
  readonly kind: KindName;
  readonly key: string;
  readonly field: string;
  readonly wanted: unknown;
  readonly equal: boolean;
  /** What it was the snapshot could not tell. */
  readonly isUntold: boolean;
}

type Told = Omit<FieldDifference, 'class'>;

const MOST_DIFFERENCES = 1000;

export class Tally {
  readonly #exact = none();
  readonly #bestEffort = none();
  readonly #lost = none();
  readonly #kinds: Record<string, Counts> = {};
  readonly #differences: FieldDifference[] = [];
  readonly #better = new BetterFields();
  /** What came out of the bin is better than anything that is made anew. */
  readonly #undeleted: ReadonlySet<string>;

  constructor({ steps }: Plan) {
    this.#undeleted = new Set(steps.flatMap(({ part, kind, key }) => (part === 'undelete' ? [`${kind} ${key}`] : [])));
  }

  addResource(kind: KindName): void {
    this.#countsOf(kind).resources += 1;
  }

  addMissing(kind: KindName, key: string, got: string): void {
    this.#countsOf(kind).missing += 1;
    this.tell({ kind, key, field: '*', expected: 'restored', got });
  }

  /** Counts it as what it counts as, and answers that: as the ledger claims, or as less where the snapshot could not tell. */
  addField({ kind, key, field, wanted, equal, isUntold }: FieldFound): LedgerEntry['class'] {
    const entry = ledgerOf(kind, field);
    const is = entry.class === 'exact' && isUntold ? 'bestEffort' : entry.class;
    const counts = { exact: this.#exact, bestEffort: this.#bestEffort, lost: this.#lost };
    add(counts[is], equal);
    if (is === 'exact') add(this.#countsOf(kind).exact, equal);
    else if (entry.class !== 'exact' && !this.#undeleted.has(`${kind} ${key}`))
      this.#better.note(entry, { equal, trivial: isTrivial(wanted) });
    return is;
  }

  /** One thing more that is to be so exactly; null where it is. */
  addClaim(difference: Told | null): void {
    add(this.#exact, difference === null);
    if (difference !== null) this.tell(difference);
  }

  tell(told: Told, is: FieldDifference['class'] = 'exact'): void {
    if (this.#differences.length < MOST_DIFFERENCES) this.#differences.push({ ...told, class: is });
  }

  found(): Omit<Compared, 'waiting'> {
    return {
      exact: this.#exact,
      bestEffort: this.#bestEffort,
      lost: this.#lost,
      kinds: this.#kinds,
      differences: this.#differences,
      betterThanClaimed: this.#better.found(),
    };
  }

  #countsOf(kind: KindName): Counts {
    return (this.#kinds[kind] ??= { resources: 0, missing: 0, exact: none() });
  }
}

function none(): FieldCount {
  return { fields: 0, equal: 0 };
}

function add(counts: FieldCount, equal: boolean): void {
  counts.fields += 1;
  if (equal) counts.equal += 1;
}
