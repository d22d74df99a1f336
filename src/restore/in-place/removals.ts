// Steps that take away single objects that stand.
import { groupBy, lazy } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { idAt, textAt, titleOf, keyAbove } from '../resource.ts';
import { currentText } from '../special/spec-text.ts';
import type { Part } from '../types.ts';
import { isGathered } from './divergence.ts';
import { holdersFirst } from './holders-first.ts';
import { seenWhere } from './writable.ts';
import type { Mending } from './input.ts';
import type { StepList } from '../plan/step-list.ts';

/** People are never taken away, and replies cannot be. */
const STAYING: Readonly<Partial<Record<KindName, string>>> = {
  member: 'members are not taken away by a restore',
  'comment-reply': 'no operation deletes a reply',
  'change-request-comment-reply': 'no operation deletes a reply',
};

export interface Removing {
  /** Why something stays, because somebody changed it meanwhile; null for what goes. */
  readonly keeps?: ((resource: Resource) => string | null) | undefined;
  readonly why?: (resource: Resource) => string;
}

interface Removal extends Pick<Mending, 'list'> {
  readonly standing: ReturnType<typeof standingIn>;
}

/** Takes away what is not in the snapshot: last of all, what is nested before what holds it. */
export function addRemovals(
  planning: Pick<Mending, 'list' | 'live' | 'reader'>,
  added: readonly Resource[],
  { keeps = () => null, why = (one) => notInSnapshot(planning.live, one) }: Removing = {},
): void {
  const { list } = planning;
  const standing = standingIn(planning);
  /** Steps that take away what names something, by that. */
  const removedBefore = new Map<string, number[]>();
  const stays: { readonly one: Resource; readonly note: string }[] = [];
  const going = new Set(added.filter((one) => keeps(one) === null).map(({ kind, key }) => `${kind} ${key}`));
  const ofBin = leftToBin(planning, added, ({ kind, key }) => going.has(`${kind} ${key}`));
  for (const one of nestedFirst(added)) {
    if (one.kind === 'site-space' && ofBin.has(one.key)) continue;
    if (isGathered(one.kind) && one.kind !== 'file') continue;
    // What an earlier restore, or somebody, has archived is as far away as it goes.
    if (isRequest(one) && one.body['status'] === 'archived') continue;
    const kept = keeps(one);
    const staying = kept === null ? whyKindStays(one) : undefined;
    const held = kept ?? whyHeld({ list, standing }, one);
    if (staying !== undefined) stays.push({ one, note: staying });
    else if (held !== null) list.addUnsupported(one, held);
    else {
      const step = addRemoval(list, one, { why: why(one), needs: removedBefore.get(`${one.kind} ${one.id}`) ?? [] });
      for (const name of namedBy(one)) removedBefore.set(name, [...(removedBefore.get(name) ?? []), step]);
    }
  }
  for (const { one, note } of stays) if (!goesAlong(list, one)) list.addUnsupported(one, note);
}

/** Whoever takes away what no undo can make anew is to know it before. */
function notInSnapshot(live: SnapshotReader, one: Resource): string {
  const why = 'not in the snapshot';
  const isSpec = one.kind === 'openapi-spec';
  if (!isSpec || textAt(one.body, 'sourceURL') !== undefined || currentText(live, one) !== null) return why;
  return `${why}; no undo makes it anew: it was given as a text, and the platform does not show that text`;
}

function isRequest({ kind }: Resource): boolean {
  return kind === 'change-request';
}

/** No operation deletes a change request either, but it can be archived. */
function whyKindStays(one: Resource): string | undefined {
  if (isRequest(one)) return undefined;
  return STAYING[one.kind] ?? (kindOf(one.kind).remove === undefined ? 'no operation deletes it' : undefined);
}

/** What keeps this one from going, though others of its kind go; null where nothing does. */
function whyHeld(removal: Removal, one: Resource): string | null {
  if (isRequest(one) && one.body['status'] === 'merged')
    return 'it was merged since, and no operation takes a merge back';
  const inside = one.kind === 'collection' ? stayingIn(removal, one) : undefined;
  if (inside === undefined) return null;
  return `holds ${inside.kind} ${titleOf(inside)} (${inside.id}), which stays and would be deleted with it`;
}

