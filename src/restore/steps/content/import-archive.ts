// One import: the archive of what is to go in is built, offered once, fetched by the platform, and what it made is mapped.
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addressById } from '../../../base/index.ts';
import type { ImportResult, Page, Revision } from '../../../contract/index.ts';
import {
  spaceLayout,
  zipLayout,
  type Leading,
  type LinkResolver,
  type SpaceLayout,
  type StableLink,
} from '../../../export/index.ts';
import type { Outlined } from '../../../mirror/index.ts';
import { chosenContent, pagesAsked } from '../../selection/chosen-content.ts';
import { kindsOf, type ContentSource } from '../../content/import-parts.ts';
import type { Content, ContentOffer } from '../../content/content-place.ts';
import { idsWithin } from '../../journal/id-map.ts';
import { countedLine } from '../../journal/open-lacks.ts';
import { AddressLinks, isOutside } from '../../links/address-links.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { addressNow } from '../../links/shown-at.ts';
import { foundByTitle } from '../../special/by-title.ts';
import { textAt } from '../../resource.ts';
import { isLink, PagesToFind } from '../../special/page-places.ts';
import { sharedAddresses } from '../../special/shared-addresses.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { isRequest, type ContentPath } from '../../target/content-there.ts';

/** All of a source, or the pages and files of one part of it. */
export function layoutOf(context: ApplyContext, source: ContentSource, part?: PartContent): SpaceLayout {
  const links = linksOut(context, source);
  // In a change request pages may have swapped names since: only a link from file to file leads to the page that it proposes.
  const namesOwnSpace = source.changeRequest === undefined;
  const { leads: _leads, ...content } = source;
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  const follow = (page: Leading): string | null => linkPages.follow(page);
  const others = new AddressLinks(context.addresses, source.space, (link) => leadOutside(context, source, link));
  const whole = { reader: context.reader, ...content, links, namesOwnSpace, follow, others };
  const asked = pagesAsked(context.plan, source);
  const chosen = part ?? (asked && chosenContent(context.reader, source.space, asked));
  if (chosen === undefined) return spaceLayout(whole);
  const { pages, files } = chosen;
  return spaceLayout({ ...whole, only: ({ id }) => pages.has(id), onlyFiles: ({ id }) => files.has(id) });
}

/** Where an address leads in an import: what it leads to in other spaces may be made later, so at first it stays unless that is shown. */
function leadOutside({ ids, shown }: ApplyContext, source: ContentSource, link: StableLink): string | null | undefined {
  if (!isOutside(link)) return undefined;
  const own = source.space;
  return addressNow(link, { ids, own, shown }) ?? (source.leads === undefined ? null : undefined);
}

