// The table that is shown before the first write: rights, name clashes, and what surrounds the restore.
import { AppError, isRecord, few, isOfThisMachine } from '../../base/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { type ContentPlaceOptions, hostAsked, isOwnHost } from '../content/content-place.ts';
import type { Probe } from '../content/content-probe.ts';
import { type PeopleMap, memberName } from '../special/people.ts';
import { textAt, commentText } from '../resource.ts';
import { rightFor } from '../restored-kinds.ts';
import type { TargetState } from '../target.ts';
import type { PlanStep, PreflightCheck, Right } from '../types.ts';
import { isComment } from '../../contract/index.ts';
import { mentions } from '../special/mentions.ts';
import { currentText, hadTextOfAddress } from '../special/spec-text.ts';

interface PreflightInput {
  readonly reader: SnapshotReader;
  /** Of the snapshot. */
  readonly organization: string;
  readonly steps: readonly PlanStep[];
  readonly target: TargetState;
  readonly people: PeopleMap;
  readonly keepMentions: boolean;
  /** An empty space of the target. */
  readonly donor: string | null;
  readonly targetUrl: string;
  readonly contentServer: ContentPlaceOptions;
  readonly probe: Probe;
  /** Host names of other organizations that the token shows. */
  readonly hostnames: ReadonlySet<string>;
}

export function preflight(input: PreflightInput): PreflightCheck[] {
  const { steps, target } = input;
  return [
    ...shownCheck(target),
    ...neededRights(steps).map((right) => rightCheck(target, right)),
    ...target.unread.map(unreadCheck),
    ...clashes(input),
    ...planCheck(input),
    ...surroundings(input),
  ];
}

/** A guest may mend what its spaces hold, and is refused what is the organization's own. */
function shownCheck({ organization, refused }: TargetState): PreflightCheck[] {
  if (refused === null) return [];
  const detail =
    `${organization} is not shown to the token (${refused}), which is taken for that of a guest: what its spaces hold can be mended, and ` +
    'what is made, moved or taken away in the organization itself may be refused; that takes the token of a member';
  return [{ check: 'organization', state: 'warn', detail }];
}

/** The API tells the name of an organization's plan and none of its limits: only another name is a warning before the first write. */
function planCheck({ reader, organization, target }: PreflightInput): PreflightCheck[] {
  const source = reader.one('organization', organization);
  const [from, to] = [textAt(source?.body, 'plan'), textAt(target.body, 'plan')];
  if (to === undefined) return [];
  const check = 'plan limits';
  if (from === undefined || from === to)
    return [{ check, state: 'ok', detail: `the target has the plan ${to}; the API tells no limits of it` }];
  const detail = `the snapshot is of the plan ${from}, the target has ${to}: what that does not allow is refused when it is written`;
  return [{ check, state: 'warn', detail }];
}

/** What the token must be allowed on the target organization for the steps that write. */
export function neededRights(steps: readonly PlanStep[]): Right[] {
  const rights = steps.filter(({ part }) => part !== 'none').map(({ kind }) => rightFor(kind));
  return [...new Set(rights)].filter((right) => right !== undefined).toSorted();
}

