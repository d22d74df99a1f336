// One change request: what it would change, and what was said about it.
import { html } from 'hono/html';
import { isRecord } from '../../base/index.ts';
import { isUnderWay } from '../../contract/index.ts';
import { runQuery, type Resource } from '../../mirror/index.ts';
import { factList, section, type Html } from '../pages/layout.ts';
import { at, changeClass, seenOr } from '../pages/words.ts';
import { pagePath, requestPath } from './addresses.ts';
import { commentList, commentsBelow } from './posts.ts';
import { text } from './render-links.ts';
import { shell } from './shell.ts';
import { more, spaceCrumb } from './space.ts';
import { subjectOf } from './title-of.ts';
import type { Visit } from './visit.ts';

/** Null when it is not in the snapshot. */
export function requestView(visit: Visit, spaceId: string, id: string): Html | null {
  const key = `${spaceId}/${id}`;
  const [space, request] = [visit.reader.one('space', spaceId), visit.reader.one('change-request', key)];
  if (!space || !request) return null;
  const title = `#${text(request.body['number'])} ${subjectOf(request)}`;
  const comments = commentsBelow(visit, 'change-request-comment', key);
  const body = html`<h1 class="title">${title}</h1>
    ${section('About', facts(request))} ${changedPages(visit, request, spaceId)}
    ${comments.length === 0 ? '' : section('Comments', commentList(visit, spaceId, comments))}`;
  const here = { href: requestPath(spaceId, id, visit.query), name: title };
  return shell(visit, { title, crumbs: [spaceCrumb(space, visit), here], body, titled: true });
}

function facts({ body }: Resource): Html {
  const by = isRecord(body['createdBy']) ? text(body['createdBy']['displayName']) : '';
  return factList([
    ['Status', text(body['status'])],
    ['By', by],
    ['Created', at(text(body['createdAt']) || null)],
    ['Edited', at(text(body['updatedAt']) || null)],
    ['Behind the space', body['outdated'] === true ? 'yes' : 'no'],
  ]);
}

// It holds the pages as they were when it was begun or updated last: what the space has had since looks as if it were taken away.
const BEHIND = html`<p class="soft">It is behind its space: what the space has changed since shows here as well.</p>`;

const SHOWN = 500;

/** Only of requests that are open: a merged one has become part of its space. */
function changedPages({ mirror, snapshot, query, named }: Visit, request: Resource, space: string): Html | string {
  if (!isUnderWay(request.body['status'])) return '';
  const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const sql = `select page, change, title from change_request_changes
    where space = ${quoted(space)} and change_request = ${quoted(request.id)} order by title`;
  const { rows } = runQuery(mirror.dataDir, sql, snapshot.id);
  if (rows.length === 0) return section('Pages', html`<p>It changes no page.</p>`);
  return section(
    'Pages that it changes',
    html`${request.body['outdated'] === true ? BEHIND : ''}
      <ul>
        ${rows.slice(0, SHOWN).map(([page, change, title]) => {
          const words = seenOr(text(title), text(page));
          const led = change === 'added' ? words : html`<a href="${pagePath(space, text(page), query)}">${words}</a>`;
          return html`<li><span class="${changeClass(text(change))}">${text(change)}</span> ${led}</li>`;
        })}
      </ul>
      ${more(rows.length, { shown: SHOWN, named })}`,
  );
}
