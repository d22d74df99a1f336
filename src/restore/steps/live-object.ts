// The object of a step as it stands on the target at this moment.
import { AppError, canonicalJson, isRecord } from '../../base/index.ts';
import {
  directQuery,
  kindOf,
  operationOf,
  pathParameters,
  type AnyOperationName,
  type KindName,
} from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { newParams } from '../compare/find-restored.ts';
import { seenState, seenWhere, writableValues } from '../in-place/writable.ts';
import { findItem } from '../listings.ts';
import { asSaid, isInBin, type Body } from '../resource.ts';
import type { ApplyContext, FieldMend, PlanStep } from '../types.ts';
import { unlessGone } from '../answers.ts';

/** What reading needs. */
export type Reading = Pick<ApplyContext, 'client' | 'ids'>;

/** Where an operation of a kind finds the object on the target. Throws for an object that was not restored. */
export function targetPath(
  context: Reading,
  resource: Resource,
  operation: AnyOperationName,
): Readonly<Record<string, string>> {
  return pathBy(resource, operation, newParams(context.ids, resource));
}

/** The same by the parameters of the target. */
export function pathBy(
  { kind, key }: Pick<Resource, 'kind' | 'key'>,
  operation: AnyOperationName,
  params: ReturnType<typeof newParams>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pathParameters(operationOf(operation).path).map((name) => {
      const value = params[name];
      if (value === undefined) throw new Error(`the new id of ${name} of ${kind} ${key} is not known`);
      return [name, value];
    }),
  );
}

/** Its body; undefined when it is not there. */
export async function readLive(context: Reading, resource: Resource): Promise<Body | undefined> {
  const { get } = kindOf(resource.kind);
  // The listing of what held it answers so, too, once that is gone.
  if (get === undefined) return unlessGone(findListed(context, resource));
  const input = { path: targetPath(context, resource, get), query: directQuery(resource.kind) };
  const body = await unlessGone(context.client.callRaw(get, input));
  return isRecord(body) && !(resource.kind === 'space' && isInBin(body)) ? body : undefined;
}

function findListed(context: Reading, resource: Resource): Promise<Body | undefined> {
  const { read, id } = kindOf(resource.kind);
  if (read.from !== 'list') throw new Error(`${resource.kind} cannot be read by itself`);
  const own = context.ids.get(resource.kind, resource.key);
  const input = { path: targetPath(context, resource, read.operation), query: read.query ?? {} };
  const listing = context.client.paginateRaw(read.operation, input);
  return findItem(listing, (one) => one[id ?? 'id'] === own);
}

/** How a step finds its object: as the plan saw it, mended already by an earlier try, or gone. */
export type LiveState = 'ready' | 'mended' | 'gone';

/** Throws DM_OBJECT_DRIFTED where it is none of these. */
export async function checkLive(context: Reading, step: PlanStep, resource: Resource): Promise<LiveState> {
  const body = await readLive(context, resource);
  if (body === undefined) return 'gone';
  const now = { kind: resource.kind, body };
  if (step.part === 'remove' && isFilled(resource, body)) throw drifted(step);
  const seen = step.part === 'remove' ? seenWhere(now) : seenState(now);
  if (step.mend?.expects === null || seen === step.mend?.expects) return 'ready';
  const values = writableValues(now);
  const fields = step.mend?.fields ?? [];
  if (fields.length > 0 && fields.every((one) => isMended(one, values))) return 'mended';
  // Written again, the platform says which reactions stay, being those of others.
  if (fields.length > 0 && fields.every((one) => isTaken(one, values))) return 'ready';
  if (isBegun(step, now)) return 'ready';
  throw drifted(step);
}

/** True for what is as the plan saw it but for fields that an earlier try has set, each alone, before it was cut off. */
export function isBegun({ mend }: PlanStep, now: Pick<Resource, 'kind' | 'body'>): boolean {
  if (mend === undefined) return false;
  const values = writableValues(now);
  const set = mend.fields.filter((one) => isTaken(one, values));
  return seenState(now, Object.fromEntries(set.map(({ field, from }) => [field, from]))) === mend.expects;
}

function isMended({ field, to }: FieldMend, values: Body): boolean {
  return canonicalJson(asSaid(values[field])) === canonicalJson(asSaid(to));
}

function isTaken(one: FieldMend, values: Body): boolean {
  return isMended(one, values) || staysWithOthers(one, values[one.field]);
}

/** Whatever was written in a space, or in a change request, since would go with it. */
function isFilled({ kind, body: was }: Resource, now: Body): boolean {
  return (FILLED[kind] ?? []).some((field) => was[field] !== now[field]);
}

