// In place: the order of a site's parts, and the groups that its sections stand in. Nothing moves a place into another section.
import type { KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { standing } from '../plan/step-list.ts';
import { CHANGED_SINCE } from '../journal/later-restores.ts';
import { keyAbove, idsAt, textAt, titleOf } from '../resource.ts';
import { rootOrder, sectionsOf, spacesIn } from '../special/site-order.ts';
import type { Choices } from '../types.ts';
import type { Divergence } from './divergence.ts';
import type { Mending } from './input.ts';
import { leavesOrder } from './left-by-undo.ts';

const PARTS: ReadonlySet<KindName> = new Set<KindName>(['site-section', 'site-section-group', 'site-space']);

/** Of sites that stand: sections go back into their groups and out of others, then all parts into their order. */
export function addSiteOrderMends(planning: Mending, { missing, changed }: Divergence, choices: Choices): void {
  const { reader, live } = planning;
  const differing = [
    ...(choices.missing ? missing : []),
    ...(choices.changed ? changed.map(({ wanted }) => wanted) : []),
  ];
  const sites = new Set(differing.filter(({ kind }) => PARTS.has(kind)).map(({ key }) => keyAbove(key)));
  for (const key of sites) {
    const [site, now] = [reader.one('site', key), live.one('site', key)];
    if (!site || !now) continue;
    const sides = { planning, site, now };
    const { out, left } = choices.changed ? addGroupMends(sides) : { out: NOBODY, left: NOBODY };
    for (const order of ordersOf(sides, out)) {
      const stood = order.stood.filter(({ id }) => !left.has(id));
      addTurn(planning, { ...order, stood }, choices);
    }
  }
}

const NOBODY: ReadonlySet<string> = new Set();

interface Sides {
  readonly planning: Mending;
  readonly site: Resource;
  /** The site as it stands. */
  readonly now: Resource;
}

interface Grouped {
  /** Ids of the sections that come out of groups, to where groups stand. */
  readonly out: ReadonlySet<string>;
  /** Of an undo: ids of those that stay where somebody has put them since. */
  readonly left: ReadonlySet<string>;
}

function addGroupMends({ planning, site }: Sides): Grouped {
  const { list, live } = planning;
  const [out, left] = [new Set<string>(), new Set<string>()];
  for (const section of sectionsOf(planning.reader, site)) {
    const stood = live.one('site-section', section.key);
    if (!stood) continue;
    const [to, from] = [section, stood].map(({ body }) => textAt(body, 'sectionGroup'));
    const group = { kind: 'site-section-group', key: `${site.key}/${to ?? ''}` } as const;
    const there = to === undefined ? undefined : standing(planning, group);
    if (to === undefined ? from === undefined : [from, undefined].includes(there)) continue;
    if (staysInGroup(planning, stood)) {
      left.add(section.id);
      continue;
    }
    if (to === undefined) {
      out.add(section.id);
      const mend = { expects: null, fields: [{ field: 'sectionGroup', from: from ?? null, to: null }] };
      list.add({ part: 'place', of: section, note: 'out of the group it was put in', mend });
    } else {
      const title = titleOf(planning.reader.one(group.kind, group.key) ?? section);
      list.add({ part: 'state', of: section, note: `into group ${title}`, requests: 2 });
    }
  }
  return { out, left };
}

/** True for one of an undo that somebody has put there since, which is said where the restore had put it elsewhere. */
function staysInGroup({ list, within }: Mending, section: Resource): boolean {
  const own = within(section);
  if (own?.has('sectionGroup') !== true) return own !== null;
  const left = own.get('sectionGroup');
  if (left === undefined || left === (textAt(section.body, 'sectionGroup') ?? null)) return false;
  list.addUnsupported(section, `its group: ${CHANGED_SINCE}`);
  return true;
}

/** Parts that stand side by side: as they stood, and the ids of those that do now. */
interface Order {
  readonly stood: readonly Resource[];
  readonly now: readonly string[];
  /** Ids of those that this plan puts at the end. */
  readonly entering: ReadonlySet<string>;
  /** Ids in the order in which a snapshot has them. */
  readonly stoodIn: (side: SnapshotReader) => readonly string[];
}

function ordersOf({ planning, site, now }: Sides, out: ReadonlySet<string>): Order[] {
  const { reader, live } = planning;
  const ids = (all: readonly Resource[]): string[] => all.map(({ id }) => id);
  const ofSite =
    (order: (side: SnapshotReader, site: Resource) => Resource[]) =>
    (side: SnapshotReader): string[] => {
      const one = side.one('site', site.key);
      return one === undefined ? [] : ids(order(side, one));
    };
  const groups = reader.resources('site-section-group', site.key);
  const sections = sectionsOf(reader, site);
  const inGroups = [...groups].map((group): Order => {
    const inside = idsAt(group.body['sections']);
    const there = standing(planning, group);
    const nowInside = live.one('site-section-group', `${site.key}/${there ?? ''}`)?.body['sections'];
    const stoodIn = (side: SnapshotReader): string[] => idsAt(side.one(group.kind, group.key)?.body['sections']);
    return {
      stood: sections.filter(({ id }) => inside.includes(id)),
      now: idsAt(nowInside),
      entering: NOBODY,
      stoodIn,
    };
  });
  const places = [undefined, ...sections].map((section): Order => {
    const there = section && standing(planning, section);
    const isLost = section !== undefined && there === undefined;
    const stood = spacesIn(reader, site, section?.id);
    const stoodIn = ofSite((side, one) => spacesIn(side, one, section?.id));
    return { stood, now: isLost ? [] : ids(spacesIn(live, now, there)), entering: NOBODY, stoodIn };
  });
  const stoodIn = ofSite(rootOrder);
  const root = { stood: rootOrder(reader, site), now: ids(rootOrder(live, now)), entering: out, stoodIn };
  return [...inGroups, root, ...places];
}

/** Each is moved to the end in turn, from the first on that stands wrong: what somebody put there stays before them. */
function addTurn(planning: Mending, { stood, now, entering, stoodIn }: Order, choices: Choices): void {
  const { list } = planning;
  const coming = stood.filter((part) => !isEmptyGroup(planning, part) && comes(planning, part));
  const kept = coming.filter((part) => now.includes(standing(planning, part) ?? '') && !entering.has(part.id));
  const order = now.filter((id) => kept.some((part) => standing(planning, part) === id));
  const siblings = { kinds: [...PARTS], now: order, stood: stoodIn };
  const told = leavesOrder(planning, siblings, kept) ? amongStanding(planning, coming, order) : coming;
  const wrong = choices.changed
    ? told.filter((part) => kept.includes(part)).find((part, i) => standing(planning, part) !== order[i])
    : undefined;
  const hasGroup = told.some(({ kind }) => kind === 'site-section-group');
  const isLast = (part: Resource): boolean => entering.has(part.id) || isMadeAtEnd(planning, part, hasGroup);
  const anew = told.slice(0, -1).find(isLast);
  const refilled = told.find((part) => isRefilled(planning, part));
  const firsts = [wrong, anew, refilled].filter((part) => part !== undefined).map((part) => told.indexOf(part));
  if (firsts.length === 0) return;
  let before: number | undefined;
  for (const part of told.slice(Math.min(...firsts, ...unseen(planning, told)))) {
    const needs = [list.creatorOf(part.kind, part.key), before];
    before = list.add({ part: 'order', of: part, note: 'back where it stood in the order', needs });
  }
}

/** What stands, in the order in which it does; each of the others behind what it stood behind. */
function amongStanding(planning: Mending, stood: readonly Resource[], now: readonly string[]): Resource[] {
  const placeOf = (part: Resource): number => now.indexOf(standing(planning, part) ?? '');
  const row = stood.filter((part) => placeOf(part) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b));
  for (const [i, part] of stood.entries()) {
    if (placeOf(part) >= 0) continue;
    const before = stood[i - 1];
    row.splice(before === undefined ? 0 : row.indexOf(before) + 1, 0, part);
  }
  return row;
}

