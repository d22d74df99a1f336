import type { VerifyReport } from '../types.ts';

/** The result of every drill is kept, and one that brought nothing back differs in very much. */
const MOST_KEPT = 1000;

export interface KeptReport extends VerifyReport {
  /** Differences that are not among those that are kept. */
  readonly differencesLeftOut: number;
}

/** What the mirror keeps of the report of a drill: of very many differences some, those first that it did not pass for. */
export function keptReport(report: VerifyReport): KeptReport {
  const { differences } = report;
  const exact = differences.filter((one) => one.class === 'exact');
  const others = differences.filter((one) => one.class !== 'exact');
  const kept = [...exact, ...others].slice(0, MOST_KEPT);
  return { ...report, differences: kept, differencesLeftOut: differences.length - kept.length };
}
