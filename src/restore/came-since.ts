// What a plan is to make in place, and stands there by now although the plan did not see it: people made it, or this very plan was
// carried out by a mirror whose journal is not here, such as this one before an older copy of it was put back.
import { AppError, few } from '../base/index.ts';
import { isComment, kindOf, operationOf, pathParameters } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { newParams } from './compare/find-restored.ts';
import { idMapOf, type IdMap } from './journal/id-map.ts';
import { allOf } from './listings.ts';
import { planningAgain } from './plan/plan-archive.ts';
import { commentText, isInBin, keyAbove, titleOf, type Body } from './resource.ts';
import { TITLED_KINDS } from './restored-kinds.ts';
import { creditOf, readCredit } from './special/credit.ts';
import { orNull } from './steps/write-once.ts';
import type { TargetState } from './target.ts';
import type { ApplySettings, Plan } from './types.ts';

interface Asking extends Pick<ApplySettings, 'client' | 'signal'>, Pick<TargetState, 'there'> {
  readonly reader: SnapshotReader;
  /** What the plan saw; null where everything is made anew. */
  readonly live: SnapshotReader | null;
}

const SHOWN = 5;

/** Reads only, one listing for each thing that is to get something. Throws DM_PLAN_STALE that names what would stand there twice. */
export async function demandNoneCame(asking: Asking, plan: Plan): Promise<void> {
  const { reader, live } = asking;
  if (plan.mode !== 'in-place' || live === null) return;
  const listed = listings({ ...asking, ids: idMapOf(plan, [], live) });
  const came: string[] = [];
  for (const { part, kind, key, title } of plan.steps) {
    const original = part === 'create' ? reader.one(kind, key) : undefined;
    if (original === undefined || !(isComment(kind) || TITLED_KINDS.includes(kind))) continue;
    const idName = kindOf(kind).id ?? 'id';
    // What lies in the bin was left out of what the plan saw, too, where listings go on to show it.
    const isNew = (one: Body): boolean => !isInBin(one) && live.keysOf(kind, String(one[idName])).length === 0;
    if ((await listed(original)).some((one) => isNew(one) && isSame(original, one))) came.push(`${kind} ${title}`);
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
function isSame({ kind, id, body }: Resource, one: Body): boolean {
  if (!isComment(kind)) return titleOf({ body: one, id: '' }) === titleOf({ body, id });
  const [wanted, found] = [creditOf(body), readCredit(commentText(one) ?? '')];
  return found !== null && found.author === wanted.author && found.at === wanted.at;
}

/** What stands now beside where something is to be made; each listing is asked for once. */
function listings(asking: Asking & { readonly ids: IdMap }): (original: Resource) => Promise<readonly Body[]> {
  const known = new Map<string, Promise<readonly Body[]>>();
  return (original) => {
    const { kind, key } = original;
    const found = asking.there.get(kind);
    if (found !== undefined) return Promise.resolve(found.map(({ body }) => body));
    const place = `${kind} ${keyAbove(key)}`;
    const listing = known.get(place) ?? listedNow(asking, original);
    known.set(place, listing);
    return listing;
  };
}

/** Nothing where what is to hold it does not stand, or nobody can tell: what cannot be listed for now is to come back all the same. */
async function listedNow(
  { client, ids, signal }: Pick<Asking, 'client' | 'signal'> & { readonly ids: IdMap },
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
  const pages = client.paginateRaw(read.operation, { path, query: read.query ?? {} }, { signal });
  return (await orNull(() => allOf(pages))) ?? [];
}
