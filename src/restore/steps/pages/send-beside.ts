// Edits of what an import has left out. What the target refuses of groups and links, of which it may edit nothing, keeps no title away.
import { type Page, UNDER_WAY_STATUSES } from '../../../contract/index.ts';
import { writeTexts } from '../../inserting/write-texts.ts';
import { NoWayIn } from '../../inserting/target-import.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import {
  sendChanges,
  type ContentChange,
  archiveRequest,
  createRequest,
  findRequest,
  mergeRequest,
} from '../../target/own-request.ts';
import { withBoth, withLacks, pagesNamed } from '../../with-problems.ts';
import { nothing } from '../original.ts';
import { lastEdit, type Body } from '../../resource.ts';
import { flatten, pagesById } from '../../special/page-places.ts';
import { fieldAsSet, NOT_IMPORTED } from '../../special/page-fields.ts';

export interface Beside {
  readonly titles: readonly ContentChange[];
  /** One of each page. */
  readonly fields: readonly ContentChange[];
  /** The pages as they stand, by which a refused one is called. */
  readonly pages: readonly Page[];
}

function isNone({ titles, fields }: Beside): boolean {
  return titles.length + fields.length === 0;
}

interface Sent {
  /** Which pages, and why, in words. */
  readonly refused: readonly string[];
  /** False where nothing of it was taken. */
  readonly isAny: boolean;
}

export const NOT_EDITED =
  'the target has no operation that edits pages: titles and fields that an import does not keep, and what groups and links show, are as the import made them';

/** Null where the target edits no pages at all. */
export async function sendBeside(
  context: ApplyContext,
  path: RequestPath,
  { titles, fields, pages }: Beside,
): Promise<Sent | null> {
  try {
    if ((await sendChanges(context, path, titles)) === null) return null;
    const refused = fields.length === 0 ? [] : await writeTexts(context, path, { anew: fields, pages });
    return { refused, isAny: titles.length + fields.length > refused.length };
  } catch (error) {
    if (error instanceof NoWayIn) return null;
    throw error;
  }
}

export interface Sending {
  readonly spaceId: string;
  readonly beside: Beside;
}

/** Through a change request of its own, which is merged at once; where nothing of it is taken, that is not left behind. */
export async function sendMerged(
  context: ApplyContext,
  step: PlanStep,
  { spaceId, beside }: Sending,
): Promise<StepOutcome> {
  if (isNone(beside)) return nothing;
  const begun = await findRequest(context, step, { spaceId, among: UNDER_WAY_STATUSES });
  const request = begun ?? (await createRequest(context, step, spaceId));
  const path = { spaceId, changeRequestId: request.id };
  const sent = await sendBeside(context, path, beside);
  if (sent === null || !sent.isAny) {
    await archiveRequest(context, path);
    return withLacks(nothing, sent?.refused ?? [NOT_EDITED]);
  }
  const { isBoth } = await mergeRequest(context, path);
  return withLacks(withBoth({ newId: null, how: `change request ${request.number}` }, isBoth), sent.refused);
}

interface Unedited {
  readonly beside: Beside;
  /** What is not set, in words. */
  readonly lacks: readonly string[];
}

/**
 * Without pages that people have edited since their import: these stay as they are.
 * @param broughtAt When all that the restore had written by then stood there, as the platform says; undefined where nobody knows.
 */
export function withoutEdited(beside: Beside, broughtAt: string | undefined): Unedited {
  if (broughtAt === undefined) return { beside, lacks: [] };
  const { titles, fields, pages } = beside;
  const isLater = (page: Page): boolean => Date.parse(lastEdit({ ...page })) > Date.parse(broughtAt);
  const edited = new Map(flatten(pages).flatMap((page) => (isLater(page) ? [[page.id, page.title] as const] : [])));
  const isOurs = (change: ContentChange): boolean => !('page' in change && edited.has(change.page));
  const left = new Set(
    [...titles, ...fields].flatMap((change) => (isOurs(change) || !('page' in change) ? [] : [change.page])),
  );
  const names = [...left].map((id) => edited.get(id) ?? id);
  return {
    beside: { titles: titles.filter(isOurs), fields: fields.filter(isOurs), pages },
    lacks: names.length === 0 ? [] : [`${WHY}: ${pagesNamed(names)}`],
  };
}

const WHY = 'edited by somebody since it came, so that titles and fields that an import does not keep are not set';

export interface ShownPage {
  /** On the target. */
  readonly id: string;
  /** As the snapshot has it. */
  readonly body: Body;
}

/** Edits that set what an import could not tell, or did not take over. @param now The pages as an import left them. */
export function fieldsShown(wanted: readonly ShownPage[], now: readonly Page[]): ContentChange[] {
  const there = pagesById(now);
  return wanted.flatMap(({ id, body }): ContentChange[] => {
    const page = there.get(id);
    if (page === undefined) return [];
    const stands = { ...page };
    const fields = NOT_IMPORTED.filter((field) => fieldAsSet(body, field) !== fieldAsSet(stands, field));
    const values = Object.fromEntries(fields.map((field) => [field, fieldAsSet(body, field)]));
    return fields.length === 0 ? [] : [{ type: 'update_page', page: id, ...values }];
  });
}
