import type { Applied } from '../../app.ts';
import { shellWord } from '../../base/index.ts';
import { flagsToTarget, type Config } from '../../config/index.ts';
import type { ApplyResult, Plan, PlanSummary, PreflightCheck } from '../../restore/index.ts';
import type { Look } from '../screen.ts';
import { pathFromHere } from './path.ts';
import { wordOf } from './restores.ts';
import { failureLines } from './step-failures.ts';
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
  return [
    ...closureLines(plan, look),
    ...treeLines({ tree, file, flags }, look),
    '',
    `Plan for ${snapshotOf(plan)} into organization ${plan.target.organization} at ${plan.target.url}:`,
    `  ${create} to create, ${update} to update, ${remove} to delete, ${asIs(plan, noOp)}${leftOut(unsupported, plan.undoes !== null)}`,
    `  about ${count(summary.requests, 'request')}, ${span(summary.estimatedMs)}`,
    '',
    preflightTable(alikeTogether(plan.preflight), flags, look),
    '',
    lastLine({ file, plan, flags }),
  ].join('\n');
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

/** A command works as it stands there, with what it needs to find the target. */
function withTarget(detail: string, flags: string): string {
  return detail.replaceAll(
    /`(docmirror restore (?:plan|resume|undo) [^`]+)`/gu,
    (_, command: string) => `\`${command}${flags}\``,
  );
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

/** Why something cannot come back, and what to do about it, is read to its end. */
function planLine(line: string, flags: string, look: Look): string {
  const text = oneLine(withTarget(line, flags));
  return paintStep(text.startsWith('!') ? text : cutTo(text, look.width), look);
}

function paintStep(line: string, { style }: Look): string {
  if (line.startsWith('+')) return style.good(line);
  if (line.startsWith('-') || line.startsWith('!')) return style.warn(line);
  return line;
}

function leftOut(steps: number, isUndo: boolean): string {
  return `${steps} that ${isUndo ? (steps === 1 ? 'is not taken back' : 'are not taken back') : 'cannot come back'}`;
}

/** @param config Names what the next command needs too; comments that were left stay left until somebody asks for them. */
export function applyView(
  result: ApplyResult & Partial<Applied>,
  config: Pick<Config, 'flags' | 'target'> & { withoutComments?: boolean },
  look: Look,
): string {
  const flags = flagsToTarget(config);
  const {
    done,
    failed,
    skipped,
    unsupported,
    left,
    untouched,
    mixed,
    lacking,
    failures,
    review,
    takesBack,
    undoPlan = null,
    pins = [],
  } = result;
  const leaving = config.withoutComments === true ? ' --without-comments' : '';
  const isWhole = failed + skipped === 0;
  const word = wordOf(isWhole ? (left > 0 ? 'unfinished' : lacking > 0 ? 'done in part' : 'done') : 'failed');
  const head = word === 'done' ? look.style.good(word) : look.style.warn(word);
  return [
    `Restore ${result.restore} is ${head}: ${count(result.requests, 'request')}, ${span(result.durationMs)}`,
    `  ${done} done, ${failed} failed, ${skipped} skipped, ${leftOut(unsupported, takesBack !== null)}`,
    ...(left === 0 ? [] : [`  ${left} left for later: docmirror restore resume ${result.restore}${flags} does them`]),
    ...(untouched === 0 ? [] : [`  ${count(untouched, 'page')} left as found, neither set back nor taken away`]),
    ...(mixed === 0
      ? []
      : [`  ${count(mixed, 'space')} with pages that somebody edited meanwhile: they have both versions`]),
    ...(lacking === 0 ? [] : [`  of ${lacking} done something did not come back, as named below: no resume brings it`]),
    ...failureLines(failures, look),
    ...(takesBack?.kept ?? []).map((line) => planLine(line, flags, look)),
    ...reviewLines(review),
    '',
    ...undeletedLines(result, flags),
    ...nextLines(result, { flags, leaving }),
    ...(takesBack?.keptChanged === true
      ? [`To touch, too, what was changed since: docmirror restore undo ${takesBack.restore} --even-changed${flags}`]
      : []),
    ...(done === 0 || takesBack !== null ? [] : [backLine(result.restore, { flags, undoPlan })]),
    ...pins.map((pin) => pinLine(pin, config.flags)),
  ].join('\n');
}

interface Following {
  readonly flags: string;
  /** Of a resume, so that it leaves what this run has left. */
  readonly leaving: string;
}

/** What does any good now: there is nothing to verify where nothing was written, nor to resume where only a new plan helps. */
function nextLines({ restore, done, failed, skipped, failures, takesBack }: ApplyResult, next: Following): string[] {
  const { flags, leaving } = next;
  if (failed + skipped === 0)
    return done === 0 ? ['Nothing was written.'] : [`Next: docmirror restore verify ${restore}${flags}`];
  const resume = `docmirror restore resume ${restore}${leaving}${flags}`;
  const held = failures.filter(({ isHeldBack }) => isHeldBack).length;
  if (held === 0) return [`Next: ${resume}`];
  const anew =
    takesBack === null
      ? `docmirror restore plan${flags} and the options of this one, for what was changed since it was made`
      : `docmirror restore undo ${takesBack.restore}${flags}, which plans anew for what was changed since this plan was made`;
  return [...(failed > held ? [`Next: ${resume}`] : []), `${failed > held ? 'Then' : 'Next'}: ${anew}`];
}

function backLine(restore: string, { flags, undoPlan }: { flags: string; undoPlan: string | null }): string {
  const planned = undoPlan === null ? '' : ` (its plan as of now: ${shellWord(undoPlan)})`;
  return `To take it back: docmirror restore undo ${restore}${flags}${planned}`;
}

function reviewLines(review: ApplyResult['review']): string[] {
  if (review === null || review.requests === 0) return [];
  const { requests, subject } = review;
  const named = requests === 1 ? 'its subject begins' : 'their subjects begin';
  return ['', `For people to review and merge: ${count(requests, 'change request')}; ${named} with "${subject}"`];
}

function undeletedLines({ undeleted }: ApplyResult, flags: string): string[] {
  if (undeleted === null) return [];
  const { spaces, snapshot, only } = undeleted;
  const [are, them] = spaces === 1 ? ['is as it was when it was', 'it'] : ['are as they were when they were', 'them'];
  const scope = only === null ? '' : ` --scope space:${only}`;
  const plan = `docmirror restore plan --snapshot ${snapshot} --in-place${scope} --out restore-of-${snapshot}.json${flags}`;
  return [`${count(spaces, 'undeleted space')} ${are} deleted. What else had changed in ${them} by then: ${plan}`];
}

function pinLine({ snapshot, reason }: Applied['pins'][number], flags: string): string {
  return `Pinned: snapshot ${snapshot}, ${reason}; it is let go by itself then, or by docmirror snapshots unpin ${snapshot}${flags}`;
}
