// People who were not known when a restore was planned, or were taken for others: what can still be done for them is done.
import { AppError, count, isoTime, type Clock, type Random } from '../base/index.ts';
import { lastOf } from './resource.ts';
import { endingWith, type ApiClient } from '../client/index.ts';
import { AppAddresses } from '../export/index.ts';
import { readerAt, restoreById, snapshotById, type Mirror, type SnapshotReader } from '../mirror/index.ts';
import { archiveOf } from './plan/plan-archive.ts';
import type { ContentPlaceOptions } from './content/content-place.ts';
import { IdMap, idMapOf } from './journal/id-map.ts';
import { isRemapped, stepsStanding } from './journal/remapped.ts';
import { itemsOf } from './listings.ts';
import { NO_IMPORT_LIMITS } from './content/import-parts.ts';
import { mapPeople, memberName, type PeopleChoice, type PeopleMap } from './special/people.ts';
import { addMembers, membersOf } from './plan/organization.ts';
import { StepList, type Planning } from './plan/step-list.ts';
import { neededRights, preflight } from './plan/preflight.ts';
import { select } from './selection/selection.ts';
import { idsThere, readTarget, type TargetState } from './target.ts';
import type { Plan } from './types.ts';

interface RemapInput {
  readonly mirror: Mirror;
  readonly restore: string;
  /** Of the restore. */
  readonly plan: Plan;
  readonly choice: PeopleChoice;
  readonly client: ApiClient;
  readonly contentServer: ContentPlaceOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
}

/**
 * A plan of roles and sign-on for those whom the restore did not know, or took for others. Reads only; done once, it has nothing
 * to write a second time, and names who is still in no team. Throws DM_USAGE for a choice that names nobody, and for a restore that mended a platform in place.
 */
export async function planRemap(input: RemapInput): Promise<Plan> {
  const { plan, mirror, contentServer, signal } = input;
  const client = endingWith(input.client, signal);
  if (plan.mode === 'in-place') throw inPlace(input.restore);
  using archive = archiveOf(mirror, plan);
  const reader = readerAt(archive.mirror, plan.snapshot);
  // The platform may have another address by now.
  const { target: url } = restoreById(mirror, input.restore);
  const target = await readTarget(client, plan.target.organization);
  const ids = idMapOf(plan, stepsStanding(mirror, input.restore));
  const members = [...reader.resources('member', plan.organization)];
  const known = new Map(members.map((one) => [one.id, ids.get('member', one.key)] as const));
  const people = mapPeople(members, target.members, { ...input.choice, known });
  const late = lateUsers(input, { people, ids });
  const teams = await teamsByUser({ plan, client }, teamUsers(reader, { plan, people, late }));
  const steps = stepsOfRemap({ reader, target, people, ids, plan, late, teams });
  return {
    ...plan,
    nonce: input.random.id(),
    createdAt: isoTime(input.clock.now()),
    target: { ...plan.target, url },
    manifest: snapshotById(archive.mirror, plan.snapshot).manifest_hash,
    scope: `people of restore ${input.restore}`,
    only: {},
    closure: [],
    people: people.people,
    standIn: people.standIn,
    existing: idsThere(target),
    preflight: preflight({
      reader,
      organization: plan.organization,
      steps,
      target,
      people,
      keepMentions: plan.keepMentions,
      donor: null,
      targetUrl: url,
      contentServer,
      hostnames: new Set(),
      probe: null,
    }),
    rights: neededRights(steps),
    preconditions: [],
    steps,
  };
}

interface Remapping {
  readonly reader: SnapshotReader;
  readonly target: TargetState;
  readonly people: PeopleMap;
  /** As the restore knows them. */
  readonly ids: IdMap;
  readonly plan: Plan;
  /** Ids of the snapshot of those whom the restore did not know when it made the teams. */
  readonly late: ReadonlySet<string>;
  /** Ids of the teams that somebody of the target is in. */
  readonly teams: TeamsByUser;
}

type TeamsByUser = ReadonlyMap<string, ReadonlySet<string>>;

