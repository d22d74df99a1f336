// Making a plan: what the snapshot holds, what the target allows, in which order. Reads only.
import { AppError, type Clock, count, inTurns, type Random } from '../base/index.ts';
import { endingWith, type ApiClient } from '../client/index.ts';
import { isComment, type Organization } from '../contract/index.ts';
import { isSound, readerByIds, snapshotById, type Mirror, type SnapshotReader } from '../mirror/index.ts';
import { planSteps } from './plan/plan-steps.ts';
import { broughtBefore, broughtTwice } from './plan/brought-before.ts';
import type { ContentPlaceOptions } from './content/content-place.ts';
import { NO_IMPORT_LIMITS, type ImportLimits } from './content/import-parts.ts';
import { IdMap } from './journal/id-map.ts';
import { broughtTo, linkedThere, linksTold } from './links/brought-links.ts';
import { allOf } from './listings.ts';
import { mapPeople, NO_CHOICE, type PeopleChoice } from './special/people.ts';
import { commonOf } from './plan/plan-common.ts';
import { chosenBy } from './selection/chosen.ts';
import { parseScope } from './selection/scope.ts';
import { sourcesOf } from './selection/sources.ts';
import { organizationOf, organizationOfChosen, select, type Asked, type Selection } from './selection/selection.ts';
import { isEmpty, readTarget, seenHash, type TargetState } from './target.ts';
import type { Plan, Precondition } from './types.ts';
import { sourceChecks } from './source-doubt.ts';
import { unlessUnreadable } from './answers.ts';

export interface PlanInput {
  readonly mirror: Mirror;
  /** Number of a sealed snapshot. */
  readonly snapshot: number;
  readonly client: ApiClient;
  readonly targetUrl: string;
  /** As `parseScope` takes it; null for the only organization of the snapshot. */
  readonly scope: string | null;
  /** A condition in SQL over the view of the scope's kind, pages without a scope; null for no further choice. */
  readonly where: string | null;
  /** Target; null for the only one that the target's token shows. */
  readonly toOrganization: string | null;
  /** Writes beside what stands on the target; without it the target must be empty. */
  readonly intoExisting: boolean;
  readonly review: boolean;
  /** Who is who on the target, beside what e-mail addresses tell. */
  readonly people?: PeopleChoice | null;
  /** Mentions in comments stay as they are: the platform may tell those whom they name. */
  readonly keepMentions?: boolean;
  /** Comments and replies do not come back. */
  readonly withoutComments?: boolean | undefined;
  readonly contentServer: ContentPlaceOptions;
  /** What one import may hold; absent, anything. */
  readonly importLimits?: ImportLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
}

/**
 * Compares a snapshot with the target and says what would be written, in order. Nothing is written. Throws DM_USAGE for a scope
 * that the snapshot does not have, and DM_TARGET_NOT_EMPTY when something stands on the target and `intoExisting` is not set.
 */
export async function makePlan(input: PlanInput): Promise<Plan> {
  const { mirror, review, intoExisting, importLimits = NO_IMPORT_LIMITS } = input;
  const client = endingWith(input.client, input.signal);
  const snapshot = snapshotById(mirror, input.snapshot);
  const reader = readerByIds(mirror, input.snapshot);
  const asked = askedFor(input, reader);
  const { organization } = asked;
  const selection = selectionOf(input, reader, asked);
  const shown = await allOf(client.paginate('listOrganizations', {}));
  const target = await readTarget(client, input.toOrganization ?? onlyTarget(shown));
  const place = { mirror, client, url: input.targetUrl, target, signal: input.signal };
  const isItsOwn = snapshot.origin === input.targetUrl && target.organization === organization;
  if (!intoExisting && !isEmpty(target)) throw notEmpty(target, isItsOwn ? MEND : broughtBefore(place));
  const people = mapPeople(reader.resources('member', organization), target.members, input.people ?? NO_CHOICE);
  const found = { reader, organization, selection, target, people };
  const complete = isSound(mirror, snapshot);
  const choices = { importLimits, review, intoExisting };
  const planning = planSteps({ ...found, live: null, heirs: new IdMap(), complete, ...choices });
  const steps = await inTurns(planning, input.signal);
  const hostnames = namesOfOthers(shown, target.organization);
  const donor = intoExisting ? await findDonor(client, target) : null;
  const common = await commonOf(input, { ...found, steps, donor, hostnames });
  const planned = { ...common, reader };
  const before = broughtTo(place);
  const linked = await linkedThere(place, planned, before);
  const links = await inTurns(linksTold(place, planned, { linked, before }), input.signal);
  return {
    ...common,
    mode: 'new',
    live: null,
    archive: null,
    undoes: null,
    closure: selection.closure,
    preflight: [
      ...sourceChecks(mirror, input, { reader, selection }),
      ...common.preflight,
      ...broughtTwice(place, steps),
      ...links,
    ],
    linked,
    preconditions: [preconditionOf(target, intoExisting)],
  };
}

