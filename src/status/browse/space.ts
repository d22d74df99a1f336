// One space: its pages, files, change requests and comments.
import { bytes, thousands } from '../../base/index.ts';
import { html } from 'hono/html';
import type { Outlined, Resource } from '../../mirror/index.ts';
import { section, type Html } from '../pages/layout.ts';
import { at, seenOr } from '../pages/words.ts';
import { filePath, requestPath, spacePath } from './addresses.ts';
import { pageReader, pageTree, treeView } from './page-tree.ts';
import { commentList, commentsBelow } from './posts.ts';
import { text } from './render-links.ts';
import { shell, type Crumb } from './shell.ts';
import { emojiOf, subjectOf, titleOf } from './title-of.ts';
import type { Visit } from './visit.ts';

const SHOWN = 200;

/** Null when the space is not in the snapshot. `asked` is the id of a comment that has to be among those that are shown. */
export function spaceView(visit: Visit, id: string, asked?: string): Html | null {
  const space = visit.reader.one('space', id);
  if (!space) return null;
  const { roots, byId } = pageTree(visit.reader, id);
  const files = [...visit.reader.outline('file', id)].filter(({ holds }) => holds);
  const requests = [...visit.reader.resources('change-request', id)];
  const comments = { all: commentsBelow(visit, 'comment', id), asked };
  const tree =
    roots.length === 0
      ? html`<p>No page.</p>`
      : treeView(roots, {
          space: id,
          query: visit.query,
          readPage: pageReader(visit.reader, id, byId.size),
          current: null,
          trail: new Set(),
          sparse: false,
        });
  const body = html`<h1 class="title">${emojiOf(space.body)} ${titleOf(space)}</h1>
    ${section('Pages', tree)} ${requestTable(visit, id, requests)} ${commentPart(visit, id, comments)}
    ${fileTable(visit, id, files)}`;
  return shell(visit, { title: titleOf(space), crumbs: [spaceCrumb(space, visit)], body, titled: true });
}

export function spaceCrumb(space: Resource, { query }: Visit): Crumb {
  return { href: spacePath(space.id, query), name: titleOf(space) };
}

function requestTable({ query, named }: Visit, space: string, requests: readonly Resource[]): Html | string {
  if (requests.length === 0) return '';
  const newestFirst = requests.toSorted((a, b) => Number(b.body['number'] ?? 0) - Number(a.body['number'] ?? 0));
  return section(
    `Change requests: ${thousands(requests.length)}`,
    html`<div class="scroll">
        <table>
          <tr>
            <th class="number">Number</th>
            <th class="wide">Subject</th>
            <th>Status</th>
            <th>Created</th>
          </tr>
          ${newestFirst.slice(0, SHOWN).map(
            ({ id, body }) =>
              html`<tr>
                <td class="number">${text(body['number'])}</td>
                <td class="wide">
                  <a href="${requestPath(space, id, query)}">${subjectOf({ body })}</a>
                </td>
                <td>${text(body['status'])}</td>
                <td>${at(text(body['createdAt']) || null)}</td>
              </tr>`,
          )}
        </table>
      </div>
      ${more(requests.length, { shown: SHOWN, named })}`,
  );
}

interface Comments {
  /** The oldest first. */
  readonly all: readonly Resource[];
  readonly asked: string | undefined;
}

function commentPart(visit: Visit, space: string, comments: Comments): Html | string {
  const { all } = comments;
  if (all.length === 0) return '';
  return section(
    `Comments: ${thousands(all.length)}`,
    html`${commentList(visit, space, shownOf(comments))} ${more(all.length, { shown: SHOWN, named: visit.named })}`,
  );
}

/** The newest; those up to the one that was asked for where it is older. */
function shownOf({ all, asked }: Comments): readonly Resource[] {
  const place = asked === undefined ? -1 : all.findIndex(({ id }) => id === asked);
  const isAmongNewest = place < 0 || place >= all.length - SHOWN;
  const end = isAmongNewest ? all.length : Math.max(SHOWN, place + 1);
  return all.slice(Math.max(0, end - SHOWN), end);
}

function fileTable({ query, named }: Visit, space: string, files: readonly Outlined[]): Html | string {
  if (files.length === 0) return '';
  return section(
    `Files: ${thousands(files.length)}`,
    html`<div class="scroll">
        <table>
          <tr>
            <th class="wide">Name</th>
            <th>Type</th>
            <th class="number">Size</th>
          </tr>
          ${files.slice(0, SHOWN).map(
            ({ id, body, object }) =>
              html`<tr>
                <td class="wide">
                  ${object === null ? text(body['name']) : html`<a href="${filePath(space, id, query)}" download>${seenOr(text(body['name']), id)}</a>`}
                </td>
                <td>${text(body['contentType'])}</td>
                <td class="number">${object === null ? 'not in the mirror' : bytes(object.size)}</td>
              </tr>`,
          )}
        </table>
      </div>
      ${more(files.length, { shown: SHOWN, named })}`,
  );
}

/** Says of a list how much of it is not shown. */
export function more(all: number, { shown, named }: { shown: number } & Pick<Visit, 'named'>): Html | string {
  return all > shown
    ? html`<p class="soft">and ${thousands(all - shown)} more; ${named('docmirror query')} shows all</p>`
    : '';
}
