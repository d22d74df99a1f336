// What a plan is to make in place, and stands there by now although the plan did not see it: people made it, or this very plan was
// carried out by a mirror whose journal is not here, such as this one before an older copy of it was put back.
import { AppError, few } from '../base/index.ts';
import { isComment, kindOf, operationOf, pathParameters, type KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { newParams } from './compare/find-restored.ts';
import { idMapOf, type IdMap } from './journal/id-map.ts';
import { hasStatus, isGone, isNotOffered, NOT_PERMITTED } from './answers.ts';
import { allOf } from './listings.ts';
import { planningAgain } from './plan/plan-archive.ts';
import { commentText, isInBin, keyAbove, titleOf, type Body } from './resource.ts';
import { TITLED_KINDS } from './restored-kinds.ts';
import { creditOf, readCredit, wordsOf } from './special/credit.ts';
import type { TargetState } from './target.ts';
import type { ApplySettings, Plan } from './types.ts';

interface Asking extends Pick<ApplySettings, 'client'>, Pick<TargetState, 'there'> {
  readonly reader: SnapshotReader;
  /** What the plan saw; null where everything is made anew. */
  readonly live: SnapshotReader | null;
}

interface Searched extends Asking {
  readonly live: SnapshotReader;
  readonly ids: IdMap;
}

const SHOWN = 5;

/**
 * Reads only, one listing for each thing that is to get something. Throws DM_PLAN_STALE that names what would stand there twice, and
 * the error of a listing that gives no answer for now, since that does not say that nothing came.
 */
export async function demandNoneCame(asking: Asking, plan: Plan): Promise<void> {
  const { reader, live } = asking;
  if (plan.mode !== 'in-place' || live === null) return;
  const newBeside = newcomers({ ...asking, live, ids: idMapOf(plan, [], live) });
  const came: string[] = [];
  for (const { part, kind, key, title } of plan.steps) {
    const original = part === 'create' ? reader.one(kind, key) : undefined;
    if (original === undefined || !(isComment(kind) || TITLED_KINDS.includes(kind))) continue;
    if ((await newBeside(original)).has(wantedName(original))) came.push(`${kind} ${title}`);
  }
  if (came.length > 0) throw wouldComeTwice(came, plan);
}

function wouldComeTwice(came: readonly string[], plan: Plan): AppError {
  const [have, them] = came.length === 1 ? ['has', 'it'] : ['have', 'them'];
  const words = `${few(came, SHOWN)} ${have} come to stand there since it was made`;
  return new AppError('DM_PLAN_STALE', `The plan no longer fits: ${words}, and it would make ${them} a second time`, {
    hint: `Look at what stands there: a new plan with \`${planningAgain(plan)}\` takes that for something else, and makes ${them} beside it. Where a restore made it that this mirror does not know, put back the copy of mirror.db of after that, or leave it out with --scope or --where. Nothing was written.`,
  });
}

/** A comment is known by who wrote what it brings back, and when; all else by its title. */
function wantedName({ kind, id, body }: Resource): string {
  return isComment(kind) ? wordsOf(creditOf(body)) : titleOf({ body, id });
}

/** The same of what stands there; null for a comment of which no credit line tells that. */
function nameOf(kind: KindName, body: Body): string | null {
  if (!isComment(kind)) return titleOf({ body, id: '' });
  const credit = readCredit(commentText(body) ?? '');
  return credit && wordsOf(credit);
}

/** The names of what the plan did not see beside where something is to be made; each listing is asked for, and gone through, once. */
function newcomers(searched: Searched): (original: Resource) => Promise<ReadonlySet<string>> {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return (original) => {
    const { kind, key } = original;
    const place = searched.there.has(kind) ? kind : `${kind} ${keyAbove(key)}`;
    const names = known.get(place) ?? newNames(searched, original);
    known.set(place, names);
    return names;
  };
}

async function newNames(searched: Searched, original: Resource): Promise<ReadonlySet<string>> {
  const { kind } = original;
  const idName = kindOf(kind).id ?? 'id';
  // What lies in the bin was left out of what the plan saw, too, where listings go on to show it.
  const isNew = (one: Body): boolean => !isInBin(one) && searched.live.keysOf(kind, String(one[idName])).length === 0;
  const listed = searched.there.get(kind)?.map(({ body }) => body) ?? (await listedNow(searched, original));
  return new Set(listed.filter(isNew).flatMap((one) => nameOf(kind, one) ?? []));
}

/** Nothing where what is to hold it does not stand, or the platform has no such listing for this token: nobody can ever tell then. */
async function listedNow(
  { client, ids }: Pick<Searched, 'client' | 'ids'>,
  original: Resource,
): Promise<readonly Body[]> {
  const { read } = kindOf(original.kind);
  if (read.from !== 'list') return [];
  const params = newParams(ids, original);
  const names = pathParameters(operationOf(read.operation).path);
  const path: Record<string, string> = {};
  for (const name of names) {
    const value = params[name];
    if (value === undefined) return [];
    path[name] = value;
  }
  const pages = client.paginateRaw(read.operation, { path, query: read.query ?? {} });
  try {
    return await allOf(pages);
  } catch (error) {
    if (isGone(error) || isNotOffered(error) || hasStatus(error, NOT_PERMITTED)) return [];
    throw error;
  }
}
