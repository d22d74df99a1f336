// In place: collections and spaces that somebody transferred to another organization go back to theirs, a collection with all that is
// in it. Where they stand in it is set by steps of their own, once they are back.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { Planning } from '../plan/step-list.ts';
import { idAt, textAt, titleOf } from '../resource.ts';
import type { Mend, Plan, PlanStep } from '../types.ts';
import type { Changed } from './divergence.ts';
import { holdersFirst } from './holders-first.ts';
import type { Mending } from './input.ts';

/** What stands, and the steps that bring something of it back. */
interface Standing {
  readonly list: { readonly steps: readonly PlanStep[] };
  readonly live: SnapshotReader;
}

/** In a collection that comes back something may be made; out of one that goes away, what stays behind must be moved before. */
export function goesAway({ organization }: Pick<Mending, 'organization'>, one: Changed): boolean {
  return isElsewhere(one) && organizationOf(one.wanted) !== organization;
}

export function addTransfers(planning: Mending, changed: readonly Changed[]): void {
  const moving = changed
    .filter(({ wanted: { kind } }) => kind === 'collection' || kind === 'space')
    .filter(isElsewhere);
  // What is in a collection comes along with it.
  const order = holdersFirst((id) => planning.reader.one('collection', id));
  for (const one of moving.toSorted((a, b) => order(a.wanted, b.wanted))) addTransfer(planning, one);
}

/** True for what stands in another organization than it did. */
function isElsewhere({ wanted, live }: Changed): boolean {
  return organizationOf(wanted) !== organizationOf(live);
}

function organizationOf({ body }: Pick<Resource, 'body'>): string {
  return textAt(body, 'organization') ?? '';
}

function addTransfer(planning: Mending, one: Changed): void {
  const { list, live: now } = planning;
  const { wanted, live } = one;
  if (isBack(planning, live)) return;
  const refusal = whyNot(planning, one);
  if (refusal !== null) return list.addUnsupported(wanted, refusal);
  const [to, from] = [organizationOf(wanted), organizationOf(live)];
  const mend: Mend = { expects: null, fields: [{ field: 'organization', from, to }] };
  const along = wanted.kind === 'collection' ? ', with everything in it' : '';
  const shown = isShown(now, live) ? '; its sites show that no more then' : '';
  const note = `back from organization ${nameOf(now, from)}${along}${shown}`;
  list.add({ part: 'transfer', of: wanted, note, mend, requests: 2 });
  if (wanted.kind === 'space' && to !== planning.organization) leavePlaces(planning, wanted, to);
}

/** A site of another organization, as an undo may bring something back to, is not looked at: that it showed the space is said. */
function leavePlaces({ list, reader, live }: Mending, space: Resource, organization: string): void {
  const note = `its site belongs to another organization: a plan with --scope organization:${organization} brings it back`;
  for (const place of reader.resources('site-space', organization))
    if (idAt(place.body['space']) === space.id && live.one(place.kind, place.key) === undefined)
      list.addUnsupported(place, note);
}

/** True for what still stands in its collection: it was transferred with that. */
function isInItsCollection({ wanted, live }: Changed): boolean {
  const parent = textAt(wanted.body, 'parent');
  return parent !== undefined && parent === textAt(live.body, 'parent');
}

function whyNot(planning: Mending, one: Changed): string | null {
  const { live: now, holds } = planning;
  const { wanted, live } = one;
  for (const space of spacesIn(now, live)) {
    const held = holds(space);
    if (held !== null) return `space ${titleOf(space)}: ${held}`;
  }
  const to = organizationOf(wanted);
  if (now.one('organization', to) === undefined) return `the organization it stood in, ${to}, is not there`;
  const parent = textAt(live.body, 'parent') ?? '';
  if (isInItsCollection(one)) {
    const holder = now.one('collection', parent);
    const name = holder ? titleOf(holder) : parent;
    return `it was transferred to another organization with its collection ${name}: a plan with --scope collection:${parent} brings both back`;
  }
  const guest = wanted.kind === 'collection' ? guestIn(planning, one) : undefined;
  if (guest === undefined) return null;
  const what = `${guest.kind} ${titleOf(guest)} (${guest.id})`;
  return `it stands in organization ${nameOf(now, organizationOf(live))} and holds ${what}, which stood in no other and would come along: move that out of it, then plan again`;
}

/** What stands in a transferred collection, belongs to another organization than that, and is not moved out of it before. */
function guestIn({ list, reader, live }: Mending, { wanted }: Changed): Resource | undefined {
  return inside(live, wanted).find((one) => {
    const was = reader.one(one.kind, one.key);
    const isGuest = was !== undefined && organizationOf(was) !== organizationOf(wanted);
    return isGuest && !isMovedOut({ list, live }, one, wanted);
  });
}

/** True where a step so far moves it, or what it stands in there. */
function isMovedOut({ list, live }: Standing, one: Resource, collection: Resource): boolean {
  for (let at: Resource | undefined = one; at !== undefined && at.id !== collection.id;) {
    const { kind, key, body }: Resource = at;
    if (list.steps.some((step) => step.part === 'place' && step.kind === kind && step.key === key)) return true;
    at = live.one('collection', textAt(body, 'parent') ?? '');
  }
  return false;
}

/** Collections and spaces that stand in a collection, however deep. */
function inside(live: SnapshotReader, { id }: Resource): Resource[] {
  const holders = new Set([id]);
  for (let size = 0; size < holders.size;) {
    size = holders.size;
    for (const one of live.resources('collection'))
      if (holders.has(textAt(one.body, 'parent') ?? '')) holders.add(one.id);
  }
  const all = [...live.resources('collection'), ...live.resources('space')];
  return all.filter(({ body }) => holders.has(textAt(body, 'parent') ?? ''));
}

