// The ledger proved from the other side: what came back equal everywhere although the ledger does not claim it.
import type { LedgerEntry } from '../ledger.ts';
import type { BetterThanClaimed } from '../types.ts';
import { explanationOf } from './explained.ts';

interface Seen {
  readonly entry: LedgerEntry;
  /** Resources with a value there that says something. */
  telling: number;
  unequal: number;
}

/** Counts fields that are not claimed exact. A value that every new resource has anyway proves nothing. */
export class BetterFields {
  readonly #seen = new Map<string, Seen>();

  note(entry: LedgerEntry, { equal, trivial }: { equal: boolean; trivial: boolean }): void {
    const name = `${entry.kind}.${entry.field}`;
    const seen = this.#seen.get(name) ?? { entry, telling: 0, unequal: 0 };
    this.#seen.set(name, seen);
    if (!trivial) seen.telling += 1;
    if (!equal) seen.unequal += 1;
  }

  /** Fields that were equal in every resource of the kind. */
  found(): BetterThanClaimed[] {
    return [...this.#seen.values()].flatMap(({ entry, telling, unequal }) => {
      const { kind, field } = entry;
      if (entry.class === 'exact' || telling === 0 || unequal > 0) return [];
      return [{ kind, field, class: entry.class, resources: telling, explained: explanationOf(kind, field) }];
    });
  }
}
