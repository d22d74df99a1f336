// Links of what a plan brings into what earlier restores have brought to the same platform: they lead there, not to the originals.
import { count, groupBy, inTurns, type Pieces } from '../../base/index.ts';
import { isComment } from '../../contract/index.ts';
import { AppAddresses } from '../../export/index.ts';
import {
  listRestores,
  PAGES_AT_ONCE,
  stepsOf,
  undoesOf,
  type Mirror,
  type SnapshotReader,
} from '../../mirror/index.ts';
import { lineageOf, madeBy, type Lineage } from '../journal/lineage.ts';
import { commentText, firstOf, keyAbove } from '../resource.ts';
import type { Plan, PreflightCheck } from '../types.ts';
import { AddressLinks } from './address-links.ts';
import { leadingOn, linksElsewhere, linksLeftOut, namesOf, spacesMade } from './links-elsewhere.ts';
import { linkedElsewhere } from './links.ts';
import { pagesById } from '../special/page-places.ts';
import { spacesIn, standingCopy, type CopyPlace } from './standing-copy.ts';

type Linked = NonNullable<Plan['linked']>;

interface Planned extends Pick<Plan, 'steps' | 'only' | 'origin' | 'organization'> {
  readonly reader: SnapshotReader;
}

/** New ids of the spaces and pages that the texts of a plan link to, as far as earlier restores have brought them there and they stand. */
export async function linkedThere(
  place: CopyPlace,
  planned: Planned,
  { brought, lineage }: BroughtBefore,
): Promise<Linked> {
  const linked = { space: {} as Record<string, string>, page: {} as Record<string, string> };
  if (brought.size === 0) return linked;
  const latest = (kind: string, key: string): string[] =>
    (brought.get(lineage.nameOf({ kind, key })) ?? []).toReversed();
  for (const [space, pages] of await inTurns(linkedBy(planned), place.signal)) {
    const copy = await standingCopy(place, planned, { space, copies: latest('space', space) });
    if (copy === undefined) continue;
    const there = pagesById(copy.pages);
    linked.space[space] = copy.id;
    for (const page of pages) {
      const key = `${space}/${page}`;
      const now = latest('page', key).find((one) => there.has(one));
      if (now !== undefined) linked.page[key] = now;
    }
  }
  return linked;
}

interface Found {
  readonly linked: Linked;
  readonly before: BroughtBefore;
}

type Copied = Pick<CopyPlace, 'target' | 'url'>;

/** What becomes of links that lead out of what a plan brings, or into it. */
export function* linksTold(place: Copied, planned: Planned, found: Found): Pieces<PreflightCheck[]> {
  const { reader, steps } = planned;
  return [
    ...(yield* linksElsewhere(reader, { steps, linked: found.linked, leading: leadingOn(place.url, planned) })),
    ...(yield* linksBetween(place, planned, found)),
    ...(yield* linksLeftOut(reader, planned)),
  ];
}

/** What becomes of the links between a plan and what earlier restores have brought: those of the plan alone are turned. */
function* linksBetween(
  place: Copied,
  { reader, steps, origin }: Planned,
  { linked, before }: Found,
): Pieces<PreflightCheck[]> {
  const turned = linksTurned(place, reader, linked);
  const own = spacesMade(steps);
  const from = new Set<string>();
  const addresses = new AppAddresses(reader);
  let pages = 0;
  let looked = 0;
  for (const space of spacesThere(place, reader, before)) {
    if (own.has(space)) continue;
    const links = new AddressLinks(addresses, space);
    for (const { text } of reader.resources('page', space)) {
      if (++looked % PAGES_AT_ONCE === 0) yield;
      if (!linkedElsewhere(links.byId(text ?? ''), space).some((one) => own.has(one.space))) continue;
      from.add(space);
      pages += 1;
    }
  }
  if (pages === 0) return turned;
  const verb = pages === 1 ? 'links' : 'link';
  const detail = `${count(pages, 'page')} of ${namesOf(reader, from)}, which an earlier restore has brought here, ${verb} into what this plan brings: ${leadingOn(place.url, { origin })}; only one plan of both turns them`;
  return [...turned, { check: 'links from what is there', state: 'warn', detail }];
}

