// Full-text search over pages and comments.
import { html, raw } from 'hono/html';
import { inTurns, readReferences } from '../../base/index.ts';
import { findText, type Found } from '../../mirror/index.ts';
import { section, type Html } from '../pages/layout.ts';
import { seenOr } from '../pages/words.ts';
import { escaped } from './markup.ts';
import { encoded, pagePath, requestPath, spacePath } from './addresses.ts';
import { isFormat } from './render-html.ts';
import { shell } from './shell.ts';
import { titleOf } from './title-of.ts';
import type { Visit } from './visit.ts';

const SHOWN = 30;

/**
 * The index is of the last sealed snapshot, at which the visit has to be. Others are answered while texts are looked through, and nothing is once
 * the signal says that nobody waits for it: it throws then.
 */
export async function searchView(visit: Visit, words: string, signal: AbortSignal): Promise<Html> {
  // One more than is shown tells whether there are more.
  const limit = SHOWN + 1;
  const pages = await inTurns(findText(visit.mirror, { text: words, among: 'pages', limit }), signal);
  const comments = await inTurns(findText(visit.mirror, { text: words, among: 'comments', limit }), signal);
  const title = words === '' ? 'Search' : `Search: ${words}`;
  const none = words !== '' && pages.length + comments.length === 0;
  const body = html`<form action="/browse/search" class="row" role="search" aria-label="Search again">
      <input name="q" type="search" value="${words}" aria-label="Words" size="30" />
      <button>Search</button>
    </form>
    <p class="soft">In the last sealed snapshot, ${visit.snapshot.id}. Every word must stand in what is found.</p>
    ${none ? html`<section><p>Nothing has these words.</p></section>` : ''}
    ${pages.length === 0 ? '' : section('Pages', hits(visit, pages))}
    ${comments.length === 0 ? '' : section('Comments', hits(visit, comments))}`;
  return shell(visit, { title, crumbs: [], body, taken: [visit.snapshot] });
}

function hits(visit: Visit, found: readonly Found[]): Html {
  const more = html`<p class="soft">
    These are the ${SHOWN} that fit best; more have these words. Add a word to find fewer.
  </p>`;
  return html`${found.length > SHOWN ? more : ''}
    <ul class="hits">
      ${found.slice(0, SHOWN).map((hit) => {
        const space = hit.space === null ? undefined : visit.reader.one('space', hit.space);
        return html`<li>
          <a href="${pathOf(hit)}">${seenOr(hit.title, hit.id)}</a> <span class="soft">${space && titleOf(space)}</span>
          <p>${raw(excerptOf(hit.excerpt))}</p>
        </li>`;
      })}
    </ul>`;
}

function pathOf({ kind, id, key, space }: Found): string {
  if (space === null) return '/browse';
  if (kind === 'page') return pagePath(space, id, '');
  const [, second = ''] = key.split('/');
  // Of very many comments, a space shows the newest alone unless it is asked for one.
  const isOfSpace = kind === 'comment' || kind === 'comment-reply';
  return isOfSpace
    ? spacePath(space, `?comment=${encoded(second)}#comment-${encoded(id)}`)
    : requestPath(space, second, '');
}

// Tags in which nothing was found, as the signs around what was show, and those that the beginning and the end of the excerpt cut off.
const TAG = /<[^<>\p{Cc}]*>/gu;
const BLOCK_TAG = /\{%[^%\p{Cc}]*(?:%\}|$)/gu;
const BEGUN_TAG = /^…[^<>\p{Cc}]*(?:["']|[\w-](?=>\s*<))>/u;
const CUT_TAG = /<[^<>\p{Cc}]*$/u;

function withoutTags(excerpt: string): string {
  return excerpt
    .replace(BEGUN_TAG, '…')
    .replaceAll(BLOCK_TAG, ' ')
    .replaceAll(TAG, (tag) => (isFormat(tag) ? ' ' : tag))
    .replace(CUT_TAG, (tag) => (isFormat(tag.replace(/…$/, ' ')) ? '…' : tag));
}

function excerptOf(excerpt: string): string {
  const words = readReferences(withoutTags(excerpt))
    .replaceAll(/```[\w-]*|[#>*`|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return escaped(words).replaceAll('\u0001', '<mark>').replaceAll('\u0002', '</mark>');
}
