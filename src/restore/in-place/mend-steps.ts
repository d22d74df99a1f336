// Steps that set back single objects that stand.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { isUnderWay, kindOf } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { leadingWithin, withinOf } from '../journal/id-map.ts';
import { CHANGED_SINCE } from '../journal/later-restores.ts';
import { formsInPlace } from '../links/address-links.ts';
import { asSaid, textAt, titleOf } from '../resource.ts';
import type { FieldMend, Mend } from '../types.ts';
import { isGathered, type Changed } from './divergence.ts';
import { isChangedSince } from './left-by-undo.ts';
import { holdersFirst } from './holders-first.ts';
import { holderElsewhere, outsideOf, staysElsewhere, transferAbove, transferOf } from './transfers.ts';
import { noValue, seenState, writableFields, writableValues } from './writable.ts';
import type { Mending } from './input.ts';

/** Sets back each object that changed, in the order in which the kinds are declared. */
export function addFieldMends(planning: Mending, changed: readonly Changed[]): void {
  const order = holdersFirst((id) => planning.reader.one('collection', id));
  // Collections that hold others first: then nothing is moved into what it still holds itself.
  const ordered = changed.toSorted((a, b) => order(a.wanted, b.wanted));
  for (const one of ordered) if (!isGathered(one.wanted.kind) && !isClosed(one)) addMend(planning, one);
}

/** Change requests that somebody has opened again: their content is set back before they are closed, as they take none afterwards. */
export function addClosings(planning: Mending, changed: readonly Changed[]): void {
  const { steps } = planning.list;
  for (const one of changed.filter(isClosed)) {
    const contents = steps.filter(({ kind, key }) => kind === 'change-request-revision' && key === one.wanted.key);
    const needs = contents.filter(({ part }) => part !== 'none').map(({ step }) => step);
    addFields(planning, one, needs);
  }
}

function isClosed(one: Changed): boolean {
  const { wanted, live } = one;
  if (wanted.kind !== 'change-request' || whyNot(one) !== null) return false;
  return isUnderWay(live.body['status']) && !isUnderWay(wanted.body['status']);
}

function addMend(planning: Mending, one: Changed): void {
  const { wanted, live } = one;
  const refusal = whyNot(one);
  if (refusal !== null) return planning.list.addUnsupported(wanted, refusal);
  addPlace(planning, one);
  addFields(planning, one);
  if (wanted.kind === 'member' && wanted.body['sso'] !== live.body['sso']) addSso(planning, wanted);
}

/** Those that an operation sets; the others that differ are named. */
export function addFields(planning: Mending, one: Changed, needs: readonly number[] = []): void {
  const { wanted, live } = one;
  const { list } = planning;
  const { update } = kindOf(wanted.kind);
  const differing = withoutChangedSince(planning, one);
  const fields = differing.filter(({ field, to }) => to !== null || noValue(wanted.kind, field) !== undefined);
  for (const { field } of differing.filter((mend) => !fields.includes(mend) && !isByItself(wanted, mend)))
    list.addUnsupported(wanted, `${wordOf(field)} had no value, and no operation takes one away`);
  if (update !== undefined && fields.length > 0) {
    const note = fields.map((field) => `${wordOf(field.field)}${givenSince(field)}`).join(', ');
    const mend: Mend = { expects: seenState(live), fields };
    list.add({ part: 'fields', of: wanted, note, mend, needs, requests: 3 });
  }
}

/** Of an undo, those alone that its restore wrote, and that nobody has changed since; these are named. */
function withoutChangedSince({ list, heirs, addresses, within, live: standing }: Mending, one: Changed): FieldMend[] {
  const { wanted, live } = one;
  const sides = { heirs, addresses, standing };
  const own = within(live);
  const written = fieldMends(one, sides).filter(({ field }) => own?.has(field) ?? true);
  return written.filter((mend) => {
    const forms = (value: unknown): unknown[] => throughHeirs(mend.field, value, { ...sides, wanted });
    const isLeft = isChangedSince(mend, { own, forms });
    if (isLeft) list.addUnsupported(live, `its ${wordOf(mend.field)}: ${CHANGED_SINCE}`);
    return !isLeft;
  });
}

/** Who the token belongs to is not told by the API, so that nobody knows before which reactions are its own. */
function givenSince({ field, from, to }: FieldMend): string {
  if (field !== 'addedReactions' || !Array.isArray(from)) return '';
  const isMore = from.some((one) => !Array.isArray(to) || !to.includes(one));
  return isMore ? ' (those that others gave since stay: only they can take them away)' : '';
}

/** A specification without an address has a text, which is set back by itself. */
function isByItself({ kind }: Resource, { field }: FieldMend): boolean {
  return kind === 'openapi-spec' && field === 'source';
}

function addSso({ list }: Mending, member: Resource): void {
  if (member.body['sso'] === true) list.add({ part: 'state', of: member, note: 'signs in by SAML', adopts: member.id });
  else list.addUnsupported(member, 'no operation switches sign-in by SAML off for a member');
}

