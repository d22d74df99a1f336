import type { Command } from 'commander';
import type { App } from '../../app.ts';
import { AppError, didYouMean } from '../../base/index.ts';
import { flagsToTarget } from '../../config/index.ts';
import { planSummary, planOutline, type Choices } from '../../restore/index.ts';
import { addTarget, createCommand, does, givenTwice, resourceId, type Run } from '../command.ts';
import { followRestore } from '../views/restore-progress.ts';
import { planView } from '../views/restore-plan.ts';

interface Options {
  snapshot: string;
  scope?: string;
  where?: string;
  toOrganization?: string;
  intoExisting?: boolean;
  inPlace?: string | true;
  delete?: boolean;
  full?: boolean;
  review?: boolean;
  people?: string;
  keepMentions?: boolean;
  withoutComments?: boolean;
  out: string;
}

export function restorePlanCommand(run: Run): Command {
  const command = createCommand({
    name: 'plan',
    summary: 'Compare a snapshot with the target and write down what a restore would do.',
    examples: [
      'restore plan --snapshot 3 --out plan.json',
      'restore plan --snapshot latest --target-url http://127.0.0.1:8700 --to-organization ID --out plan.json',
      'restore plan --snapshot 3 --scope space:ID --into-existing --out plan.json',
      'restore plan --snapshot 3 --in-place --out plan.json',
      'restore plan --snapshot 3 --in-place --where "path like \'guides/%\'" --out plan.json',
    ],
    notes: [
      'Only reads. The token of the target: DOCMIRROR_TARGET_TOKEN or DOCMIRROR_TARGET_TOKEN_FILE.',
      'In place, the platform is walked first; what is as the snapshot has it is not touched.',
    ],
  })
    .requiredOption('--snapshot <snapshot>', 'number, time (UTC without a zone) or "latest"')
    .option('--scope <scope>', SCOPE, once('--scope'))
    .option('--where <sql>', WHERE, once('--where'))
    .option('--to-organization <id>', 'organization of the target; the only one that its token shows without')
    .option('--into-existing', 'write beside what stands on the target; without it the target must be empty')
    .option('--in-place [what]', IN_PLACE)
    .option('--delete', 'with --in-place: take away, last of all, what is not in the snapshot')
    .option('--full', 'with --in-place: read everything again first, moved or not')
    .option('--review', 'content arrives as change requests, for people to merge')
    .option(
      '--people <file>',
      'YAML or JSON: who of the snapshot (id or e-mail address) is who on the target; "default: WHO"',
    )
    .option('--keep-mentions', 'leave mentions in comments as they are: the platform may mail those who are named')
    .option('--without-comments', 'comments and replies do not come back')
    .requiredOption('--out <file>', 'the file that the plan goes into');
  return does<Options>(run, addTarget(command), async ({ app, screen, signal, endAtOnce }, options) => {
    // A condition may take SQLite for ever; a walk that is cut off with it is continued by the next one.
    if (options.where !== undefined) endAtOnce();
    using progress = followRestore(screen, 'plan', app.clock);
    const plan = await app.planRestore({ ...askedFor(options), onRead: progress.onRead, signal });
    progress[Symbol.dispose]();
    const summary = planSummary(plan);
    const { scope, closure, preflight, people, standIn, steps } = plan;
    const document = { plan: options.out, ...summary, scope, closure, preflight, people, standIn, steps };
    const shown = { file: options.out, plan, summary, tree: planOutline(plan), flags: flagsToTarget(app.config) };
    await screen.show(document, (look) => planView(shown, look));
  });
}

/** Throws DM_USAGE for what does not go together. */
function askedFor(options: Options): Omit<Parameters<App['planRestore']>[0], 'onRead' | 'signal'> {
  const { toOrganization, snapshot, out } = options;
  return {
    snapshot,
    scope: options.scope ?? null,
    where: options.where ?? null,
    toOrganization: toOrganization === undefined ? null : resourceId('--to-organization', toOrganization),
    intoExisting: options.intoExisting === true,
    inPlace: choicesOf(options),
    full: options.full === true,
    review: options.review === true,
    people: options.people ?? null,
    keepMentions: options.keepMentions === true,
    withoutComments: options.withoutComments === true,
    out,
  };
}

const SCOPE =
  'organization:ID, collection:ID, space:ID, site:ID, page:ID, change-request:ID or kind:NAME, with what that needs';
const IN_PLACE =
  'mend the mirrored platform itself: missing, changed or both ("missing,changed"); new, with --delete, takes away alone';
const WHERE = 'only what this condition chooses, over the view of --scope kind:NAME, or over pages';

/** The last of two would silently be all that is restored. Throws DM_USAGE for a second one. */
function once(flag: string): (value: string, earlier: string | undefined) => string {
  return (value, earlier) => {
    if (earlier !== undefined) throw givenTwice(flag, [earlier, value], CHOSEN_TOGETHER);
    return value;
  };
}

const CHOSEN_TOGETHER =
  "Make a plan for each, or choose all by one condition, such as --scope kind:space --where \"id in ('ID', 'ID')\".";

/** What `--in-place` may name. */
export const IN_PLACE_WORDS = ['missing', 'changed', 'new'] as const;
const WITHOUT_NEW: readonly string[] = ['missing', 'changed'];

/** What is mended in place; null when everything is made anew. Throws DM_USAGE for options that do not go together. */
function choicesOf(options: Options): Choices | null {
  const { inPlace, toOrganization, intoExisting } = options;
  if (inPlace === undefined) {
    if (options.delete === true || options.full === true)
      throw usage('--delete and --full go together with --in-place', 'Add --in-place, or leave them out.');
    return null;
  }
  if (options.people !== undefined)
    throw usage('--people goes with another organization: in place everybody is who they were', 'Leave it out.');
  if (toOrganization !== undefined || intoExisting === true)
    throw usage('--in-place goes with neither --to-organization nor --into-existing', 'Choose one of the three.');
  const words = inPlace === true ? WITHOUT_NEW : inPlace.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !IN_PLACE_WORDS.some((known) => known === word));
  if (unknown !== undefined)
    throw usage(
      `--in-place has ${JSON.stringify(unknown)}; expected missing, changed or new, or several joined by a comma${didYouMean(unknown, IN_PLACE_WORDS)}`,
      'missing and changed bring back; new takes away what is not in the snapshot, with --delete.',
    );
  if (words.includes('new') && options.delete !== true)
    throw usage('--in-place new takes away what is not in the snapshot', 'Add --delete if that is meant.');
  const added = options.delete === true;
  return { missing: words.includes('missing'), changed: words.includes('changed'), added };
}

function usage(message: string, hint: string): AppError {
  return new AppError('DM_USAGE', message, { hint });
}
