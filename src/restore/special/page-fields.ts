// Fields of pages that restores write and compare.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { PAGE_FLAGS, PAGE_TEXTS } from '../../contract/index.ts';
import { isTextUnread, type Resource } from '../../mirror/index.ts';
import { textAt, type Body } from '../resource.ts';
import { oneLine } from '../../export/index.ts';

/** Of groups and links an import reads title, place and address alone: they stand in the table of contents, without front matter. */
export const NOT_IMPORTED = [...PAGE_TEXTS, ...PAGE_FLAGS] as const;

/** True for a page that no file of an import is. */
export function isFileless({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === 'group' || type === 'link';
}

/** What such a page has of these: nothing of an import tells it. */
export function beyondImport(body: Readonly<Record<string, unknown>>): string[] {
  if (!isFileless(body)) return [];
  return NOT_IMPORTED.filter((field) => ![undefined, null, '', false].some((nothing) => body[field] === nothing));
}

/** What the operation that edits pages sets. */
export const PAGE_FIELDS = ['title', 'slug', ...PAGE_TEXTS, ...PAGE_FLAGS] as const;

const FLAGS: ReadonlySet<string> = new Set(PAGE_FLAGS);

/** One of them as that operation is told it: an empty text takes an emoji, an icon or a description away. */
export function fieldAsSet(body: Body, field: string): string | boolean {
  return FLAGS.has(field) ? body[field] === true : (textAt(body, field) ?? '');
}

/** True for a page below a computed one that is another part of the same source: it is no entry of the table of contents by itself. */
export function isPartOfComputed(
  page: Readonly<Record<string, unknown>>,
  above: Readonly<Record<string, unknown>>,
): boolean {
  const [part, whole] = [page['computed'], above['computed']];
  if (!isRecord(part) || !isRecord(whole)) return false;
  const isSame = (field: string): boolean => canonicalJson(part[field] ?? null) === canonicalJson(whole[field] ?? null);
  return isSame('type') && isSame('dependencies') && !isSame('props');
}

/** True for a text that is the title of its page alone: so a platform shows a page that has held something before. */
export function isTitleAlone(text: string, body: Body): boolean {
  return ['', `# ${textAt(body, 'title') ?? ''}`.trim()].includes(text.trim());
}

/** True for a page that is known to hold nothing: of one that never did, a platform shows no text. */
export function holdsNothing(page: Pick<Resource, 'kind' | 'text' | 'body'>): boolean {
  const { kind, text, body } = page;
  if (kind !== 'page' || body['computed'] !== undefined) return false;
  return text === null ? !isTextUnread(page) : isTitleAlone(text, body);
}

/** True for a title that no import keeps: it is empty, begins or ends with a space, or holds a line break. */
export function isLostTitle(title: string): boolean {
  return title === '' || oneLine(title) !== title;
}

/** Its title as it stands there; what has none has an empty one. */
export function titleIn(body: Body): string {
  return textAt(body, 'title') ?? '';
}