function addRemoval(
  list: StepList,
  one: Resource,
  { why, needs }: { readonly why: string; readonly needs: readonly number[] },
): number {
  const note = isRequest(one) ? `${why}: archived, since no operation deletes it` : why;
  // What was moved into it must be out again: what is deleted takes along everything that is in it.
  const moved = list.steps.filter(({ part }) => MOVING.has(part)).map(({ step }) => step);
  return list.add({
    part: 'remove',
    of: one,
    note,
    needs: [...moved, ...needs],
    mend: { expects: seenWhere(one), fields: [] },
    requests: 3,
  });
}

/** True for what goes with something that a step takes away: its key is that, or stands below it. */
function goesAlong({ steps }: StepList, { key }: Resource): boolean {
  return steps.some(({ part, key: holder }) => part === 'remove' && (key === holder || key.startsWith(`${holder}/`)));
}

/** What a resource names, as sign-on names the team of newcomers. It is taken away after that resource: the platform would change the resource otherwise, and that would look like somebody's edit. */
function namedBy({ kind, body }: Resource): string[] {
  return Object.entries(kindOf(kind).embeds ?? {}).flatMap(([field, of]) => {
    const id = idAt(body[field]);
    return id === undefined ? [] : [`${of} ${id}`];
  });
}

/** What stands in collections, by the collection; read once, whatever is taken away. */
function standingIn({ live }: Pick<Mending, 'live'>): () => ReadonlyMap<string | undefined, readonly Resource[]> {
  return lazy(() =>
    groupBy([...live.resources('space'), ...live.resources('collection')], ({ body }) => textAt(body, 'parent')),
  );
}

/** Something that stays in a collection, since no step so far moves it out or takes it away. */
function stayingIn({ list, standing }: Removal, collection: Resource): Resource | undefined {
  const leaves = ({ kind, key }: Resource): boolean =>
    list.steps.some((step) => step.kind === kind && step.key === key && LEAVING.has(step.part));
  return (standing().get(collection.id) ?? []).find((one) => !leaves(one));
}

/** What goes to another organization leaves its collection, too. */
const MOVING: ReadonlySet<Part> = new Set<Part>(['place', 'transfer']);
const LEAVING: ReadonlySet<Part> = new Set<Part>([...MOVING, 'remove']);

function nestedFirst(added: readonly Resource[]): Resource[] {
  const collections = new Map(added.filter(({ kind }) => kind === 'collection').map((one) => [one.id, one]));
  const order = holdersFirst((id) => collections.get(id));
  return added.toSorted((a, b) => order(b, a));
}

/**
 * Of what is taken away, the keys of the places without which their section would show nothing: a section goes with the last place that
 * is taken away from it, and stays where the space of that lies in the bin.
 * @param goes True for what is taken away.
 */
function leftToBin(
  planning: Pick<Mending, 'list' | 'live' | 'reader'>,
  added: readonly Resource[],
  goes: (one: Pick<Resource, 'kind' | 'key'>) => boolean,
): ReadonlySet<string> {
  const { list, live, reader } = planning;
  const left = new Set<string>();
  for (const place of added) {
    const section = place.kind === 'site-space' ? textAt(place.body, 'section') : undefined;
    const space = idAt(place.body['space']) ?? '';
    if (section === undefined || !goes({ kind: 'space', key: space })) continue;
    if (goes({ kind: 'site-section', key: `${keyAbove(place.key)}/${section}` })) continue;
    const isMade = beside(reader, place).some(({ kind, key }) => list.creatorOf(kind, key) !== undefined);
    if (!isMade && beside(live, place).every(goes)) left.add(place.key);
  }
  return left;
}

/** Places of the same section, itself included. */
function beside(side: SnapshotReader, { kind, key, body }: Resource): Resource[] {
  const section = textAt(body, 'section');
  return [...side.resources(kind, keyAbove(key))].filter((one) => textAt(one.body, 'section') === section);
}
