import { pathFromHere, shellWord } from '../../base/index.ts';
import type { Plan, PlanSummary, PreflightCheck } from '../../restore/index.ts';
import type { Look } from '../screen.ts';
import { leftOut, planLine, withTarget } from './plan-line.ts';
import { table } from './table.ts';
import { cutTo, oneLine } from './text.ts';
import { count, span, thousands } from './units.ts';

export interface PlanInput {
  file: string;
  plan: Plan;
  summary: PlanSummary;
  tree: readonly string[];
  /** What the next command needs too. */
  flags: string;
}

const SHOWN_STEPS = 120;
const SHOWN_CLOSURE = 20;

export function planView({ file, plan, summary, tree, flags }: PlanInput, look: Look): string {
  const { create, update, delete: remove, noOp, unsupported } = summary.actions;
  const listed = [...closureLines(plan, look), ...treeLines({ tree, file, flags }, look)];
  return [
    ...listed,
    ...(listed.length > 0 ? [''] : []),
    `Plan for ${snapshotOf(plan)} into organization ${plan.target.organization} at ${plan.target.url}:`,
    `  ${create} to create, ${update} to update, ${remove} to delete, ${asIs(plan, noOp)}${leftOut(unsupported, plan.undoes !== null)}`,
    `  about ${count(summary.requests, 'request')}, ${span(summary.estimatedMs)}${withoutImport(summary)}`,
    '',
    preflightTable(alikeTogether(plan.preflight), flags, look),
    '',
    lastLine({ file, plan, flags }),
  ].join('\n');
}

/** No operation tells beforehand whether a target imports. */
function withoutImport({ requests, requestsWithoutImport: most }: PlanSummary): string {
  return most === requests ? '' : `; ${thousands(most)} where the target turns out to have no import`;
}

/** A plan in place names only what differs: it has no count of all that is equal. */
function asIs({ mode }: Plan, noOp: number): string {
  if (mode === 'in-place' && noOp === 0) return '';
  return `${noOp} ${noOp === 1 ? 'as it is' : 'as they are'}, `;
}

/** Of very many writes the first ones. What stands below them is never left out: people decide by what cannot come back. */
function treeLines({ tree, file, flags }: Pick<PlanInput, 'tree' | 'file' | 'flags'>, look: Look): string[] {
  const end = tree.indexOf('');
  const writes = end < 0 ? tree : tree.slice(0, end);
  const painted = (line: string): string => planLine(line, flags, look);
  const hidden = writes.slice(SHOWN_STEPS);
  const gone = hidden.filter((line) => line.trimStart().startsWith('-')).length;
  const going = gone > 0 ? `, ${thousands(gone)} of which ${gone === 1 ? 'takes' : 'take'} something away` : '';
  return [
    ...writes.slice(0, SHOWN_STEPS).map(painted),
    ...(hidden.length > 0
      ? [look.style.dim(`… and ${count(hidden.length, 'more line')}${going}: all is in ${shellWord(file)}`)]
      : []),
    ...tree.slice(writes.length).map(painted),
  ];
}

function lastLine({ file, plan, flags }: Pick<PlanInput, 'file' | 'plan' | 'flags'>): string {
  if (plan.steps.every(({ part }) => part === 'none')) return 'There is nothing to write.';
  const apply = `docmirror restore apply ${shellWord(file)}${flags}`;
  return plan.preflight.some(({ state }) => state === 'fail')
    ? `Nothing was written yet. What failed above must be mended first, or this is refused: ${apply}`
    : `Nothing was written yet. To carry it out: ${apply}`;
}

/** The archive of a restore numbers its own snapshots, which are not those of the mirror. */
function snapshotOf({ snapshot, archive, undoes }: Plan): string {
  return archive === null || undoes === null
    ? `snapshot ${snapshot}`
    : `what stood before restore ${undoes} (snapshot ${snapshot} in ${pathFromHere(archive)})`;
}

/** What comes along with what was asked for. */
function closureLines({ scope, closure }: Plan, { style, width }: Look): string[] {
  if (closure.length === 0) return [];
  const lines = closure.map(({ kind, title, why }) => cutTo(oneLine(`  ${kind} ${title}: ${why}`), width));
  const more = lines.length - SHOWN_CLOSURE;
  return [
    `${scope} needs besides:`,
    ...lines.slice(0, SHOWN_CLOSURE),
    ...(more > 0 ? [style.dim(`  … and ${thousands(more)} more`)] : []),
    '',
  ];
}

const FEW_ALIKE = 3;
const SHOWN_ALIKE = 6;

/** What is said of many things of a kind in the same words is one line; each of them stands in the plan. */
function alikeTogether(checks: readonly PreflightCheck[]): PreflightCheck[] {
  const alike = new Map<string, PreflightCheck[]>();
  for (const one of checks) {
    const said = JSON.stringify([kindOf(one.check), one.state, one.detail]);
    alike.set(said, [...(alike.get(said) ?? []), one]);
  }
  return [...alike.values()].flatMap((group): PreflightCheck[] => {
    const [first] = group;
    if (first === undefined || group.length <= FEW_ALIKE) return group;
    const names = group.slice(0, SHOWN_ALIKE).map(({ check }) => check.slice(kindOf(check).length + 1));
    const more = group.length > SHOWN_ALIKE ? ` and ${thousands(group.length - SHOWN_ALIKE)} more` : '';
    const detail = `of each: ${first.detail} (${names.join(', ')}${more})`;
    return [{ ...first, check: count(group.length, kindOf(first.check)), detail }];
  });
}

function kindOf(check: string): string {
  return check.split(' ', 1)[0] ?? check;
}

function preflightTable(checks: readonly PreflightCheck[], flags: string, look: Look): string {
  const paint = { ok: look.style.good, warn: look.style.warn, fail: look.style.bad };
  const detail = (row: PreflightCheck): string => oneLine(withTarget(row.detail, flags));
  const rows = table(
    checks,
    [
      { title: 'before the first write', value: (row) => row.check },
      { title: 'is', value: (row) => row.state, paint: (text, row) => paint[row.state](text) },
      { title: 'detail', value: detail },
    ],
    look,
  );
  // Whole, since a table cuts them: these are to be read, and some name a command.
  const cut = checks.filter((row) => row.state !== 'ok' && !rows.includes(detail(row)));
  return [rows, ...cut.map((row) => paint[row.state](`${oneLine(row.check)}: ${detail(row)}`))].join('\n');
}
