// People go on working while a restore writes: pages that it has just made may be edited, put elsewhere or deleted by the time the links
// of their space are set. What sets those brings the space once more, and is to leave such pages as people have left them.
import { count, few, isoTime, largestOf } from '../../../base/index.ts';
import type { Revision } from '../../../contract/index.ts';
import type { Outlined, RestoreStep } from '../../../mirror/index.ts';
import { pagesInOrder, textIn } from '../../content/import-parts.ts';
import { detailOf } from '../../journal/step-detail.ts';
import { AddressLinks } from '../../links/address-links.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { linkedElsewhere } from '../../links/links.ts';
import { titleOf } from '../../resource.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { flatten } from '../../special/page-places.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { contentAfter, editsIn } from '../../target/content-there.ts';
import type { ImportJob } from './import-whole.ts';

interface Unchanged {
  /** Whose plan asks for the other pages alone. */
  readonly context: ApplyContext;
  /** What is not set of those that are left as they are. */
  readonly lacks: readonly string[];
}

/** Leaves out the pages that somebody has changed since the content of the space came, and those below them. */
export async function withoutChanged(context: ApplyContext, step: PlanStep, job: ImportJob): Promise<Unchanged> {
  const there = await thereSince(context, step, job);
  if (there === null) return { context, lacks: [] };
  const pages = pagesInOrder(context.reader, job.source);
  const edited = context.journal.changedOf(step) ?? editedIn(context, pages, there);
  // Another try does not tell these from what this one edits.
  context.journal.keepChanged(step, edited);
  const changed = withBelow(pages, new Set([...edited, ...misplacedIn(context, pages, there)]));
  if (changed.size === 0) return { context, lacks: [] };
  const asked = pagesAsked(context.plan, job.source);
  const ours = pages.filter(({ key }) => asked?.has(key) !== false);
  const page = ours.filter(({ id }) => !changed.has(id)).map(({ key }) => key);
  const plan = { ...context.plan, only: { ...context.plan.only, page } };
  const left = ours.filter(({ id }) => changed.has(id));
  return { context: { ...context, plan }, lacks: unset(context, job, { left, there }) };
}

/** The latest time that a content tells of itself or of a page, for the outcome of what brought it. */
export function broughtAtOf(made: Revision): Pick<StepOutcome, 'broughtAt'> {
  const times = [made.createdAt, ...editsIn(made).values()].map((at) => Date.parse(at)).filter(Number.isFinite);
  return times.length === 0 ? {} : { broughtAt: isoTime(largestOf(times)) };
}

interface There {
  /** When the content had come, by the word of the platform; not there where an earlier program noted none. */
  readonly broughtAt: string | undefined;
  readonly edits: ReadonlyMap<string, string>;
  /** Id of the page that each one stands below; null at the top. */
  readonly parents: ReadonlyMap<string, string | null>;
}

/** What stands now of a space whose content has come; null where nothing is known of that. */
async function thereSince(context: ApplyContext, step: PlanStep, { source, into }: ImportJob): Promise<There | null> {
  const brought = contentEntry(context, source.space);
  if (brought === undefined || brought.new_id === null) return null;
  const pages = pagesInOrder(context.reader, source);
  const { broughtAt } = detailOf(brought);
  const thereIn = (made: Revision): There => ({ broughtAt, edits: editsIn(made), parents: parentsIn(made) });
  const isAll = (made: Revision): boolean => misplacedIn(context, pages, thereIn(made)).length === 0;
  return thereIn(await contentAfter(context, { into, revision: brought.new_id, isAll }));
}

function contentEntry({ plan, journal }: ApplyContext, space: string): RestoreStep | undefined {
  const step = plan.steps.find(({ kind, part, key }) => kind === 'revision' && part === 'content' && key === space);
  return journal.entries.find((one) => one.step === step?.step && one.state === 'done');
}

function parentsIn({ pages }: Revision): Map<string, string | null> {
  const all = flatten(pages);
  const below = all.flatMap((page) => (page.pages ?? []).map(({ id }) => [id, page.id] as const));
  return new Map<string, string | null>([...all.map(({ id }) => [id, null] as const), ...below]);
}

/** Ids that pages had which are gone now, or stand below another page. */
function misplacedIn({ ids }: ApplyContext, pages: readonly Outlined[], { parents }: There): string[] {
  const newIds = new Map(pages.map(({ id, key }) => [id, ids.get('page', key)]));
  const isMisplaced = ({ id, parent }: Outlined): boolean => {
    const now = newIds.get(id);
    if (now === undefined) return false;
    const above = parent === null ? null : newIds.get(parent);
    return !parents.has(now) || (above !== undefined && parents.get(now) !== above);
  };
  return pages.filter(isMisplaced).map(({ id }) => id);
}

function editedIn({ ids }: ApplyContext, pages: readonly Outlined[], { edits, broughtAt }: There): string[] {
  if (broughtAt === undefined) return [];
  const isEdited = ({ key }: Outlined): boolean =>
    Date.parse(edits.get(ids.get('page', key) ?? '') ?? '') > Date.parse(broughtAt);
  return pages.filter(isEdited).map(({ id }) => id);
}

/** @param pages Parents before children. */
function withBelow(pages: readonly Outlined[], changed: ReadonlySet<string>): Set<string> {
  const all = new Set(changed);
  for (const { id, parent } of pages) if (parent !== null && all.has(parent)) all.add(id);
  return all;
}

const MOST_NAMED = 5;

interface Left {
  readonly left: readonly Outlined[];
  readonly there: There;
}

function unset(context: ApplyContext, { source }: ImportJob, { left, there }: Left): string[] {
  const { reader, addresses, ids } = context;
  const linkPages = new LinkPages(reader, source, addresses);
  const links = new AddressLinks(addresses, source.space);
  const stands = (key: string): boolean => there.parents.has(ids.get('page', key) ?? '');
  const isLinking = (page: Outlined): boolean =>
    stands(page.key) && linkedElsewhere(links.byId(textIn(reader, source, page)), source.space).length > 0;
  const isLate = (page: Outlined): boolean =>
    linkPages.isLate(page) && !stands(page.key) && stands(`${source.space}/${page.parent ?? ''}`);
  return [
    ...named(left.filter(isLinking), 'changed by somebody since, so that links into other spaces are not set'),
    ...named(left.filter(isLate), 'not there, as somebody has changed what stands above'),
  ];
}

function named(pages: readonly Outlined[], what: string): string[] {
  return pages.length === 0 ? [] : [`${what}: ${count(pages.length, 'page')} (${few(pages.map(titleOf), MOST_NAMED)})`];
}
