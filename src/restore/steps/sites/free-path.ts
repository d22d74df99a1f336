// A path that something else holds by now: two may have swapped theirs since the snapshot, or since they were made.
import { AppError } from '../../../base/index.ts';
import type { KindName } from '../../../contract/index.ts';
import type { Resource } from '../../../mirror/index.ts';
import { ApiError } from '../../../client/index.ts';
import { isConflict } from '../../answers.ts';
import { seenWhere } from '../../in-place/writable.ts';
import { PATH_FIELDS, temporaryPath, type Aside } from '../../journal/paths-aside.ts';
import { allOf } from '../../listings.ts';
import { textAt, titleOf, type Body } from '../../resource.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { checkLive, isBegun, readLive, targetPath, type LiveState } from '../live-object.ts';
import { siteKey } from './in-site.ts';

const LISTS = {
  site: 'listSites',
  'site-section': 'listSiteSections',
  'site-space': 'listSiteSpaces',
} as const satisfies Record<Aside['kind'], string>;

function isNamed(kind: KindName): kind is Aside['kind'] {
  return kind in PATH_FIELDS;
}

/** What is written at a step. */
interface Write {
  readonly step: PlanStep;
  readonly body: object;
  /** Sets it in another one of the same kind where an id is given. */
  readonly send: (body: object, holder?: string) => Promise<unknown>;
}

/**
 * What holds its path gets its own later, or goes, and has a free one until then. In place, what gets none later and does not go keeps its
 * own.
 */
export async function writeFreely(
  context: ApplyContext,
  resource: Resource,
  { step, body, send }: Write,
): Promise<unknown> {
  const { kind } = resource;
  const wanted: unknown = isNamed(kind) ? (body as Body)[PATH_FIELDS[kind]] : undefined;
  if (!isNamed(kind) || typeof wanted !== 'string') return send(body);
  try {
    return await send(body);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const holder = await givingWay(context, resource, { kind, step, wanted, error });
    if (holder === undefined) throw error;
    await send({ [PATH_FIELDS[kind]]: temporaryPath(context.restore, holder) }, holder);
    return send(body);
  }
}

/** How a step finds its object, as checkLive tells it: as the plan saw it, too, where it has given way to another. */
export async function stateAside(context: ApplyContext, step: PlanStep, resource: Resource): Promise<LiveState> {
  try {
    return await checkLive(context, step, resource);
  } catch (error) {
    const isDrift = error instanceof AppError && error.code === 'DM_OBJECT_DRIFTED';
    if (!isDrift || !(await isAside(context, step, resource))) throw error;
    return 'ready';
  }
}

async function isAside(context: ApplyContext, step: PlanStep, resource: Resource): Promise<boolean> {
  const { kind, key } = resource;
  const id = context.ids.get(kind, key);
  if (!isNamed(kind) || id === undefined) return false;
  const name = PATH_FIELDS[kind];
  const mend = step.mend?.fields.find(({ field }) => field === name);
  if (mend === undefined && step.part !== 'remove') return false;
  const body = await readLive(context, resource);
  if (body?.[name] !== temporaryPath(context.restore, id)) return false;
  const before = { kind, body: { ...body, [name]: mend === undefined ? resource.body[name] : mend.from } };
  return step.part === 'remove' ? seenWhere(before) === step.mend?.expects : isBegun(step, before);
}

interface Wanting {
  readonly kind: Aside['kind'];
  readonly step: PlanStep;
  readonly wanted: string;
  readonly error: ApiError;
}

/** The id of what has the path beside it; undefined where nothing is shown to. Throws its name where it can neither have its own later nor goes. */
async function givingWay(context: ApplyContext, resource: Resource, wanting: Wanting): Promise<string | undefined> {
  const holders = await holdersBeside(context, resource, wanting.kind);
  const holder = holders.get(wanting.wanted);
  const id = holder && textAt(holder, 'id');
  if (holder === undefined || id === undefined) return undefined;
  // A site that is made anew holds nothing of others.
  if (context.live === null || isFreed(context, holders, wanting)) return id;
  throw keptBy(wanting, { body: holder, id });
}