const FILLED: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  space: ['revision', 'comments', 'changeRequests'],
  'change-request': ['revision'],
};

/** True for reactions as an earlier try has left them: all that are wanted, and of the others some that were there. */
function staysWithOthers({ field, from, to }: FieldMend, now: unknown): boolean {
  const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const known = [...listOf(from), ...listOf(to)];
  const isAll = listOf(to).every((one) => listOf(now).includes(one));
  return field === 'addedReactions' && isAll && listOf(now).every((one) => known.includes(one));
}

/** Where a collection or space stands: where the plan saw it, or already where it is to stand. Throws DM_OBJECT_DRIFTED for another place. */
export async function checkPlace(context: Reading, step: PlanStep, { wanted, resource }: Placing): Promise<LiveState> {
  const body = await readLive(context, resource);
  if (body === undefined) return 'gone';
  const now = body['parent'] ?? null;
  const { from = null, to = null } = step.mend?.fields[0] ?? {};
  if (now === (to === null ? null : wanted)) return 'mended';
  if (now === from) return 'ready';
  throw drifted(step);
}

interface Placing {
  readonly resource: Resource;
  /** Id of what is to hold it; undefined at the top, and while it is still to be made. */
  readonly wanted: string | undefined;
}

/** What a step finds: as the plan saw it, mended already, or changed since (throws DM_OBJECT_DRIFTED). */
export async function checkValues(
  { client, ids, plan }: Reading & Pick<ApplyContext, 'plan'>,
  step: PlanStep,
): Promise<Exclude<LiveState, 'gone'>> {
  const path = { spaceId: ids.need('space', step.key) };
  const values = await client.call('getCustomFieldValues', { path });
  const now = new Map(values.map(({ customField, value }) => [customField.name, value ?? null]));
  const fields = step.mend?.fields ?? [];
  const isAt = (one: FieldMend, side: 'from' | 'to'): boolean =>
    canonicalJson(now.get(one.field) ?? null) === canonicalJson(one[side] ?? null);
  if (fields.every((one) => isAt(one, 'to'))) return 'mended';
  // A platform may keep no values of a space that it transfers, since their fields are of the organization which that has left.
  const isTransferred = plan.steps.some((one) => one.part === 'transfer' && step.needs.includes(one.step));
  const isLeft = ({ field }: FieldMend): boolean => isTransferred && (now.get(field) ?? null) === null;
  // An earlier try may have set some of them.
  if (fields.every((one) => isAt(one, 'to') || isAt(one, 'from') || isLeft(one))) return 'ready';
  throw drifted(step);
}

/** What a step is about, in words: a revision is how the pages of a space, or of a change request, stand. */
export function thingOf({ kind, title }: PlanStep): string {
  const name = JSON.stringify(title);
  if (kind === 'change-request-revision') return `pages of change request ${name}`;
  return kind === 'revision' ? `pages of ${name}` : `${kind} ${name}`;
}

export function drifted(step: PlanStep): AppError {
  const was = step.kind.endsWith('revision') ? 'were' : 'was';
  return new AppError('DM_OBJECT_DRIFTED', `${thingOf(step)} (${step.key}) ${was} changed since the plan was made`, {
    hint: 'It is left as it is. Make a new plan to see what it is now.',
  });
}

export function gone({ kind, title, key }: PlanStep): AppError {
  return new AppError('DM_OBJECT_DRIFTED', `${kind} ${title} (${key}) is no longer there`, {
    hint: 'Make a new plan: it is missing now, and can be brought back.',
  });
}

/** True where a change request is at the revision that the plan saw; a plan that makes it saw none. */
export async function isRequestAsSeen(
  { client }: Pick<ApplyContext, 'client'>,
  { key, mend }: PlanStep,
): Promise<boolean> {
  const { expects = null } = mend ?? {};
  if (expects === null) return true;
  const [spaceId = '', changeRequestId = ''] = key.split('/');
  const path = { spaceId, changeRequestId };
  const now = await unlessGone(client.call('getChangeRequest', { path }));
  return now?.revision === expects;
}

const SEEN = 'into the change request as it was seen';

/** For the first try of a step: a later one finds there what that has written. Throws DM_OBJECT_DRIFTED. */
export async function demandRequestAsSeen(context: ApplyContext, step: PlanStep): Promise<void> {
  if (step.mend === undefined || context.journal.keptOf(step) !== undefined) return;
  if (!(await isRequestAsSeen(context, step))) throw drifted(step);
  context.journal.keep(step, SEEN);
}
