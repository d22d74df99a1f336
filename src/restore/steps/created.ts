// Making what a listing shows afterwards. Both operations, and the field that holds the new id, are those that its kind declares.
import { sha256, valueAt } from '../../base/index.ts';
import { isComment, kindOf, operationOf, type AnyOperationName, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { allOf, findItem } from '../listings.ts';
import { settleWhereLast } from '../journal/made-spaces.ts';
import { commentText, spaceOf, textAt, type Body } from '../resource.ts';
import type { ApplyContext, MakingWork, PlanStep, StepOutcome } from '../types.ts';
import { withLacks } from '../with-problems.ts';
import { makeOfTaken } from './each-alone.ts';
import { original } from './original.ts';
import { withinLimits } from '../within-limits.ts';

interface Creation {
  /** Path parameters of both operations: what it is made in. */
  path(context: ApplyContext, resource: Resource): Readonly<Record<string, string>>;
  body(context: ApplyContext, resource: Resource): Body;
  /** Reads of the target what the body names. */
  prepare?(context: ApplyContext, resource: Resource): Promise<void>;
  /** Where the values stand, `a.b` within a field, by which what an earlier try made is known again. */
  readonly knownBy: readonly string[];
  /** The same where the platform may not keep these word by word: among all that is nobody else's. */
  readonly likely?: (wanted: Body, all: readonly Body[]) => Body | undefined;
  /** What a setting is where the platform refuses the one that it had, and would choose one that lets in more. */
  readonly safe?: Readonly<Record<string, string>>;
  /** Filters that what was just made passes, beside those with which the walk asks for the listing. */
  readonly query?: Readonly<Record<string, string>>;
  /** New ids that the answer tells besides. */
  map?(context: ApplyContext, resource: Resource, answer: Body): NonNullable<StepOutcome['map']>;
}

/** The work of creating; an earlier try is found by what it is known by, among what is nobody else's. */
export function created(creation: Creation): MakingWork {
  const outcome = (context: ApplyContext, resource: Resource, answer: Body): StepOutcome => {
    const { id } = makingOf(resource.kind);
    return {
      // A name that we have given stands in no answer that tells the id alone.
      newId: String(answer[id] ?? creation.body(context, resource)[id]),
      ...(creation.map ? { map: creation.map(context, resource, answer) } : {}),
      ...saidIn(resource.kind, answer),
    };
  };
  return {
    write: async (context, step) => {
      const resource = original(context, step);
      const { create } = makingOf(step.kind);
      const path = creation.path(context, resource);
      await creation.prepare?.(context, resource);
      const body = creation.body(context, resource);
      const settings = settingsOf(creation, create, body);
      const { answer, left, refused } = await makeOfTaken(
        body,
        { settings, within: limited(create, body, settings) },
        (some) => context.client.callRaw(create, { path, body: some }, { signal: context.signal }),
      );
      const made = answer as Body;
      return withLacks(outcome(context, resource, made), [...refused, ...instead(left, body, made)]);
    },
    find: async (context, step) => {
      const resource = original(context, step);
      await creation.prepare?.(context, resource);
      const found = await findMade(context, step, creation);
      if (found === null) return null;
      // Nothing was changed in its space since it was made.
      settleWhereLast(context.journal, spaceOf(resource), textAt(found, 'createdAt') ?? textAt(found, 'postedAt'));
      // The try that made it may have been cut off before it could say what was refused.
      const body = creation.body(context, resource);
      const { create } = makingOf(step.kind);
      const settings = settingsOf(creation, create, body);
      const fields = [...settings.keys(), ...Object.keys(limited(create, body, settings))];
      return withLacks(outcome(context, resource, found), instead(fields, body, found));
    },
  };
}

/**
 * Single values without which it can be made too, and is known again, and what stands for each, if anything; lists are what it is made of.
 */
function settingsOf({ knownBy, safe = {} }: Creation, operation: AnyOperationName, body: Body): Map<string, unknown> {
  const { body: schema } = operationOf(operation);
  const required: unknown = schema !== undefined && 'required' in schema ? schema.required : [];
  const isNeeded = (field: string): boolean =>
    knownBy.includes(field) || safe[field] === body[field] || (Array.isArray(required) && required.includes(field));
  const settings = Object.keys(body).filter((field) => typeof body[field] !== 'object' && !isNeeded(field));
  return new Map(settings.map((field) => [field, safe[field]]));
}

/** What it cannot be made without, and goes beyond the limits of the API document, as it is within them. */
function limited(
  create: AnyOperationName,
  body: Body,
  settings: ReadonlyMap<string, unknown>,
): Readonly<Record<string, string>> {
  return withinLimits(
    create,
    body,
    Object.keys(body).filter((field) => !settings.has(field)),
  );
}

/** What stands in place of settings. */
function instead(settings: readonly string[], body: Body, made: Body): string[] {
  const others = settings.filter((name) => isText(made[name]) && isText(body[name]) && made[name] !== body[name]);
  return others.map((name) => `${name} is ${String(made[name])} instead of ${String(body[name])}`);
}

function saidIn(kind: KindName, answer: Body): Pick<StepOutcome, 'said'> {
  const text = isComment(kind) ? commentText(answer) : null;
  return text === null ? {} : { said: sha256(text) };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

async function findMade(context: ApplyContext, step: PlanStep, creation: Creation): Promise<Body | null> {
  const resource = original(context, step);
  const { create, list, query, id } = makingOf(step.kind);
  const body = creation.body(context, resource);
  const wanted = [body, { ...body, ...limited(create, body, settingsOf(creation, create, body)) }];
  const input = { path: creation.path(context, resource), query: { ...query, ...creation.query } };
  // What is not said may be answered as null.
  const isAs = (one: Body, other: Body): boolean =>
    creation.knownBy.every((field) => (valueAt(one, field) ?? undefined) === (valueAt(other, field) ?? undefined));
  const keyThere = (one: Body): string => {
    const above = kindOf(step.kind).params.slice(0, -1);
    return [...above.map((name) => input.path[name] ?? ''), String(one[id])].join('/');
  };
  const isFree = (one: Body): boolean => !context.ids.isTakenWithin(step, keyThere(one));
  const isMade = (one: Body): boolean => wanted.some((other) => isAs(one, other)) && isFree(one);
  const listing = () => context.client.paginateRaw(list, input, { signal: context.signal });
  const made = await findItem(listing(), isMade);
  if (made !== undefined || creation.likely === undefined) return made ?? null;
  return creation.likely(body, (await allOf(listing())).filter(isFree)) ?? null;
}

function makingOf(kind: KindName) {
  const { create, read, id } = kindOf(kind);
  if (create === undefined || read.from !== 'list' || id === null)
    throw new Error(`no operation makes ${kind}, or no listing shows what it made`);
  return { create, list: read.operation, query: read.query, id };
}

/** The path of everything that stands in the target organization. */
export function inOrganization({ plan }: ApplyContext): { organizationId: string } {
  return { organizationId: plan.target.organization };
}