function keptBy({ kind, wanted, error }: Wanting, holder: Pick<Resource, 'body' | 'id'>): ApiError {
  const [field, whose] = [PATH_FIELDS[kind], `${kind} ${titleOf(holder)} (${holder.id})`];
  const said = error.platformMessage === null ? '' : `: "${error.platformMessage}"`;
  const what = `answered ${error.status ?? ''}${said}; ${wanted} is the ${field} of ${whose}, which keeps it`;
  const hint = `Give ${whose} another ${field} by hand, then run the same command again; or leave both as they are.`;
  return new ApiError(error.code, { what, hint, cause: error }, error);
}

/** What has given way to another and has a path that nobody gave it until its own step, in words; null for what has not. */
export async function asideWords(context: ApplyContext, step: PlanStep): Promise<string | null> {
  const { kind, key } = step;
  const id = context.ids.get(kind, key);
  const resource = context.live?.one(kind, key) ?? context.reader.one(kind, key);
  if (!isNamed(kind) || id === undefined || resource === undefined) return null;
  const path = temporaryPath(context.restore, id);
  const body = await readLive(context, resource);
  return body?.[PATH_FIELDS[kind]] === path
    ? `its ${PATH_FIELDS[kind]} is ${path} until then, since its own went to another`
    : null;
}

/** What stands there, by the paths that they have now. */
async function holdersBeside(
  context: ApplyContext,
  resource: Resource,
  kind: Aside['kind'],
): Promise<Map<string, Body>> {
  const section = textAt(resource.body, 'section');
  const within =
    section === undefined ? undefined : context.ids.need('site-section', `${siteKey(resource)}/${section}`);
  const input = { path: targetPath(context, resource, LISTS[kind]) };
  const all = await allOf(context.client.paginateRaw(LISTS[kind], input));
  const beside = all.filter((one) => kind !== 'site-space' || textAt(one, 'section') === within);
  return new Map(beside.map((one) => [textAt(one, PATH_FIELDS[kind]) ?? '', one]));
}

/** True where each that would have to give way goes, or gets a path later that is free by then: none is left with one of this restore. */
function isFreed(context: ApplyContext, holders: ReadonlyMap<string, Body>, { kind, step, wanted }: Wanting): boolean {
  const own = context.ids.get(kind, step.key);
  const passed = new Set(own === undefined ? [] : [own]);
  for (let path = wanted; ;) {
    const body = holders.get(path);
    const id = body && textAt(body, 'id');
    if (body === undefined || id === undefined || passed.has(id)) return true;
    passed.add(id);
    if (goes(context, step, { kind, id, body })) return true;
    const later = laterPath(context, step, { kind, id });
    if (later === undefined) return false;
    path = later;
  }
}

/**
 * True for what a later step takes away, unless somebody has changed it since: it will stay then. So for a section that was not there: the
 * platform has made it by itself, and it goes with the last space in it.
 */
function goes(
  { live, plan, ids }: ApplyContext,
  { step: now }: PlanStep,
  { kind, id, body }: Pick<Resource, 'kind' | 'id' | 'body'>,
): boolean {
  if (kind === 'site-section' && live?.keysOf(kind, id).length === 0) return true;
  const isTaken = ({ step, part, mend, ...of }: PlanStep): boolean =>
    step > now && part === 'remove' && of.kind === kind && mend?.expects === seenWhere({ kind, body });
  return plan.steps.some((step) => isTaken(step) && ids.get(kind, step.key) === id);
}

/** The path that a step after this one gives it. */
function laterPath(
  { ids, plan, reader }: ApplyContext,
  { step: now }: PlanStep,
  { kind, id }: Pick<Aside, 'kind' | 'id'>,
): string | undefined {
  for (const { step, part, mend, ...of } of plan.steps) {
    if (step <= now || of.kind !== kind || ids.get(kind, of.key) !== id) continue;
    const settings = part === 'settings' ? reader.one(kind, of.key)?.body : undefined;
    const to = settings?.[PATH_FIELDS[kind]] ?? mend?.fields.find(({ field }) => field === PATH_FIELDS[kind])?.to;
    if (typeof to === 'string') return to;
  }
  return undefined;
}