/** Where an operation moves it, its place is set back. */
function addPlace(planning: Mending, one: Changed): void {
  const { list, heirs, live: now, reader } = planning;
  const { wanted, live } = one;
  if (kindOf(wanted.kind).move === undefined || (wanted.kind !== 'collection' && wanted.kind !== 'space')) return;
  if (staysElsewhere(planning, one) || planning.within(live)?.has('parent') === false) return;
  const transfer = transferOf(list, wanted);
  const to = textAt(wanted.body, 'parent');
  const from = transfer === undefined ? textAt(live.body, 'parent') : undefined;
  const stood = to === undefined ? undefined : (heirs.byId('collection', to) ?? to);
  if (stood === from) return;
  if (transfer === undefined && isMovedSince(planning, live))
    return list.addUnsupported(live, `its place: ${CHANGED_SINCE}`);
  const mend: Mend = { expects: null, fields: [{ field: 'parent', from: from ?? null, to: to ?? null }] };
  const creator = to === undefined ? undefined : list.creatorOf('collection', to);
  if (stood !== undefined && creator === undefined && now.keysOf('collection', stood).length === 0)
    return list.addUnsupported(wanted, `the collection it stood in, ${nameOf(reader, to)}, is not there`);
  const elsewhere = stood === undefined ? undefined : holderElsewhere(planning, wanted, stood);
  if (elsewhere !== undefined) return list.addUnsupported(wanted, outsideOf(elsewhere));
  const note = 'back to where it stood';
  const needs = [creator, transfer ?? transferAbove(planning, live)];
  list.add({ part: 'place', of: wanted, note, mend, needs, requests: 3 });
}

/** True for what stands elsewhere than where the restore had put it, which an undo takes back. */
function isMovedSince({ within, heirs }: Mending, live: Resource): boolean {
  const left = within(live)?.get('parent');
  if (left === undefined) return false;
  const put = typeof left === 'string' ? (heirs.byId('collection', left) ?? left) : undefined;
  return textAt(live.body, 'parent') !== put;
}

function nameOf(reader: SnapshotReader, collection: string | undefined): string {
  const stood = reader.one('collection', collection ?? '');
  return stood === undefined ? (collection ?? '') : `${titleOf(stood)} (${stood.id})`;
}

/** Fields of an object that differ and can be set. One that names what an earlier restore made anew, by its new id, does not differ. */
function fieldMends({ wanted, live }: Changed, sides: Heirs): FieldMend[] {
  const [to, from] = [writableValues(wanted), writableValues(live)];
  return writableFields(wanted.kind).flatMap((field): FieldMend[] => {
    const [was = null, ...others] = throughHeirs(field, to[field], { ...sides, wanted }).map(asSaid);
    const is = asSaid(from[field]);
    // A text whose links still lead to the originals is as it was.
    const alike = field === 'body' ? [was, ...others, asSaid(to[field])] : [was];
    const isAlike = alike.some((one) => canonicalJson(one) === canonicalJson(is));
    return isAlike ? [] : [{ field, from: is, to: was }];
  });
}

interface Heirs extends Pick<Mending, 'heirs' | 'addresses'> {
  readonly standing: SnapshotReader;
}

interface OfOne extends Heirs {
  readonly wanted: Resource;
}

/** The forms in which it is as good as the value, the best one first. */
function throughHeirs(field: string, value: unknown, { heirs, addresses, standing, wanted }: OfOne): unknown[] {
  if (field === 'defaultTeam' && typeof value === 'string') return [heirs.byId('team', value) ?? value];
  if (field !== 'body' || !isRecord(value)) return [value];
  const turning = { ...leadingWithin(heirs, withinOf(wanted)), addresses, live: standing };
  const texts = formsInPlace(textAt(value, 'markdown') ?? '', turning);
  return texts.map((markdown) => ({ ...value, markdown }));
}

/** What no operation sets back. */
function whyNot({ wanted: { kind, body }, live }: Changed): string | null {
  if (kind === 'change-request' && live.body['status'] === 'merged' && body['status'] !== 'merged')
    return 'it was merged since, and no operation takes a merge back; the pages it changed are set back by themselves';
  if (kind === 'change-request' && body['status'] === 'merged' && live.body['status'] !== 'merged')
    return 'no operation makes a change request merged without its content';
  if (kind === 'custom-field' && body['type'] !== live.body['type'])
    return `one of type ${String(live.body['type'])} has its name now, which was of type ${String(body['type'])}: delete that one, and plan again, and it comes back with its values`;
  return null;
}

/** Fields whose names in the operation are no words for people. */
const WORDS: Readonly<Record<string, string>> = {
  addedReactions: 'reactions',
  ssoURL: 'sign-on address',
  entityID: 'entity id',
  jsonSchema: 'schema',
};

function wordOf(field: string): string {
  return WORDS[field] ?? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