/** Title of an organization; its id where it is not there. */
export function nameOf(live: SnapshotReader, organization: string): string {
  const found = live.one('organization', organization);
  return found ? titleOf(found) : organization;
}

/** The space itself, or those in a collection. */
function spacesIn(live: SnapshotReader, one: Resource): Resource[] {
  return [one, ...inside(live, one)].filter(({ kind }) => kind === 'space');
}

/** True where sites of the organization show what goes from it. */
function isShown(live: SnapshotReader, one: Resource): boolean {
  const going = new Set(spacesIn(live, one).map(({ id }) => id));
  for (const { body } of live.resources('site-space')) if (going.has(idAt(body['space']) ?? '')) return true;
  return false;
}

/** The step that transfers it by itself. */
export function transferOf(
  { steps }: Standing['list'],
  { kind, key }: Pick<Resource, 'kind' | 'key'>,
): number | undefined {
  return steps.find((step) => step.part === 'transfer' && step.kind === kind && step.key === key)?.step;
}

/** The step that transfers the collection in which something stands now, or one above that. */
export function transferAbove({ list, live }: Standing, { body }: Pick<Resource, 'body'>): number | undefined {
  const seen = new Set<string>();
  for (let at = textAt(body, 'parent'); at !== undefined && !seen.has(at);) {
    seen.add(at);
    const step = transferOf(list, { kind: 'collection', key: at });
    if (step !== undefined) return step;
    at = textAt(live.one('collection', at)?.body, 'parent');
  }
  return undefined;
}

/** Spaces that the plan transfers, by themselves or with a collection, as they stand now. */
export function transferredSpaces({ steps }: Standing['list'], live: SnapshotReader): Resource[] {
  const found = new Map<string, Resource>();
  for (const { part, kind, key } of steps) {
    const one = part === 'transfer' ? live.one(kind, key) : undefined;
    for (const space of one === undefined ? [] : spacesIn(live, one)) found.set(space.key, space);
  }
  return [...found.values()];
}

/** Places of an organization that showed spaces which a plan transferred away from it, and that are gone with that. */
export function placesGone(
  { steps, target: { organization } }: Pick<Plan, 'steps' | 'target'>,
  before: SnapshotReader,
  live: SnapshotReader,
): Resource[] {
  const spaces = new Set(transferredSpaces({ steps }, before).map(({ id }) => id));
  if (spaces.size === 0) return [];
  const places = [...before.resources('site-space', organization)];
  return places.filter(
    ({ kind, key, body }) => spaces.has(idAt(body['space']) ?? '') && live.one(kind, key) === undefined,
  );
}

/** True where it stands in the organization that it belongs to once all is transferred. */
function isBack(planning: Standing, live: Resource): boolean {
  return transferOf(planning.list, live) !== undefined || transferAbove(planning, live) !== undefined;
}

/** True for what no step brings back to its organization: then it has no place there. */
export function staysElsewhere(planning: Standing, one: Changed): boolean {
  return isElsewhere(one) && !isBack(planning, one.live);
}

/** True for a space that stands, and stays, in another organization than it did: nothing of its own organization can hold on to it. */
export function isAway(
  { live: now, ...planning }: Pick<Planning, 'reader' | 'live'> & Pick<Standing, 'list'>,
  space: string,
): boolean {
  const [wanted, live] = [planning.reader.one('space', space), now?.one('space', space)];
  return now !== null && !!wanted && !!live && staysElsewhere({ ...planning, live: now }, { wanted, live });
}

export const AWAY = 'its space stands in another organization by now';

/** The collection that held it, where that stands in another organization and stays there. */
export function holderElsewhere(planning: Standing, wanted: Resource, id: string): Resource | undefined {
  const holder = planning.live.one('collection', id);
  if (holder === undefined || organizationOf(holder) === organizationOf(wanted)) return undefined;
  return isBack(planning, holder) ? undefined : holder;
}

/** Why it does not go into the collection that held it. */
export function outsideOf(elsewhere: Resource): string {
  return `the collection it stood in, ${titleOf(elsewhere)}, stands in another organization by now: a plan with --scope collection:${elsewhere.id} brings that back, and a later one this`;
}

/** What comes out of the bin, or is made anew, and stays outside of the collection that held it, since that stays elsewhere. */
export function addLeftOutside(planning: Mending, missing: readonly Resource[]): void {
  for (const one of missing.filter(({ kind }) => kind === 'collection' || kind === 'space')) {
    const parent = textAt(one.body, 'parent');
    const stood = parent === undefined ? undefined : (planning.heirs.byId('collection', parent) ?? parent);
    const elsewhere = stood === undefined ? undefined : holderElsewhere(planning, one, stood);
    if (elsewhere === undefined || planning.list.creatorOf(one.kind, one.key) === undefined) continue;
    planning.list.addUnsupported(one, `comes back outside of all collections: ${outsideOf(elsewhere)}`);
  }
}

/** At the root of an organization a transferred collection stands behind all others. */
export function addTransferOrders({ list, organization }: Mending, changed: readonly Changed[]): void {
  for (const { wanted } of changed) {
    const transferred = wanted.kind === 'collection' ? transferOf(list, wanted) : undefined;
    if (transferred === undefined || textAt(wanted.body, 'parent') !== undefined) continue;
    // The order of another organization, as an undo may bring something back to, is not looked at.
    if (organizationOf(wanted) !== organization) continue;
    const mend: Mend = { expects: null, fields: [] };
    const note = 'back where it stood in the order';
    list.add({ part: 'order', of: wanted, note, mend, needs: [transferred], requests: 2 });
  }
}