interface AskedFor extends Asked {
  readonly organization: string;
}

/** What the scope and the condition mean in a snapshot. Throws DM_USAGE when it has nothing of that. */
export function askedFor(
  { mirror, scope, where }: Pick<PlanInput, 'mirror' | 'scope' | 'where'>,
  reader: SnapshotReader,
): AskedFor {
  const wanted = scope === null ? null : parseScope(scope);
  const chosen = chosenBy(mirror, reader, { scope: wanted, where });
  const within = chosen ? organizationOfChosen(reader, chosen) : wanted && organizationOf(reader, wanted);
  const organization = within ?? onlySource(reader);
  if (sourcesOf(reader).every(({ id }) => id !== organization)) throw unknownSource(reader, organization);
  return { organization, scope: wanted ?? { by: 'organization', id: organization }, chosen };
}

/** What was asked for, without comments where they are to be left out. */
export function selectionOf(
  { withoutComments }: Pick<PlanInput, 'withoutComments'>,
  reader: SnapshotReader,
  asked: AskedFor,
): Selection {
  const selection = select(reader, asked.organization, asked);
  if (withoutComments !== true) return selection;
  return {
    ...selection,
    parts: { ...selection.parts, comments: false },
    meant: (one) => !isComment(one.kind) && selection.meant(one),
  };
}

function preconditionOf(target: TargetState, intoExisting: boolean): Precondition {
  const { organization } = target;
  if (!intoExisting) return { what: 'organization-empty', organization };
  return { what: 'organization-as-seen', organization, seen: seenHash(target) };
}

/** An empty space of the target, which can be copied should the target have no operation that creates spaces. */
async function findDonor(client: ApiClient, target: TargetState): Promise<string | null> {
  for (const { id, body } of target.there.get('space') ?? []) {
    if (body['editMode'] === 'locked') continue;
    const revision = await unlessUnreadable(client.call('getRevision', { path: { spaceId: id } }));
    if (revision?.pages.length === 0 && revision.files.length === 0) return id;
  }
  return null;
}

function onlySource(reader: SnapshotReader): string {
  const all = sourcesOf(reader);
  const [only] = all;
  if (only && all.length === 1) return only.id;
  const names = all.map(({ id, title }) => `${id} (${title ?? 'of which it has spaces alone'})`).join(', ');
  throw new AppError(
    'DM_USAGE',
    `Snapshot ${reader.snapshot} is of ${count(all.length, 'organization')}: ${names || 'none'}`,
    {
      hint: 'Name the one to restore with --scope organization:ID, or choose within it with --where.',
    },
  );
}

function unknownSource(reader: SnapshotReader, organization: string): AppError {
  return new AppError('DM_USAGE', `Snapshot ${reader.snapshot} has no organization ${organization}`, {
    hint: `Run docmirror query --at ${reader.snapshot} "select id, title from organizations" to see what there is.`,
  });
}

function onlyTarget(shown: readonly Organization[]): string {
  const [only] = shown;
  if (only && shown.length === 1) return only.id;
  const ids = shown.map(({ id }) => id).join(', ');
  throw new AppError('DM_USAGE', `The target shows ${count(shown.length, 'organization')}: ${ids || 'none'}`, {
    hint: 'Name the one to restore into with --to-organization ID.',
  });
}

function namesOfOthers(shown: readonly Organization[], own: string): Set<string> {
  const others = shown.filter(({ id }) => id !== own).map(({ hostname }) => hostname);
  return new Set(others.filter((name) => name !== undefined));
}

// What was deleted or changed where it was mirrored is not made a second time beside the rest.
const MEND =
  'It is the organization that the snapshot is of: add --in-place to bring back there what is missing or changed.';

function notEmpty(target: TargetState, instead: string | null): AppError {
  const there = [...target.there]
    .filter(([, found]) => found.length > 0)
    .map(([kind, found]) => count(found.length, kind));
  const what = `Organization ${target.organization} already holds ${there.join(', ')}; a restore needs an empty one`;
  return new AppError('DM_TARGET_NOT_EMPTY', what, {
    hint: `${instead === null ? '' : `${instead} `}Name an empty organization with --to-organization, or add --into-existing to write beside what is there. Nothing was written.`,
  });
}
