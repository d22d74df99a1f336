// Sites: what they show, in which order, under which paths, and who gets in.
import { count } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { keyAbove, idAt, idsAt, inOrder, textAt, titleOf } from '../resource.ts';
import { defaultAmong, rootOrder, sectionsOf, spacesIn } from '../special/site-order.ts';
import { proxyOf } from '../special/site-proxy.ts';
import { AWAY, isAway } from '../in-place/transfers.ts';
import { standing, type Planning } from './step-list.ts';

export function addSites(planning: Planning): void {
  const { reader, selection } = planning;
  const sites = inOrder(reader.resources('site', selection.organization));
  for (const site of sites) if (selection.has('site', site.key)) addSite(planning, site);
}

function addSite(planning: Planning, site: Resource): void {
  const { reader, list } = planning;
  const root = placesIn(planning, site, undefined);
  const shown = root.length === 0 ? 'empty' : `with ${count(root.length, 'space')}`;
  const created = list.add({ part: 'create', of: site, note: shown, requests: root.length === 0 ? 1 : 2 });
  addPlaceSettings(planning, root, created);
  const sections = sectionsOf(reader, site);
  for (const section of sections) addSection(planning, { site, section, created });
  for (const group of inOrder(reader.resources('site-section-group', site.key))) addGroup(planning, group, created);
  addOrder(planning, site);
  addSchema(planning, site, created);
  addSiteSettings(planning, site, created);
  const coming = sections.filter((section) => comes(planning, section));
  addDefault(planning, { of: site, among: sections.length > 0 ? coming : root, holder: created });
  for (const link of inOrder(reader.resources('share-link', site.key))) addShareLink(planning, link, created);
}

/** Parts that are gone from sites that stand. */
export function addMissingSiteParts(planning: Planning, missing: readonly Resource[]): void {
  const { list, reader } = planning;
  const of = (kind: KindName): Resource[] => inOrder(missing.filter((one) => one.kind === kind));
  for (const section of of('site-section')) {
    const site = reader.one('site', keyAbove(section.key));
    if (!site) continue;
    addSection(planning, { site, section, created: undefined });
    addIntoGroup(planning, section);
  }
  for (const place of of('site-space')) {
    if (list.steps.some(({ kind, key }) => kind === 'site-space' && key === place.key)) continue;
    if (isAway(planning, idAt(place.body['space']) ?? '')) {
      list.addUnsupported(place, AWAY);
      continue;
    }
    list.add({ part: 'create', of: place, needs: [creatorOfSpace(planning, place)] });
    addPlaceSettings(planning, [place], undefined);
  }
  for (const group of of('site-section-group')) addGroup(planning, group, undefined);
  for (const link of of('share-link')) addShareLink(planning, link, undefined);
  for (const schema of of('site-adaptive-schema')) list.add({ part: 'settings', of: schema });
  for (const key of new Set(missing.map((part) => keyAbove(part.key)))) addDefaultOfHeir(planning, key);
}

/** A site that an earlier restore made anew is compared with nothing: what it opens with is set where that comes only now. */
function addDefaultOfHeir({ list, reader, live }: Planning, key: string): void {
  const site = live?.one('site', key) === undefined ? reader.one('site', key) : undefined;
  if (site === undefined) return;
  const sections = sectionsOf(reader, site);
  const first = defaultAmong(sections.length > 0 ? sections : spacesIn(reader, site, undefined));
  const made = first && list.creatorOf(first.kind, first.key);
  if (first === undefined || made === undefined) return;
  const note = `opens with ${titleOf(first)}, once that is there`;
  list.add({ part: 'defaults', of: site, note, needs: [made] });
}

interface SectionPlace {
  readonly site: Resource;
  readonly section: Resource;
  /** The step that makes the site; undefined when the site stands. */
  readonly created: number | undefined;
}

/** A section is made with its first space; the others follow. */
function addSection(planning: Planning, { site, section, created }: SectionPlace): void {
  const { list } = planning;
  const places = placesIn(planning, site, section.id);
  const [first, ...others] = places;
  if (!first) return list.addUnsupported(section, 'it shows no space, and is made with one');
  const made = list.add({ part: 'create', of: section, needs: [created, creatorOfSpace(planning, first)] });
  for (const place of others) list.add({ part: 'create', of: place, needs: [made, creatorOfSpace(planning, place)] });
  const note = 'title, path, icon, description, condition';
  list.add({ part: 'settings', of: section, note, needs: [made] });
  addDefault(planning, { of: section, among: places, holder: made });
  addPlaceSettings(planning, places, made);
}