/** True for a group without sections: no listing shows it, so it has no place in an order. */
function isEmptyGroup({ reader }: Mending, { kind, key }: Resource): boolean {
  return kind === 'site-section-group' && idsAt(reader.one(kind, key)?.body['sections']).length === 0;
}

/** What stands, is made, or is shown again once its space is out of the bin. */
function comes(planning: Mending, part: Resource): boolean {
  if (standing(planning, part) !== undefined) return true;
  return planning.list.creatorOf(part.kind, part.key) !== undefined || isOutOfBin(planning, part);
}

function isOutOfBin({ list }: Mending, { kind, body }: Resource): boolean {
  const space = kind === 'site-space' ? idsAt([body['space']])[0] : undefined;
  return list.steps.some(({ part, key }) => part === 'undelete' && key === space);
}

/** True for a part that the plan makes at the end of its siblings. A section is made in front of its later siblings, unless one of them is a group. */
function isMadeAtEnd({ list }: Mending, { kind, key }: Resource, hasGroup: boolean): boolean {
  return (kind !== 'site-section' || hasGroup) && list.creatorOf(kind, key) !== undefined;
}

/** True for a group into which sections go back, and that has none now: no listing shows where it stands. */
function isRefilled({ list, reader, live }: Mending, { kind, key }: Resource): boolean {
  if (kind !== 'site-section-group' || idsAt(live.one(kind, key)?.body['sections']).length > 0) return false;
  const inside = new Set(idsAt(reader.one(kind, key)?.body['sections']).map((id) => `${keyAbove(key)}/${id}`));
  return list.steps.some((step) => step.kind === 'site-section' && step.part === 'state' && inside.has(step.key));
}

/** Places of parts that come out of the bin with their spaces: where these stand now cannot be seen. */
function unseen(planning: Mending, told: readonly Resource[]): number[] {
  return told.flatMap((part, i) => (standing(planning, part) === undefined && isOutOfBin(planning, part) ? [i] : []));
}
