// Comments with their replies.
import { html, raw } from 'hono/html';
import { compareTimes, isRecord, lazyBy } from '../../base/index.ts';
import { documentNodes } from '../../document/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import type { Html } from '../pages/layout.ts';
import { at } from '../pages/words.ts';
import { addressesIn, pagePath, type Addresses } from './addresses.ts';
import { renderDocument } from './render-blocks.ts';
import { text } from './render-links.ts';
import { titleOf } from './title-of.ts';
import type { Visit } from './visit.ts';

const REPLIES: Partial<Record<KindName, KindName>> = {
  comment: 'comment-reply',
  'change-request-comment': 'change-request-comment-reply',
};

/** Comments of a kind below a key: a space's, or a change request's. */
export function commentsBelow(visit: Visit, kind: 'comment' | 'change-request-comment', below: string): Resource[] {
  return inOrder(visit.reader.resources(kind, below));
}

/** The oldest first. */
export function inOrder(comments: Iterable<Resource>): Resource[] {
  return [...comments].toSorted((a, b) => compareTimes(text(a.body['postedAt']), text(b.body['postedAt'])));
}

/** Page that a comment stands beside; null for one on the whole. */
export function pageOf({ body }: Resource): { id: string; title: string } | null {
  const target = isRecord(body['target']) ? body['target'] : {};
  const page = isRecord(target['page']) ? target['page'] : {};
  const id = text(page['id']);
  return id === '' ? null : { id, title: titleOf({ id, body: page }) };
}

/** Where posts stand, with what addresses in their texts lead to, and what is there of all that they are about: each looked for once. */
interface Place {
  readonly visit: Visit;
  readonly space: string;
  readonly addresses: Addresses;
  /** Whether the page with an id is there. */
  readonly hasPage: (id: string) => boolean;
}

export function commentList(visit: Visit, space: string, comments: readonly Resource[]): Html {
  const { reader, query } = visit;
  const hasPage = lazyBy((id: string) => reader.one('page', `${space}/${id}`) !== undefined);
  const place = { visit, space, addresses: addressesIn({ reader, space, query }), hasPage };
  return html`<ul class="posts">
    ${comments.map((comment) => commentView(comment, place))}
  </ul>`;
}

function commentView(comment: Resource, place: Place): Html {
  const replyKind = REPLIES[comment.kind];
  const replies = replyKind === undefined ? [] : [...place.visit.reader.resources(replyKind, comment.key)];
  const isResolved = comment.body['status'] === 'resolved';
  return html`<li>
    ${postView(comment, place)}
    <p class="soft">${isResolved ? 'resolved' : 'open'}${besideView(comment, place)}</p>
    ${
      replies.length === 0
        ? ''
        : html`<ul class="posts">
            ${replies.map((reply) => html`<li>${postView(reply, place)}</li>`)}
          </ul>`
    }
  </li>`;
}

/** The page that a comment stands beside, which may be gone by now or stand in the change request alone. */
function besideView(comment: Resource, { visit: { reader, query }, space, hasPage }: Place): Html | string {
  const page = pageOf(comment);
  if (page === null) return '';
  if (hasPage(page.id)) return html`, on <a href="${pagePath(space, page.id, query)}">${page.title}</a>`;
  const request = text(comment.params['changeRequestId']);
  const isProposed = reader.one('change-request-page', `${space}/${request}/${page.id}`) !== undefined;
  const place = isProposed ? 'in the change request alone' : 'not in this snapshot any more';
  return html`, on <bdi>${page.title}</bdi>, which is ${place}`;
}

function postView({ body, id }: Resource, { addresses }: Place): Html {
  const by = isRecord(body['postedBy']) ? body['postedBy'] : {};
  const words = isRecord(body['body']) ? text(body['body']['markdown']) : '';
  const shown = renderDocument(documentNodes(words), addresses);
  return html`<article id="comment-${id}">
    <p class="by">
      <strong>${text(by['displayName']) || 'unknown'}</strong> <time>${at(text(body['postedAt']) || null)}</time>
    </p>
    <div class="text" dir="auto">${raw(shown)}</div>
  </article>`;
}
