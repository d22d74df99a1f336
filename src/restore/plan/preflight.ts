// The table that is shown before the first write: rights, name clashes, and what surrounds the restore.
import { AppError, isRecord } from '../../base/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { ContentPlaceOptions } from '../content/content-place.ts';
import type { Probe } from '../content/content-probe.ts';
import type { PeopleMap } from '../special/people.ts';
import { surroundings } from './preflight-surroundings.ts';
import { textAt } from '../resource.ts';
import { rightFor } from '../restored-kinds.ts';
import type { TargetState } from '../target.ts';
import type { PlanStep, PreflightCheck, Right } from '../types.ts';

export interface PreflightInput {
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
