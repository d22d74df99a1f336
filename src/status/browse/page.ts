// One page of the documentation, as it stood at a snapshot.
import { html, raw } from 'hono/html';
import { isRecord } from '../../base/index.ts';
import { documentNodes } from '../../document/index.ts';
import { erasOf, isTextUnread, type Resource } from '../../mirror/index.ts';
import { factList, section, type Html } from '../pages/layout.ts';
import { at } from '../pages/words.ts';
import { addressesIn, encoded, pagePath, type Addresses } from './addresses.ts';
import { escaped } from './markup.ts';
import {
  isLarge,
  pageReader,
  pageTree,
  shownBeside,
  trailTo,
  treeView,
  type PageNode,
  type ReadPage,
} from './page-tree.ts';
import { commentList, inOrder, pageOf } from './posts.ts';
import { renderDocument } from './render-blocks.ts';
import { renderImage, renderLink, text } from './render-links.ts';
import { ofFrame, shell, type Crumb } from './shell.ts';
import { spaceCrumb } from './space.ts';
import { emojiOf, titleOf } from './title-of.ts';
import type { Visit } from './visit.ts';

const CONTENTS = ofFrame('contents');

/** Null when the page is not in the snapshot. */
export function pageView(visit: Visit, spaceId: string, id: string): Html | null {
  const { reader, query } = visit;
  const [space, page] = [reader.one('space', spaceId), reader.one('page', `${spaceId}/${id}`)];
  if (!space || !page) return null;
  const addresses = addressesIn({ reader, space: spaceId, query });
  const tree = pageTree(reader, spaceId);
  const trail = trailTo(tree, id);
  const sparse = isLarge(tree);
  const readPage = pageReader(reader, spaceId, sparse ? shownBeside(tree, trail) : tree.byId.size);
  const view = { space: spaceId, query, readPage, current: id, trail: new Set(trail.map((node) => node.id)), sparse };
  const crumbs = [spaceCrumb(space, visit), ...crumbsOf(trail, view)];
  const title = titleOf(page);
  const body = html`<a class="to-contents" href="#${CONTENTS}">All pages of ${titleOf(space)}</a>
    <div class="beside">
      <article class="sheet">
        ${raw(coverOf(page, addresses))}
        <h1 class="title">${emojiOf(page.body)} ${title}</h1>
        ${lead(page)}
        <div class="text" dir="auto">${raw(contentOf(page, addresses))}</div>
        ${facts(page)} ${commentsOn(visit, spaceId, id)} ${versions(visit, page)}
      </article>
      <aside id="${CONTENTS}">
        <details class="contents" open>
          <summary>${titleOf(space)}</summary>
          ${treeView(tree.roots, view)}
        </details>
      </aside>
    </div>`;
  return shell(visit, { title, crumbs, body, titled: true });
}

interface Place {
  readonly space: string;
  readonly query: string;
  readonly readPage: ReadPage;
}

function crumbsOf(trail: readonly PageNode[], { space, query, readPage }: Place): Crumb[] {
  return trail.map(({ id, key }) => ({
    href: pagePath(space, id, query),
    name: titleOf(readPage(key) ?? { id, body: {} }),
  }));
}

function lead({ body }: Resource): Html | string {
  const description = text(body['description']);
  return description === '' ? '' : html`<p class="lead">${description}</p>`;
}

function coverOf({ body }: Resource, addresses: Addresses): string {
  const cover = isRecord(body['cover']) ? body['cover'] : {};
  const ref = isRecord(cover['ref']) ? cover['ref'] : {};
  const src = text(ref['file']) === '' ? text(ref['url']) : `/files/${text(ref['file'])}`;
  if (src === '') return '';
  return `<div class="cover">${renderImage({ src, alt: '' }, addresses)}</div>`;
}

function contentOf(page: Resource, addresses: Addresses): string {
  const { body } = page;
  if (body['type'] === 'link') return `<p>${linkPage(page, addresses)}</p>`;
  if (page.text === null) return withoutText(page);
  return renderDocument(documentNodes(withoutTitle(page.text, text(body['title']))), addresses);
}

function withoutText(page: Resource): string {
  if (isTextUnread(page)) return '<p class="warn">The text of this page could not be read.</p>';
  return page.body['type'] === 'group' ? '' : '<p class="soft">This page has no text.</p>';
}

function linkPage({ body }: Resource, addresses: Addresses): string {
  const target = isRecord(body['target']) ? body['target'] : {};
  const address =
    text(body['href']) || text(target['url']) || (text(target['page']) === '' ? '' : `/pages/${text(target['page'])}`);
  return address === ''
    ? escaped('This page is a link whose target is not known.')
    : renderLink(address, '', addresses);
}

/** The text begins with the title, which stands above it already. */
function withoutTitle(markdown: string, title: string): string {
  const heading = /^#[ \t]+(?![ \t])(.*)(?:\r\n?|\n|$)/.exec(markdown);
  const plain = (words: string): string =>
    words
      .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return heading && plain(heading[1] ?? '') === plain(title) ? markdown.slice(heading[0].length) : markdown;
}

function facts({ body, id }: Resource): Html {
  const known = [
    ['Created', at(text(body['createdAt']) || null)],
    ['Edited', at(text(body['updatedAt']) || null)],
    ['Path', text(body['path'])],
    ['Hidden', body['hidden'] === true ? 'yes' : ''],
    ['Id', id],
  ] as const;
  return factList(known, 'small');
}

function commentsOn(visit: Visit, space: string, page: string): Html | string {
  const named = inOrder(visit.reader.naming(page, 'comment', space));
  const comments = named.filter((comment) => pageOf(comment)?.id === page);
  return comments.length === 0 ? '' : section('Comments', commentList(visit, space, comments));
}

const SHOWN = 20;

function versions({ mirror, path, snapshot }: Visit, page: Resource): Html | string {
  const eras = erasOf(mirror, 'page', page.key);
  if (eras.length < 2) return '';
  return section(
    'Versions',
    html`<ul>
      ${eras.slice(0, SHOWN).map((era, index) => {
        const before = eras[index + 1];
        const isShown = era.from <= snapshot.id && (era.to === null || era.to > snapshot.id);
        const key = encoded(page.key);
        return html`<li>
          <a href="${path}?at=${era.from}">since snapshot ${era.from}</a>, ${at(era.at)}${isShown ? ' (shown)' : ''}
          ${before ? html`<a href="/browse/changes/detail?from=${before.from}&to=${era.from}&kind=page&key=${key}">what changed</a>` : ''}
        </li>`;
      })}
    </ul>`,
  );
}