/** Where the links lead now: into the organization that the plan goes into, or into another one of the platform. */
function linksTurned({ target }: Pick<CopyPlace, 'target'>, reader: SnapshotReader, linked: Linked): PreflightCheck[] {
  const there = spacesIn(target);
  const into = Object.entries(linked['space'] ?? {});
  return [true, false].flatMap((isHere): PreflightCheck[] => {
    const spaces = into.filter(([, id]) => there.has(id) === isHere).map(([space]) => space);
    if (spaces.length === 0) return [];
    const where = isHere ? 'here' : 'elsewhere on this platform';
    const detail = `links into ${namesOf(reader, new Set(spaces))} lead to what an earlier restore has brought ${where}`;
    return [{ check: 'links to what is there', state: 'ok', detail }];
  });
}

/** Spaces of the snapshot that earlier restores have brought to the target, where they still stand. */
function* spacesThere(
  { target }: Pick<CopyPlace, 'target'>,
  reader: SnapshotReader,
  { brought, lineage }: BroughtBefore,
): IterableIterator<string> {
  if (brought.size === 0) return;
  const there = spacesIn(target);
  for (const { key } of reader.resources('space'))
    if ((brought.get(lineage.nameOf({ kind: 'space', key })) ?? []).some((id) => there.has(id))) yield key;
}

/** What earlier restores of a mirror have brought to one platform. */
interface BroughtBefore {
  /** New ids, the latest last, by kind and the key of the first of its line. */
  readonly brought: ReadonlyMap<string, readonly string[]>;
  readonly lineage: Lineage;
}

/** Reads what every restore has noted. An undo brings nothing of its own. */
export function broughtTo({ mirror, url }: { readonly mirror: Mirror; readonly url: string }): BroughtBefore {
  const restores = listRestores(mirror);
  const into = restores.filter((one) => one.target === url && undoesOf(one) === null);
  const lineage = lineageOf(mirror, into.length === 0 ? [] : restores);
  const made = into.flatMap(({ id }) => stepsOf(mirror, id).flatMap(madeBy));
  const linked = made.filter(({ kind }) => kind === 'space' || kind === 'page');
  const brought = groupBy(linked, (one) => lineage.nameOf(one));
  return { brought: new Map([...brought].map(([name, all]) => [name, all.map(({ id }) => id)])), lineage };
}

/** Spaces that the texts of a plan link into and that it does not make, with the pages in them. */
function* linkedBy(planned: Planned): Pieces<Map<string, Set<string>>> {
  const own = spacesMade(planned.steps);
  const linked = new Map<string, Set<string>>();
  let looked = 0;
  for (const { text, within } of textsOf(planned)) {
    if (++looked % PAGES_AT_ONCE === 0) yield;
    for (const { space, page } of linkedElsewhere(text, within)) {
      if (own.has(space)) continue;
      const pages = linked.get(space) ?? new Set();
      linked.set(space, page === undefined ? pages : pages.add(page));
    }
  }
  return linked;
}

interface Text {
  readonly text: string;
  /** The space that it stands in. */
  readonly within: string;
}

/** Addresses of the app in them are told as links by id. */
function* textsOf(planned: Planned): IterableIterator<Text> {
  const addresses = new AppAddresses(planned.reader);
  for (const { text, within } of writtenTexts(planned))
    yield { text: new AddressLinks(addresses, within).byId(text), within };
}

function* writtenTexts({ reader, steps, only }: Planned): IterableIterator<Text> {
  const asked = only.page && new Set(only.page);
  for (const { kind, part, key } of steps) {
    if (part === 'content' && kind === 'revision')
      for (const page of reader.resources('page', key))
        if (asked?.has(page.key) !== false) yield { text: page.text ?? '', within: key };
    if (part === 'content' && kind === 'change-request-revision')
      for (const { text } of reader.resources('change-request-page', key))
        yield { text: text ?? '', within: keyAbove(key) };
    if (part === 'create' && isComment(kind)) {
      yield { text: commentText(reader.one(kind, key)?.body ?? {}) ?? '', within: firstOf(key) };
    }
  }
}