export interface PartContent {
  readonly pages: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

interface ImportJob {
  readonly layout: SpaceLayout;
  readonly into: ContentPath;
}

/** Larger archives go through a file. */
const MOST_HELD = 4 * 1024 * 1024;

const TAKEN_WITHIN_MS = 60_000;
const LOOK_MS = 200;

/** An archive that is ready to be offered; disposing removes its file, if it has one. */
export interface BuiltArchive extends AsyncDisposable {
  readonly layout: SpaceLayout;
  readonly content: Content;
}

export async function buildArchive(context: ApplyContext, step: PlanStep, layout: SpaceLayout): Promise<BuiltArchive> {
  const path = join(context.folder, `step-${step.step}.zip`);
  const target = { path, packed: !context.isNear, hold: MOST_HELD };
  const { held } = await zipLayout(layout, context.archive.objects, target);
  return {
    layout,
    content: held ?? path,
    [Symbol.asyncDispose]: () => (held === null ? rm(path, { force: true }) : Promise.resolve()),
  };
}

/** Builds the archive and lets the platform import it. */
export async function importArchive(
  context: ApplyContext,
  step: PlanStep,
  { layout, into }: ImportJob,
): Promise<ImportResult> {
  await using archive = await buildArchive(context, step, layout);
  return await offerArchive(context, archive, into);
}

/** Lets the platform import what was built. */
export async function offerArchive(
  context: ApplyContext,
  { content }: BuiltArchive,
  into: ContentPath,
): Promise<ImportResult> {
  await using offer = await context.server.offer(content);
  const result: Partial<ImportResult> = await sendImport(context, offer.url, into);
  if (result.importedResources === undefined) await untilTaken(context, offer);
  return result as ImportResult;
}

/** A platform may answer before it has fetched anything (202): what it is to import is held out to it for a while. */
async function untilTaken({ clock, signal }: ApplyContext, offer: ContentOffer): Promise<void> {
  for (let left = TAKEN_WITHIN_MS; left > 0 && !offer.isTaken(); left -= LOOK_MS) await clock.sleep(LOOK_MS, signal);
}

function sendImport({ client }: ApplyContext, url: string, path: ContentPath): Promise<ImportResult> {
  const body = { url, source: 'zip' as const };
  const options = { mayLack: true };
  return isRequest(path)
    ? client.call('importChangeRequestContent', { path, body }, options)
    : client.call('importContent', { path, body }, options);
}

/** Links that lead out of the space, to what was restored elsewhere; those that are not known yet stay. */
export function linksOut(
  context: Pick<ApplyContext, 'ids'>,
  source: Pick<ContentSource, 'space' | 'changeRequest'>,
): LinkResolver {
  const ids = idsWithin(context.ids, source);
  const address = (to: 'page' | 'file', id: string, space: string | null): string | null => {
    const made = space === null ? undefined : ids.byId('space', space);
    // What was brought back into a space that stands has another id, and the space has not. A page of the same id in a space that was
    // made is another one.
    const isStanding = space !== null && space !== source.space && made === undefined;
    const now = isStanding ? context.ids.get(to, `${space}/${id}`) : ids.byId(to, id, space);
    return now === undefined || (isStanding && now === id) ? null : addressById({ to, space: made ?? space, id: now });
  };
  return {
    // Without a space, within this one: in another part of the same content.
    page: (space, page) => address('page', page, space),
    file: (file, _from, space) => address('file', file, space ?? null),
    space: (space) => {
      const made = ids.byId('space', space);
      return made === undefined ? null : addressById({ to: 'space', space: made, id: made });
    },
  };
}

/** What may be missing of an import. */
export function problemOf({
  importedResources: imported,
  totalResources: of,
}: Partial<ImportResult>): Pick<StepOutcome, 'problem' | 'isLacking'> {
  if (imported === undefined || of === undefined)
    return { problem: 'the platform did not say how many of the resources it imported' };
  return imported >= of ? {} : { problem: countedLine({ imported, of }), isLacking: true };
}

/** The same of a content of which a later import may bring what is missing. */
export function countedOf({
  importedResources: imported,
  totalResources: of,
}: Partial<ImportResult>): Pick<StepOutcome, 'problem' | 'open'> {
  return imported === undefined || of === undefined ? problemOf({}) : { open: { imported: { imported, of } } };
}

/** What the platform says of several imports together; nothing of what it did not say of each. */
export function sumOf(results: readonly Partial<ImportResult>[]): Partial<ImportResult> {
  const sum = (key: 'importedResources' | 'totalResources'): Partial<ImportResult> => {
    const counts = results.flatMap((one) => one[key] ?? []);
    return counts.length < results.length ? {} : { [key]: counts.reduce((all, count) => all + count, 0) };
  };
  return { ...sum('importedResources'), ...sum('totalResources') };
}

interface Mapping {
  readonly source: ContentSource;
  readonly made: Revision;
  /** Of the whole source, where it is known already. */
  readonly layout?: SpaceLayout | undefined;
}

/** Original pages and files to the new ones, by a path of their own, else by title, and by name. */
export function mapContent(context: ApplyContext, { source, made, layout }: Mapping): NonNullable<StepOutcome['map']> {
  let names = layout;
  const {
    pages: [pageKind, within],
    files: [fileKind],
  } = kindsOf(source);
  const found = new PagesToFind(made.pages);
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  const filesByName = new Map(made.files.map((file) => [file.name, file.id]));
  const pages: Record<string, string> = {};
  const files: Record<string, string> = {};
  const originals = [...context.reader.outline(pageKind, within)].filter(({ holds }) => holds);
  const shared = sharedAddresses(originals);
  // What holds a link is found before it: of links that are alike, the place tells which is which.
  for (const page of linksLast(originals)) {
    if (shared.has(textAt(page.body, 'path') ?? '')) continue;
    const above = page.parent === null ? null : pages[`${within}/${page.parent}`];
    const id = linkPages.isLate(page)
      ? found.takeLink((one) => linkPages.isAsWritten(page, one), above)
      : found.take(page.body as unknown as Page, above);
    if (id !== undefined) pages[page.key] = id;
  }
  Object.assign(pages, foundByTitle({ originals, made: made.pages, known: pages }));
  for (const file of context.reader.resources(fileKind, within)) {
    names ??= layoutOf(context, source);
    const path = names.filePath(file.id);
    const id = path === undefined ? undefined : filesByName.get(basename(path));
    if (id !== undefined) files[file.key] = id;
  }
  return { [pageKind]: pages, [fileKind]: files };
}

/** Pages with a place of their own, then links, those of one page in their order. */
function linksLast(pages: readonly Outlined[]): Outlined[] {
  const links = pages.filter(isLink).toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  return [...pages.filter((page) => !isLink(page)), ...links];
}