/** What the platform says of a right; undefined when it says nothing. */
function granted({ body }: TargetState, right: Right): boolean | undefined {
  const value = isRecord(body['permissions']) ? body['permissions'][right] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

function rightCheck(target: TargetState, right: Right): PreflightCheck {
  const value = granted(target, right);
  const check = `right ${right}`;
  if (value === true) return { check, state: 'ok', detail: 'the token has it' };
  if (value === false) return { check, state: 'fail', detail: 'the token does not have it on the target organization' };
  return { check, state: 'warn', detail: 'the platform does not tell' };
}

/** Throws DM_FORBIDDEN when the target says that the token lacks a right that the plan needs. */
export function demandRights(target: TargetState, rights: readonly Right[]): void {
  const missing = rights.filter((right) => granted(target, right) === false);
  if (missing.length === 0) return;
  const what = `The token lacks ${missing.join(' and ')} on organization ${target.organization}`;
  throw new AppError('DM_FORBIDDEN', what, {
    hint: 'Use the token of an administrator of the target organization. Nothing was written.',
    details: { rights: missing },
  });
}

function unreadCheck({ kind, status }: TargetState['unread'][number]): PreflightCheck {
  return {
    check: `${kind} on the target`,
    state: 'warn',
    detail: `cannot be listed (${status}); clashes would show late`,
  };
}

function clashes({ reader, steps, target, hostnames }: PreflightInput): PreflightCheck[] {
  return steps.flatMap((step) => {
    const check = `${step.kind} ${step.title}`;
    if (step.adopts !== null && step.kind !== 'member') return [{ check, state: 'warn' as const, detail: step.note }];
    const body = reader.one(step.kind, step.key)?.body ?? {};
    if (step.part === 'name') return nameClash(target, { step, body, hostnames });
    const twin = step.part === 'create' && target.there.get(step.kind)?.some(({ title }) => title === step.title);
    return twin
      ? [{ check, state: 'warn' as const, detail: 'one of this name is there; this one comes beside it' }]
      : [];
  });
}

interface Named {
  readonly step: PlanStep;
  readonly body: Readonly<Record<string, unknown>>;
  readonly hostnames: ReadonlySet<string>;
}

function nameClash(target: TargetState, { step, body, hostnames }: Named): PreflightCheck[] {
  const field = step.kind === 'site' ? 'basename' : 'hostname';
  const wanted = textAt(body, field) ?? '';
  const basenames = target.there.get('site')?.map((site) => textAt(site.body, 'basename'));
  const taken = step.kind === 'site' ? basenames?.includes(wanted) === true : hostnames.has(wanted);
  const detail = `${wanted} is taken; the restored ${step.kind} keeps the one that it gets`;
  return taken ? [{ check: `${field} of ${step.kind} ${step.title}`, state: 'warn', detail }] : [];
}

function surroundings(input: PreflightInput): PreflightCheck[] {
  return [
    ...peopleCheck(input),
    ...commentsCheck(input),
    ...spacesCheck(input),
    ...specsCheck(input),
    ...contentCheck(input),
  ];
}

const SHOWN_NAMES = 10;

/** Only where members or teams come back does it matter who is who. */
function peopleCheck({ steps, target, people: { people, standIn, strangers } }: PreflightInput): PreflightCheck[] {
  if (!steps.some(({ kind }) => kind === 'team' || kind === 'member')) return [];
  const check = 'people';
  const number = Object.keys(people).length;
  const known = `${number} of the snapshot ${number === 1 ? 'is' : 'are'} known on the target`;
  if (strangers.length === 0) return [{ check, state: 'ok', detail: known }];
  const instead =
    standIn === null
      ? 'say who they are with --people FILE'
      : `${memberName(target.members, standIn)} stands in for them in teams`;
  return [
    { check, state: 'warn', detail: `${known}; no member of the target is ${few(strangers, SHOWN_NAMES)}: ${instead}` },
  ];
}

/** Whoever follows a page or is named in a comment may get a mail for each. */
function commentsCheck({ steps, reader, keepMentions }: PreflightInput): PreflightCheck[] {
  const comments = steps.filter(({ kind, part }) => isComment(kind) && part === 'create');
  if (comments.length === 0) return [];
  const calling = comments.filter(({ kind, key }) => mentions(commentText(reader.one(kind, key)?.body ?? {}) ?? ''));
  const named =
    calling.length === 0
      ? 'none mentions anybody'
      : `${calling.length} ${calling.length === 1 ? 'mentions' : 'mention'} somebody`;
  const how = calling.length === 0 ? named : `${named}, ${keepMentions ? 'as they did' : 'defused'}`;
  const detail = `${comments.length} written last, which may mail people (${how}); apply --without-comments leaves them for a resume`;
  return [{ check: 'comments', state: keepMentions && calling.length > 0 ? 'warn' : 'ok', detail }];
}

/** Whether the target offers its create operation shows with the first space: nothing tells it without writing. */
function spacesCheck({ steps, donor }: PreflightInput): PreflightCheck[] {
  if (!steps.some(({ kind, part }) => kind === 'space' && part === 'create')) return [];
  const copied = donor === null ? 'an empty one that was made' : `the empty space ${donor}`;
  const detail = `by the create operation; where there is none, by copying ${copied}, else by a site that is deleted again`;
  return [{ check: 'making spaces', state: 'ok', detail }];
}

/** Addresses that could not be read in the snapshot already will hardly be read from the target. */
function specsCheck({ steps, reader }: PreflightInput): PreflightCheck[] {
  const made = steps.filter(({ kind, part }) => kind === 'openapi-spec' && part === 'create');
  const dead = made.flatMap(({ key }) => {
    const spec = reader.one('openapi-spec', key);
    const error = spec && textAt(spec.body, 'lastProcessErrorCode');
    if (!spec || error === undefined || !hadTextOfAddress(spec.body)) return [];
    const then = currentText(reader, spec) === null ? 'comes back without a text' : 'its newest text goes in instead';
    return [`${spec.id} (${error}): ${then}`];
  });
  if (dead.length === 0) return [];
  const detail = `could not be read when they were mirrored; where the platform cannot read them either: ${few(dead, SHOWN_NAMES)}`;
  return [{ check: 'specification addresses', state: 'warn', detail }];
}

/** From here it can be asked; whether the platform's own network lets it through shows with the first import. */
function contentCheck({ contentServer, targetUrl, probe }: PreflightInput): PreflightCheck[] {
  if (probe === null) return [];
  const check = 'content address';
  const host = hostAsked(contentServer);
  if (typeof probe === 'object') {
    const detail = `asked from this machine, ${host} does not lead to the content: ${probe.why}`;
    return [{ check, state: 'warn', detail }];
  }
  if (isOwnHost(host) && !isOfThisMachine(new URL(targetUrl).hostname)) {
    const how = 'set contentServer.publicUrl, or contentServer.directory with its addressTemplate';
    return [{ check, state: 'warn', detail: `the platform cannot reach ${host} from where it runs: ${how}` }];
  }
  const asked = probe === 'reached' ? 'asked from this machine, it answers' : 'the own server';
  return [{ check, state: 'ok', detail: `the platform fetches content from ${host} (${asked})` }];
}
