// The addresses of pages once all edits of a mend are in: a platform numbers those that meet on the way, and leaves them numbered.
import { sha256 } from '../../../base/index.ts';
import type { Page } from '../../../contract/index.ts';
import { addressSaid } from '../../in-place/held-addresses.ts';
import { flatten } from '../../special/page-places.ts';
import { textAt } from '../../resource.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import type { ContentChange } from '../../target/own-request.ts';

/** Names that pages are to have, by id: those that are mended as the snapshot has them, all others as they stood. */
export function namesMeant({ live, reader, ids }: ApplyContext, { key, pages }: PlanStep): Map<string, string> {
  const names = new Map<string, string>();
  for (const { id, holds, body } of live?.outline('page', key) ?? []) if (holds) note(names, id, body);
  for (const mend of pages?.changed ?? []) {
    const { id, of = id, why } = mend;
    const said = addressSaid(mend);
    if (said !== undefined) names.set(id, said);
    else if (of !== id || why.includes('slug')) note(names, id, reader.one('page', `${key}/${of}`)?.body);
  }
  for (const { id, importedAs, fields = [] } of pages?.missing ?? []) {
    const now = ids.byId('page', id);
    const keepsOther = importedAs !== undefined && fields.length === 0;
    if (now !== undefined && !keepsOther) note(names, now, reader.one('page', `${key}/${id}`)?.body);
  }
  return names;
}

function note(names: Map<string, string>, id: string, body: Readonly<Record<string, unknown>> | undefined): void {
  const name = body?.['type'] === 'link' ? undefined : textAt(body, 'slug');
  if (name !== undefined) names.set(id, name);
}

/** True for a page that has another name by now than it is to have. */
export function isMisnamed({ id, slug, type }: Page, meant: ReadonlyMap<string, string>): boolean {
  return type !== 'link' && meant.has(id) && meant.get(id) !== slug;
}

/** Gives each page its name again that has another one by now, where no other page keeps it. */
export function nameChanges(pages: readonly Page[], meant: ReadonlyMap<string, string>): ContentChange[] {
  const isOff = (page: Page): boolean => isMisnamed(page, meant);
  const held = new Set(pages.filter((page) => page.type !== 'link' && !isOff(page)).map(({ slug }) => slug));
  const off = pages.filter((page) => isOff(page) && !held.has(meant.get(page.id)));
  const here: ContentChange[] =
    off.length === 0 ? [] : [...pages.filter(isLink).map(awayFrom), ...off.map(rename(meant))];
  return [...here, ...pages.flatMap((page) => nameChanges(page.pages ?? [], meant))];
}

function isLink({ type }: Page): boolean {
  return type === 'link';
}

/** The address of a link is one that nobody sees, and takes that of a page all the same. */
function awayFrom({ id }: Page): ContentChange {
  return { type: 'update_page', page: id, slug: `link-${sha256(id).slice(0, 8)}` };
}

function rename(meant: ReadonlyMap<string, string>): (page: Page) => ContentChange {
  return ({ id, slug = '' }) => ({ type: 'update_page', page: id, slug: meant.get(id) ?? slug });
}

/** What people are told of mended pages that have another address than they should. */
export function misnamed(
  { pages }: PlanStep,
  made: readonly Page[],
  { meant, newId }: { readonly meant: ReadonlyMap<string, string>; readonly newId: (id: string) => string },
): string[] {
  const { missing = [], changed = [] } = pages ?? {};
  const mended = new Set([...missing.map(({ id }) => newId(id)), ...changed.map(({ id }) => id)]);
  return flatten(made)
    .filter((page) => mended.has(page.id) && isMisnamed(page, meant))
    .map(
      ({ id, title, slug = '' }) => `page ${title} has the address ${slug}: another page has ${meant.get(id) ?? ''}`,
    );
}