/** A group that is made takes its sections in by itself; one that stands takes in what was made anew. */
function addIntoGroup(planning: Planning, section: Resource): void {
  const { list, reader } = planning;
  const made = list.creatorOf('site-section', section.key);
  const key = `${keyAbove(section.key)}/${textAt(section.body, 'sectionGroup') ?? ''}`;
  const group = reader.one('site-section-group', key);
  if (made === undefined || !group || standing(planning, group) === undefined) return;
  const note = `into group ${titleOf(group)}`;
  list.add({ part: 'state', of: section, note, needs: [made], requests: 2 });
}

/** Places whose spaces come back; the others are said to be left out. */
export function placesIn(planning: Planning, site: Resource, section: string | undefined): Resource[] {
  const { list, reader, selection } = planning;
  return spacesIn(reader, site, section).filter((place) => {
    const space = idAt(place.body['space']) ?? '';
    const stands = standing(planning, { kind: 'space', key: space }) !== undefined;
    const comes = stands || list.creatorOf('space', space) !== undefined || selection.has('space', space);
    if (!comes) list.addUnsupported(place, 'its space is not in the snapshot');
    else if (isAway(planning, space)) list.addUnsupported(place, AWAY);
    else return true;
    return false;
  });
}

export function creatorOfSpace({ list }: Planning, place: Resource): number | undefined {
  return list.creatorOf('space', idAt(place.body['space']) ?? '');
}

interface Default {
  readonly of: Resource;
  /** What it can open with. */
  readonly among: readonly Resource[];
  readonly holder: number;
}

/** Soft edge: what a site or section opens with, once that is there. The only one there is needs no choice. */
function addDefault({ list }: Planning, { of, among, holder }: Default): void {
  const first = defaultAmong(among);
  if (!first || among.length < 2) return;
  const needs = [holder, list.creatorOf(first.kind, first.key)];
  list.add({ part: 'defaults', of, note: `opens with ${titleOf(first)}, once that is there`, needs });
}

export function addPlaceSettings({ list }: Planning, places: readonly Resource[], holder: number | undefined): void {
  for (const place of places) {
    const needs = [list.creatorOf('site-space', place.key) ?? holder];
    list.add({ part: 'settings', of: place, note: 'path and condition', needs });
  }
}

/** True for a section that stands, itself or made anew by then, or is made: one whose spaces are gone is given up. */
function comes(planning: Planning, { key }: Pick<Resource, 'key'>): boolean {
  const section = { kind: 'site-section', key } as const;
  return planning.list.creatorOf(section.kind, key) !== undefined || standing(planning, section) !== undefined;
}

function addGroup(planning: Planning, group: Resource, created: number | undefined): void {
  const { list } = planning;
  const site = keyAbove(group.key);
  const all = idsAt(group.body['sections']).map((id) => ({ key: `${site}/${id}` }));
  const inside = all.filter((section) => comes(planning, section));
  const lost = all.length - inside.length;
  list.add({
    part: 'create',
    of: group,
    note: `with ${count(inside.length, 'section')}${lost > 0 ? `, without ${lost} that cannot come back` : ''}`,
    needs: [created, ...inside.map(({ key }) => list.creatorOf('site-section', key))],
  });
}

/** Sections stand first and groups after them, as they were made; where they stood otherwise, each is moved to the end in turn. */
function addOrder({ list, reader }: Planning, site: Resource): void {
  const wanted = rootOrder(reader, site).filter((one) => list.creatorOf(one.kind, one.key) !== undefined);
  const firstGroup = wanted.findIndex(({ kind }) => kind === 'site-section-group');
  const inOrderAlready = firstGroup < 0 || wanted.slice(firstGroup).every(({ kind }) => kind !== 'site-section');
  if (inOrderAlready) return;
  let before: number | undefined;
  for (const one of wanted) {
    const needs = [list.creatorOf(one.kind, one.key), before];
    before = list.add({ part: 'order', of: one, note: 'back where it stood in the order', needs });
  }
}

function addSchema({ list, reader }: Planning, site: Resource, created: number): void {
  const schema = reader.one('site-adaptive-schema', site.key);
  if (schema) list.add({ part: 'settings', of: schema, needs: [created] });
}

function addSiteSettings({ list }: Planning, site: Resource, created: number): void {
  if (proxyOf(site.body) !== undefined || (site.body['adaptiveContent'] ?? null) !== null) {
    const note = 'proxy and adaptive content';
    list.add({ part: 'settings', of: site, note, needs: [created] });
  }
  if ((textAt(site.body, 'basename') ?? '') !== '')
    list.add({ part: 'name', of: site, note: 'base name, if no other site has it', needs: [created] });
}

function addShareLink({ list }: Planning, link: Resource, created: number | undefined): void {
  const made = list.add({
    part: 'create',
    of: link,
    note: 'with a new key: the old one is a secret',
    needs: [created],
  });
  if (link.body['active'] === false) list.add({ part: 'state', of: link, note: 'switched off', needs: [made] });
}
