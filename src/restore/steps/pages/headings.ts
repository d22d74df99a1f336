// Whether a platform takes the first heading of a text that is written for the title, or keeps it in the text, the API document leaves open:
// one that keeps it shows the title twice, or a heading that was never there. What it did with the first text tells it of all.
import { withoutTitle } from '../../../export/index.ts';
import { sendByHalves } from '../../inserting/refusals.ts';
import { isLostTitle } from '../../special/page-fields.ts';
import type { ApplyContext } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import { batchesOf, sendChanges, type ContentChange } from '../../target/own-request.ts';

/** What an apply has learned about headings on its target; null while nothing is known. */
export interface Headings {
  habit: Habit | null;
}

/** Kept by a platform whose Markdown begins with titles is another matter than kept by one whose texts have none. */
type Habit = 'taken' | 'kept beside a title' | 'kept alone';

type TextChange = Extract<ContentChange, { type: 'update_page' }> & { readonly document: { markdown: string } };

/** Texts as they are to stand become texts as they are to be sent. */
export function asSent({ habit }: Headings, changes: readonly ContentChange[]): readonly ContentChange[] {
  return changes.map((one) => (isText(one) ? { ...one, document: { markdown: markdownFor(habit, one) } } : one));
}

/** The text of a page that is inserted under a title, as it is to be sent. */
export function markdownSent(
  { habit }: Headings,
  { title, markdown }: { readonly title: string; readonly markdown: string },
): string {
  return markdownFor(habit, { title, document: { markdown } });
}

function markdownFor(
  habit: Habit | null,
  { title, document: { markdown } }: Pick<TextChange, 'title' | 'document'>,
): string {
  // Written for a title alone: its heading is there for a platform that takes it.
  if (title === undefined) return habit === 'kept beside a title' ? markdown.replace(/^# [^\n]*\n*/, '') : markdown;
  if (habit === 'kept alone') return markdown;
  return habit === 'kept beside a title' ? withoutTitle(markdown, title) : headed(markdown, title);
}

/** Where the operation takes the first heading for the title, a heading of the text would be lost without one. */
function headed(markdown: string, title: string): string {
  return isHeaded(markdown) ? markdown : `# ${title}\n\n${markdown}`;
}

function isHeaded(markdown: string): boolean {
  return /^\s*# /.test(markdown);
}

/** How often a text begins with its title. */
export function titlesAbove(text: string, title: string): number {
  const below = withoutTitle(text, title);
  return below === text ? 0 : 1 + titlesAbove(below, title);
}

/** The text with no more titles above it than that. */
export function withTitlesAbove(most: number, text: string, title: string): string {
  return titlesAbove(text, title) > most ? withTitlesAbove(most, withoutTitle(text, title), title) : text;
}

/**
 * Reads one of the texts that were just sent, where nothing is known yet, and writes all of them anew without headings that were kept.
 * Says which of that the target refused, and why.
 */
export async function settleHeadings(
  context: ApplyContext,
  path: RequestPath,
  changes: readonly ContentChange[],
): Promise<string[]> {
  const { headings, client } = context;
  const texts = changes.filter(isText);
  const probe = headings.habit === null ? probeOf(texts) : undefined;
  if (probe?.title === undefined) return [];
  const { page: pageId, title, document } = probe;
  const input = { path: { ...path, pageId }, query: { format: 'markdown' as const } };
  const { markdown: shown = '' } = await client.call('getChangeRequestPage', input);
  const [is, meant] = [titlesAbove(shown, title), titlesAbove(document.markdown, title)];
  const below = (text: string): string => withTitlesAbove(0, text, title).trim();
  // A platform of several machines may still show the text before: that says nothing.
  if (is <= meant && below(shown) !== below(document.markdown)) return [];
  headings.habit = is <= meant ? 'taken' : meant === 0 ? 'kept alone' : 'kept beside a title';
  return headings.habit === 'taken' ? [] : writeAnew(context, path, asSent(headings, texts).filter(isText));
}

async function writeAnew(context: ApplyContext, path: RequestPath, texts: readonly TextChange[]): Promise<string[]> {
  const titles = new Map(texts.map(({ page, title }) => [page, title]));
  const refused: string[] = [];
  const send = async (batch: readonly ContentChange[]): Promise<void> => {
    await sendChanges(context, path, batch);
  };
  const nameOf = (one: ContentChange): string => {
    const page = 'page' in one ? one.page : '';
    return `the edit that takes a heading it never had out of page ${titles.get(page) ?? page}`;
  };
  for (const batch of batchesOf(texts.map(({ type, page, document }) => ({ type, page, document }))))
    refused.push(...(await sendByHalves(batch, { send, nameOf })));
  return refused;
}

/** One that got a heading that its text does not have, if there is any: then the Markdown of the platform has no titles. */
function probeOf(texts: readonly TextChange[]): TextChange | undefined {
  const told = texts.filter(({ title = '' }) => !isLostTitle(title));
  const bare = told.find(({ document: { markdown } }) => markdown.trim() !== '' && !isHeaded(markdown));
  return bare ?? told.find(({ title = '', document: { markdown } }) => titlesAbove(markdown, title) > 0);
}

function isText(change: ContentChange): change is TextChange {
  return change.type === 'update_page' && change.document?.markdown !== undefined;
}
