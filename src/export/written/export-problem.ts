export interface ExportProblem {
  readonly what: 'export';
  /** Path inside the export. */
  readonly which: string;
  readonly problem: string;
  /** It stands among the files of the export, and none of its lists names it: somebody's own. */
  readonly foreign?: true;
  /** The next export puts it right by itself: to delete the file first would make that impossible. */
  readonly heals?: true;
}

export function exportProblem(which: string, problem: string): ExportProblem {
  return { what: 'export', which, problem };
}
