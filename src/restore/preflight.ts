// The table that is shown before the first write: rights, clashes, people, and whether the platform can reach the content.
import { AppError, isRecord } from '../base/index.ts';
import type { KindName } from '../contract/index.ts';
import type { SnapshotReader } from '../mirror/index.ts';
import { textAt } from './resource.ts';
import type { TargetState } from './target.ts';
import type { PlanStep, PreflightCheck, Right } from './types.ts';

export interface PreflightInput {
  readonly reader: SnapshotReader;
  readonly steps: readonly PlanStep[];
  readonly target: TargetState;
  readonly strangers: readonly string[];
  /** An empty space of the target. */
  readonly donor: string | null;
  readonly targetUrl: string;
  readonly contentServer: { readonly host: string; readonly publicUrl: string | null };
  /** Host names of other organizations that the token shows. */
  readonly hostnames: ReadonlySet<string>;
}

export function preflight(input: PreflightInput): PreflightCheck[] {
  const { steps, target } = input;
  return [
    ...neededRights(steps).map((right) => rightCheck(target, right)),
    ...target.unread.map(unreadCheck),
    ...clashes(input),
    ...peopleCheck(input),
    ...spacesCheck(input),
    contentCheck(input),
  ];
}

const RIGHTS: Readonly<Partial<Record<KindName, Right>>> = {
  collection: 'createContent',
  space: 'createContent',
  revision: 'createContent',
  'change-request': 'createContent',
  'change-request-revision': 'createContent',
  'custom-field': 'createContent',
  'custom-field-value': 'createContent',
  'translation-settings': 'createContent',
  'openapi-spec': 'createOpenAPISpec',
  organization: 'admin',
  member: 'admin',
  team: 'admin',
  'saml-provider': 'admin',
  site: 'admin',
};

/** What the token must be allowed on the target organization for the steps that write. */
export function neededRights(steps: readonly PlanStep[]): Right[] {
  const rights = steps.filter(({ part }) => part !== 'none').map(({ kind }) => RIGHTS[kind]);
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

const SHOWN_NAMES = 10;

function peopleCheck({ strangers }: PreflightInput): PreflightCheck[] {
  if (strangers.length === 0) return [];
  const shown = strangers.slice(0, SHOWN_NAMES).join(', ');
  const more = strangers.length > SHOWN_NAMES ? ` and ${strangers.length - SHOWN_NAMES} more` : '';
  return [
    { check: 'people', state: 'warn', detail: `no member of the target has the e-mail address of ${shown}${more}` },
  ];
}

/** Whether the target offers its create operation shows with the first space: nothing tells it without writing. */
function spacesCheck({ steps, donor }: PreflightInput): PreflightCheck[] {
  if (!steps.some(({ kind, part }) => kind === 'space' && part === 'create')) return [];
  const copied = donor === null ? 'an empty one that was made' : `the empty space ${donor}`;
  const detail = `by the create operation; where there is none, by copying ${copied}, else by a site that is deleted again`;
  return [{ check: 'making spaces', state: 'ok', detail }];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?|0\.0\.0\.0)$/;

function contentCheck({ contentServer: { host, publicUrl }, targetUrl }: PreflightInput): PreflightCheck {
  const check = 'content address';
  const offered = publicUrl === null ? host : new URL(publicUrl).hostname;
  if (!LOOPBACK.test(offered) || LOOPBACK.test(new URL(targetUrl).hostname))
    return { check, state: 'ok', detail: `the platform fetches content from ${offered}` };
  const detail = `the platform cannot reach ${offered} from where it runs: set contentServer.publicUrl`;
  return { check, state: 'warn', detail };
}