/** Whom an earlier map of people has added to the journal was no more there than the others when the teams were made. */
function lateUsers(
  { plan, mirror, restore }: RemapInput,
  { people, ids }: Pick<Remapping, 'people' | 'ids'>,
): Set<string> {
  const noted = stepsStanding(mirror, restore).filter(isRemapped);
  const users = new Set(noted.map(({ key }) => lastOf(key)));
  for (const [user, now] of Object.entries(people.people))
    if (now !== ids.get('member', `${plan.organization}/${user}`)) users.add(user);
  return users;
}

/** Who may have to be added to a team: only what stands on the target tells whether somebody has done it. */
function teamUsers(
  reader: SnapshotReader,
  { plan, people, late }: Pick<Remapping, 'plan' | 'people' | 'late'>,
): Set<string> {
  const inTeams = [...reader.resources('team', plan.organization)].flatMap((team) =>
    membersOf(reader.resources('team-membership', plan.organization), team.id),
  );
  const now = inTeams.filter((user) => late.has(user)).map((user) => people.people[user]);
  return new Set([...now, people.standIn].filter((user) => typeof user === 'string'));
}

async function teamsByUser(
  { client, plan }: Pick<RemapInput, 'client' | 'plan'>,
  users: ReadonlySet<string>,
): Promise<TeamsByUser> {
  const teams = new Map<string, Set<string>>();
  for (const userId of users) {
    const ids = new Set<string>();
    const path = { organizationId: plan.target.organization, userId };
    for await (const { team } of itemsOf(client.paginate('listMemberTeams', { path }))) ids.add(team.id);
    teams.set(userId, ids);
  }
  return teams;
}

function stepsOfRemap({ reader, target, people, ids, plan, late, teams }: Remapping): Plan['steps'] {
  const { organization } = plan;
  const asked = { scope: { by: 'kind', kind: 'member' }, chosen: null } as const;
  const isNew = (user: string): boolean =>
    people.people[user] !== undefined && people.people[user] !== ids.get('member', `${organization}/${user}`);
  const planning: Planning = {
    list: new StepList(),
    reader,
    addresses: new AppAddresses(reader),
    organization,
    review: false,
    selection: {
      ...select(reader, organization, asked),
      has: (kind, key) => kind === 'member' && isNew(lastOf(key)),
    },
    target,
    people,
    importLimits: NO_IMPORT_LIMITS,
    complete: false,
    live: null,
    heirs: new IdMap(),
  };
  addMembers(planning);
  addTeams(planning, { ids, late, teams });
  return planning.list.steps;
}

/** No operation changes who is in a team: whoever belongs into one is named. */
function addTeams(
  { list, reader, people, organization, target }: Planning,
  { ids, late, teams }: Pick<Remapping, 'ids' | 'late' | 'teams'>,
): void {
  const nameOf = (id: string): string => memberName(target.members, id);
  for (const team of reader.resources('team', organization)) {
    const now = ids.get('team', team.key);
    // Taken away since, by people or an undo; where teams cannot be listed, nothing tells.
    if (now === undefined || target.there.get('team')?.some(({ id }) => id === now) === false) continue;
    const members = membersOf(reader.resources('team-membership', organization), team.id);
    const isIn = (user: string): boolean => teams.get(user)?.has(now) === true;
    const known = members.filter((user) => late.has(user)).flatMap((user) => people.people[user] ?? []);
    const missing = known.filter((user) => !isIn(user)).map(nameOf);
    const strangers = members.filter((user) => people.people[user] === undefined).length;
    if (people.standIn !== null && strangers > 0 && !isIn(people.standIn))
      missing.push(
        `${nameOf(people.standIn)} (for ${count(strangers, 'member')} who ${strangers === 1 ? 'is' : 'are'} not there)`,
      );
    if (missing.length === 0) continue;
    const names = missing.join(', ');
    list.addUnsupported(team, `add ${names} by hand: no operation changes who is in a team`);
  }
}

function inPlace(restore: string): AppError {
  return new AppError('DM_USAGE', `Restore ${restore} mended a platform in place: everybody is who they were`, {
    hint: 'People are mapped where a restore goes into another organization.',
  });
}
