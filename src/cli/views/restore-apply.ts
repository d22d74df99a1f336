import type { Applied } from '../../app.ts';
import { shellWord } from '../../base/index.ts';
import { flagsToTarget, type Config } from '../../config/index.ts';
import type { ApplyResult } from '../../restore/index.ts';
import type { Look } from '../screen.ts';
import { leftOut, planLine } from './plan-line.ts';
import { wordOf } from './restores.ts';
import { failureLines } from './step-failures.ts';
import { count, span } from './units.ts';

/** @param config Names what the next command needs too; comments that were left stay left until somebody asks for them. */
export function applyView(
  result: ApplyResult & Partial<Applied>,
  config: Pick<Config, 'flags' | 'target'> & { withoutComments?: boolean },
  look: Look,
): string {
  const flags = flagsToTarget(config);
  const { done, takesBack, undoPlan = null, pins = [] } = result;
  const leaving = config.withoutComments === true ? ' --without-comments' : '';
  return [
    `Restore ${result.restore} is ${headWord(result, look)}: ${count(result.requests, 'request')}, ${span(result.durationMs)}`,
    ...countLines(result, flags),
    ...failureLines(result.failures, look),
    ...(takesBack?.kept ?? []).map((line) => planLine(line, flags, look)),
    ...reviewLines(result.review),
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

/** How it ended, in one word or few. */
function headWord({ failed, skipped, left, lacking }: ApplyResult, { style }: Look): string {
  if (failed + skipped > 0) return style.warn(wordOf('failed'));
  if (left > 0) return style.warn(wordOf('unfinished'));
  return lacking > 0 ? style.warn(wordOf('done in part')) : style.good(wordOf('done'));
}

function countLines(result: ApplyResult, flags: string): string[] {
  const { done, failed, skipped, unsupported, left, untouched, mixed, lacking, takesBack } = result;
  return [
    `  ${done} done, ${failed} failed, ${skipped} skipped, ${leftOut(unsupported, takesBack !== null)}`,
    ...(left === 0 ? [] : [`  ${left} left for later: docmirror restore resume ${result.restore}${flags} does them`]),
    ...(untouched === 0 ? [] : [`  ${count(untouched, 'page')} left as found, neither set back nor taken away`]),
    ...(mixed === 0
      ? []
      : [`  ${count(mixed, 'space')} with pages that somebody edited meanwhile: they have both versions`]),
    ...(lacking === 0 ? [] : [`  of ${lacking} done something did not come back, as named below: no resume brings it`]),
  ];
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
      ? `docmirror restore plan${flags} and the options of this one, for what only a new plan can bring back`
      : `docmirror restore undo ${takesBack.restore}${flags}, which plans anew for what was changed since this plan was made`;
  return [...(failed > held ? [`Next: ${resume}`] : []), `${failed > held ? 'Then' : 'Next'}: ${anew}`];
}

function backLine(restore: string, { flags, undoPlan }: { flags: string; undoPlan: string | null }): string {
  const planned = undoPlan === null ? '' : ` (its plan as of the last write: ${shellWord(undoPlan)})`;
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
  const scope = only === null ? '' : ` --scope ${shellWord(`space:${only}`)}`;
  const plan = `docmirror restore plan --snapshot ${snapshot} --in-place${scope} --out restore-of-${snapshot}.json${flags}`;
  return [`${count(spaces, 'undeleted space')} ${are} deleted. What else had changed in ${them} by then: ${plan}`];
}

function pinLine({ snapshot, reason }: Applied['pins'][number], flags: string): string {
  return `Pinned: snapshot ${snapshot}, ${reason}; it is let go by itself then, or by docmirror snapshots unpin ${snapshot}${flags}`;
}
