// What a drill says of how much came back as it was.
import { isRecord, readableJson } from '../base/index.ts';

interface Compared {
  /** Fields that came back as they were, of all that were compared. */
  readonly equal: number;
  readonly fields: number;
}

/** By the report of a drill as it is stored, for one of the claims of the ledger; null where it says nothing of that, or is damaged. */
export function fidelityIn(report: string, claim: 'exact' | 'bestEffort' | 'lost'): Compared | null {
  const fidelity = readableJson(report)?.['fidelity'];
  const counts = isRecord(fidelity) ? fidelity[claim] : undefined;
  if (!isRecord(counts)) return null;
  const { equal, fields } = counts;
  return typeof equal === 'number' && typeof fields === 'number' ? { equal, fields } : null;
}
