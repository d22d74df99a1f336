// Making what a listing shows afterwards. Both operations, and the field that holds the new id, are those that its kind declares.
import { sha256, valueAt } from '../../base/index.ts';
import { isComment, kindOf, operationOf, type AnyOperationName, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { allOf, findItem } from '../listings.ts';
import { settleWhereLast } from '../journal/made-spaces.ts';
import { commentText, spaceOf, textAt, type Body } from '../resource.ts';
import type { ApplyContext, MakingWork, PlanStep, StepOutcome } from '../types.ts';
import { withLacks } from '../with-problems.ts';
import { makeOfTaken, REFUSALS } from './each-alone.ts';
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
  /** The operation whose limits hold as well, where the API document says less of the one that makes it. */
  readonly limits?: AnyOperationName;
  /** What a setting is where the platform refuses the one that it had, and would choose one that lets in more. */
  safe?(context: ApplyContext, resource: Resource): Readonly<Record<string, string>>;
  /** Where the target may refuse a setting with another answer than for most. */
  readonly refusals?: readonly number[];
  /** Filters that what was just made passes, beside those with which the walk asks for the listing. */
  readonly query?: Readonly<Record<string, string>>;
  /** New ids that the answer tells besides. */
  map?(context: ApplyContext, resource: Resource, answer: Body): NonNullable<StepOutcome['map']>;
}

/** The work of creating; an earlier try is found by what it is known by, among what is nobody else's. */
export function created(creation: Creation): MakingWork {
  const outcome = (context: ApplyContext, resource: Resource, answer: Body): StepOutcome => {
    const { id } = listedKind(resource.kind);
    return {
      // A name that we have given stands in no answer that tells the id alone.
      newId: String(answer[id] ?? creation.body(context, resource)[id]),
      ...(creation.map ? { map: creation.map(context, resource, answer) } : {}),
      ...saidIn(resource.kind, answer),
      ...calledIn(resource, answer),
    };
  };
  return {
    write: async (context, step) => {
      const resource = original(context, step);
      const path = creation.path(context, resource);
      await creation.prepare?.(context, resource);
      const { create, body, instead } = makingOf(context, resource, creation);
      const { answer, left, refused } = await makeOfTaken(body, instead, (some) =>
        context.client.callRaw(create, { path, body: some }),
      );
      const made = answer as Body;
      return withLacks(outcome(context, resource, made), [...refused, ...differing(left, body, made)]);
    },
    find: async (context, step) => {
      const resource = original(context, step);
      await creation.prepare?.(context, resource);
      const found = await findMade(context, step, creation);
      if (found === null) return null;
      // Nothing was changed in its space since it was made.
      settleWhereLast(context.journal, spaceOf(resource), textAt(found, 'createdAt') ?? textAt(found, 'postedAt'));
      // The try that made it may have been cut off before it could say what was refused.
      const { body, instead } = makingOf(context, resource, creation);
      const fields = [...instead.settings.keys(), ...Object.keys(instead.within)];
      return withLacks(outcome(context, resource, found), differing(fields, body, found));
    },
  };
}

/** What it is made of, and what stands for what of that where the platform refuses it. */
function makingOf(context: ApplyContext, resource: Resource, creation: Creation) {
  const { create } = listedKind(resource.kind);
  const body = creation.body(context, resource);
  const settings = settingsOf(creation, { context, resource, body });
  const needed = Object.keys(body).filter((field) => !settings.has(field));
  const limits = creation.limits ?? create;
  const within = { ...withinLimits(limits, body, needed), ...withinLimits(create, body, needed) };
  const { refusals = REFUSALS } = creation;
  return { create, body, instead: { settings, within, refusals } };
}

interface Made {
  readonly context: ApplyContext;
  readonly resource: Resource;
  readonly body: Body;
}

/**
 * Single values without which, or with others, it can be made too, and is known again, and what stands for each, if anything; lists are
 * what it is made of.
 */
function settingsOf(creation: Creation, { context, resource, body }: Made): Map<string, unknown> {
  const { body: schema } = operationOf(listedKind(resource.kind).create);
  const required: unknown = schema !== undefined && 'required' in schema ? schema.required : [];
  const { knownBy } = creation;
  const instead = creation.safe?.(context, resource) ?? {};
  const isRequired = (field: string): boolean => Array.isArray(required) && required.includes(field);
  const isNeeded = (field: string): boolean =>
    knownBy.includes(field) || (field in instead ? instead[field] === body[field] : isRequired(field));
  const settings = Object.keys(body).filter((field) => typeof body[field] !== 'object' && !isNeeded(field));
  return new Map(settings.map((field) => [field, instead[field]]));
}

/** What stands in place of settings. */
function differing(settings: readonly string[], body: Body, made: Body): string[] {
  const others = settings.filter((name) => isText(made[name]) && isText(body[name]) && made[name] !== body[name]);
  return others.map((name) => `${name} is ${String(made[name])} instead of ${String(body[name])}`);
}

function saidIn(kind: KindName, answer: Body): Pick<StepOutcome, 'said'> {
  const text = isComment(kind) ? commentText(answer) : null;
  return text === null ? {} : { said: sha256(text) };
}

/** Cut, or within the limits of the platform, or without space around it: what it is called then is no doing of people. */
function calledIn({ body }: Resource, answer: Body): Pick<StepOutcome, 'called'> {
  const called = textAt(answer, 'title');
  return called === undefined || called === textAt(body, 'title') ? {} : { called };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

async function findMade(context: ApplyContext, step: PlanStep, creation: Creation): Promise<Body | null> {
  const resource = original(context, step);
  const { list, query, id } = listedKind(step.kind);
  const { body, instead } = makingOf(context, resource, creation);
  const wanted = [body, { ...body, ...instead.within }];
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
  const listing = () => context.client.paginateRaw(list, input);
  const made = await findItem(listing(), isMade);
  if (made !== undefined || creation.likely === undefined) return made ?? null;
  return creation.likely(body, (await allOf(listing())).filter(isFree)) ?? null;
}

function listedKind(kind: KindName) {
  const { create, read, id } = kindOf(kind);
  if (create === undefined || read.from !== 'list' || id === null)
    throw new Error(`no operation makes ${kind}, or no listing shows what it made`);
  return { create, list: read.operation, query: read.query, id };
}

/** The path of everything that stands in the target organization. */
export function inOrganization({ plan }: ApplyContext): { organizationId: string } {
  return { organizationId: plan.target.organization };
}
