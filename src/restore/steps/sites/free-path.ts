// A path that something else holds by now: two may have swapped theirs since the snapshot, or since they were made.
import { AppError, isRecord, sha256 } from '../../../base/index.ts';
import type { KindName } from '../../../contract/index.ts';
import type { Resource } from '../../../mirror/index.ts';
import { isConflict } from '../../answers.ts';
import { seenState } from '../../in-place/writable.ts';
import { findItem } from '../../listings.ts';
import { textAt, type Body } from '../../resource.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { checkLive, readLive, targetPath, type LiveState } from '../live-object.ts';
import { siteKey } from './in-site.ts';

const PATH_LENGTH = 12;

interface Named {
  /** The field by which people find it, and in which no other beside it may have the same. */
  readonly field: string;
  readonly list: 'listSites' | 'listSiteSections' | 'listSiteSpaces';
}

const NAMED: Readonly<Partial<Record<KindName, Named>>> = {
  site: { field: 'basename', list: 'listSites' },
  'site-section': { field: 'path', list: 'listSiteSections' },
  'site-space': { field: 'path', list: 'listSiteSpaces' },
};

interface Write {
  readonly body: object;
  /** Sets it in another one of the same kind where an id is given. */
  readonly send: (body: object, holder?: string) => Promise<unknown>;
}

/** What holds its path gets its own later, and a free one until then. In place, what the plan gives no path keeps its own. */
export async function writeFreely(context: ApplyContext, resource: Resource, { body, send }: Write): Promise<unknown> {
  const named = NAMED[resource.kind];
  const wanted: unknown = named === undefined ? undefined : (body as Body)[named.field];
  if (named === undefined || typeof wanted !== 'string') return send(body);
  try {
    return await send(body);
  } catch (error) {
    const holder = isConflict(error) ? await holderOf(context, resource, wanted) : undefined;
    if (holder === undefined || !getsPath(context, resource.kind, holder)) throw error;
    await send({ [named.field]: temporaryPath(context, holder) }, holder);
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
  const name = NAMED[kind]?.field;
  const mend = step.mend?.fields.find(({ field }) => field === name);
  const id = context.ids.get(kind, key);
  if (name === undefined || mend === undefined || id === undefined) return false;
  const body = await readLive(context, resource);
  if (body?.[name] !== temporaryPath(context, id)) return false;
  return seenState({ kind, body: { ...body, [name]: mend.from } }) === step.mend?.expects;
}

/** The id of what has the path beside it; undefined where nothing does. */
async function holderOf(context: ApplyContext, resource: Resource, wanted: string): Promise<string | undefined> {
  const named = NAMED[resource.kind];
  if (named === undefined) return undefined;
  const section = textAt(resource.body, 'section');
  const within =
    section === undefined ? undefined : context.ids.need('site-section', `${siteKey(resource)}/${section}`);
  const input = { path: targetPath(context, resource, named.list) };
  const listing = context.client.paginateRaw(named.list, input, { signal: context.signal });
  const isBeside = (one: Body): boolean => resource.kind !== 'site-space' || textAt(one, 'section') === within;
  const found = await findItem(listing, (one) => isRecord(one) && one[named.field] === wanted && isBeside(one));
  return found === undefined ? undefined : textAt(found, 'id');
}

/**
 * True for what the plan gives a path or takes away, for a section that was not there, which the platform has made by itself, and for all
 * of a site that is made anew: it holds nothing of others.
 */
function getsPath({ live, plan, ids }: ApplyContext, kind: KindName, id: string): boolean {
  if (live === null || (kind === 'site-section' && live.keysOf(kind, id).length === 0)) return true;
  const name = NAMED[kind]?.field;
  return plan.steps.some((step) => {
    if (step.kind !== kind || ids.get(kind, step.key) !== id) return false;
    return (
      ['settings', 'remove'].includes(step.part) || (step.mend?.fields.some(({ field }) => field === name) ?? false)
    );
  });
}

/** The same each time, so that a resume finds what it left. */
function temporaryPath({ restore }: ApplyContext, holder: string): string {
  return `p-${sha256(`${restore} ${holder}`).slice(0, PATH_LENGTH)}`;
}
