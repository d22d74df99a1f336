// In a change request, once all that goes is gone from it: a page that came under the slug of one that goes, or gets another, has a number behind it.
import type { Page } from '../../contract/index.ts';
import { flatten } from '../special/page-places.ts';
import { textAt } from '../resource.ts';
import { contentOf, type RequestPath } from '../target/content-there.ts';
import { nameChanges } from '../steps/pages/page-names.ts';
import type { ApplyContext, StepOutcome } from '../types.ts';
import { writeTexts } from './write-texts.ts';

/** Gives pages their slugs where no other page keeps them; says which have another one. */
export async function settleSlugs(
  context: ApplyContext,
  path: RequestPath,
  { map = {} }: StepOutcome,
): Promise<string[]> {
  const meant = new Map<string, string>();
  const links = new Set<string>();
  for (const kind of ['page', 'change-request-page'] as const) {
    for (const [key, id] of Object.entries(map[kind] ?? {})) {
      const body = context.reader.one(kind, key)?.body;
      const slug = textAt(body, 'slug') ?? '';
      if (slug !== '') meant.set(id, slug);
      if (body?.['type'] === 'link') links.add(id);
    }
  }
  const wanted = new Set(meant.values());
  const inTheWay = ({ id, slug = '' }: Page): boolean => links.has(id) && wanted.has(slug);
  const pages = asLinks((await contentOf(context, path)).pages, inTheWay);
  const changes = nameChanges(pages, meant);
  const refused = await writeTexts(context, path, { anew: changes });
  const named = new Set(changes.map((change) => ('page' in change ? change.page : '')));
  const taken = flatten(pages).filter(
    ({ id, slug, type }) => type !== 'link' && !named.has(id) && slug !== (meant.get(id) ?? slug),
  );
  return [...refused, ...taken.map((page) => otherAddress(page, meant.get(page.id) ?? ''))];
}

/** What stands for a link has an address that it was given for its title, and that nobody knows it by: it makes room, as a link does. */
function asLinks(pages: readonly Page[], isOne: (page: Page) => boolean): Page[] {
  return pages.map((page) => ({
    ...page,
    ...(isOne(page) ? { type: 'link' as const } : {}),
    pages: asLinks(page.pages ?? [], isOne),
  }));
}

function otherAddress({ title, slug = '' }: Page, meant: string): string {
  return `page ${title} has the address ${slug}: another page has ${meant}`;
}
