// One page as a Markdown file: front matter with what is set, the title, the body as the platform gave it.
import { isRecord } from '../../base/index.ts';
import { PAGE_FLAGS, PAGE_TEXTS } from '../../contract/index.ts';
import { isTextUnread, type Resource } from '../../mirror/index.ts';
import type { FieldWriter } from './field-writer.ts';
import { textField } from './fields.ts';
import { oneLine } from './summary.ts';

export interface PageTextOptions {
  readonly page: Pick<Resource, 'body'>;
  /** The page's Markdown as mirrored; null for an empty page, and for one that could not be read, which has the id of a text. */
  readonly markdown: string | null;
  readonly fields: FieldWriter;
  /** Last part of the file's path without `.md`: a slug that reads back from it is not repeated. */
  readonly name: string;
  /** Rewrites the links of a text. */
  readonly rewrite: (text: string) => string;
  /** Address of a file of the space as seen from this page; null when it is not in the layout. */
  readonly fileLink: (file: string) => string | null;
}

// What it says first, and then how it looks.
const TEXTS = PAGE_TEXTS.toReversed();

/** A title that loses signs where an import reads its heading as Markdown: the front matter says it as it is. */
const MARKED = /[\\`*_[\]<~]|&#?\w+;| #+$/;

/** Says of a file that it has no text because the mirror has none. */
const UNREAD = 'unread';

/** The whole file. The title stands in it once, as the first heading. */
export function pageText(options: PageTextOptions): string {
  const { page, markdown, rewrite } = options;
  const title = oneLine(textField(page.body, 'title'));
  const body = rewrite(withoutTitle(markdown ?? '', textField(page.body, 'title')));
  const heading = title === '' ? '' : `# ${title}\n${body === '' ? '' : '\n'}`;
  return frontMatter(options, title) + heading + body;
}

function frontMatter({ page, markdown, name, fields, fileLink }: PageTextOptions, title: string): string {
  const { body } = page;
  const values: Record<string, unknown> = {};
  // Without a heading, a text that begins with a rule would be taken for front matter where there is none.
  if (typeof body['title'] === 'string' && (body['title'] !== title || title === '' || MARKED.test(title)))
    values['title'] = body['title'];
  for (const field of TEXTS) if (typeof body[field] === 'string' && body[field] !== '') values[field] = body[field];
  if (typeof body['slug'] === 'string' && body['slug'] !== '' && !readsBack(body['slug'], name))
    values['slug'] = body['slug'];
  for (const field of PAGE_FLAGS) if (typeof body[field] === 'boolean') values[field] = body[field];
  if (isTextUnread({ kind: 'page', text: markdown, body })) values[UNREAD] = true;
  const layout = isRecord(body['layout']) ? fields.writeAs('layout', body['layout'], repositoryLayout) : '';
  const cover = isRecord(body['cover']) ? fields.write(coverFields(body['cover'], fileLink)) : '';
  const text = fields.write(values) + layout + cover;
  return text === '' ? '' : `---\n${text}---\n\n`;
}

/** True when an import makes this slug of the file's name, whatever its rules about letters are. */
function readsBack(slug: string, name: string): boolean {
  return slug === name && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug);
}

/**
 * As in a repository, which has `title: {visible: true}` and `cover: {visible: true, size: hero}` where the API has `title: true`,
 * `cover: true` and `coverSize: hero`. What is no switch stays as the platform sent it.
 */
function repositoryLayout(sent: unknown): unknown {
  if (!isRecord(sent)) return sent;
  const { coverSize, ...parts } = sent;
  const layout: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parts))
    layout[name] = typeof value === 'boolean' ? { visible: value } : value;
  if (coverSize === undefined) return layout;
  const cover = layout['cover'] ?? {};
  if (!isRecord(cover)) return { ...layout, coverSize };
  return { ...layout, cover: { ...cover, size: coverSize } };
}

// As in a repository: the picture's path, and its place as a field beside it. Other references stay as the platform sent them.
function coverFields(cover: Record<string, unknown>, fileLink: PageTextOptions['fileLink']): Record<string, unknown> {
  const ref = isRecord(cover['ref']) ? cover['ref'] : {};
  const link = typeof ref['file'] === 'string' ? fileLink(ref['file']) : (ref['url'] ?? null);
  if (typeof link !== 'string') return { cover };
  return typeof cover['yPos'] === 'number' ? { cover: link, coverY: cover['yPos'] } : { cover: link };
}

/** The text below the title's heading; the whole text when it does not begin with it. */
export function withoutTitle(markdown: string, whole: string): string {
  const title = oneLine(whole);
  // The platform sets a title as it is, so that one of several lines goes on below the first heading; a text holds no half characters.
  const set = `# ${whole.toWellFormed()}`;
  if (title !== whole && markdown.startsWith(set)) {
    const rest = /^[ \t]*(?:(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))?|$)/.exec(markdown.slice(set.length));
    if (rest) return markdown.slice(set.length + rest[0].length);
  }
  const heading = /^#[ \t]+(?![ \t])(.*)(?:(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))?|$)/.exec(markdown);
  if (!heading) return markdown;
  const written = oneLine(heading[1] ?? '');
  const isTitle = written === title || unescape(written) === title;
  return isTitle ? markdown.slice(heading[0].length) : markdown;
}

function unescape(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
