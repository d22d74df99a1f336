import { html } from 'hono/html';
import type { Named } from '../named.ts';
import type { StatusReport } from '../status-report.ts';
import type { Html } from './layout.ts';
import { relative } from './words.ts';

type DeletedSpaces = StatusReport['deletedSpaces'];

/** More spaces than these that went in one night have one command together. */
const SINGLY = 3;

/** Spaces in the platform's bin: what can be done about them ends soon. */
export function deletedSpaces({ deletedSpaces: spaces }: StatusReport, named: Named): Html | string {
  if (spaces.length === 0) return '';
  const nights = [...new Set(spaces.map(({ lastSeen }) => lastSeen))];
  return html`<section>
    <h2>Deleted spaces that can still be undeleted</h2>
    ${nights.map((night) =>
      goneSince(
        night,
        spaces.filter(({ lastSeen }) => lastSeen === night),
        named,
      ),
    )}
  </section>`;
}

function goneSince(night: number, spaces: DeletedSpaces, named: Named): Html {
  const command = (scope: string): Html => html`<code>${named(undelete(night, scope))}</code>`;
  const isMany = spaces.length > SINGLY;
  return html`<ul>
      ${spaces.map(
        ({ id, title, leftMs }) =>
          html`<li>
            <span class="bad">${title}</span> ends ${relative(leftMs)}${isMany ? '' : html`: ${command(`space:${id}`)}`}
          </li>`,
      )}
    </ul>
    ${isMany ? html`<p>All of them: ${command('kind:space')}</p>` : ''}`;
}

function undelete(night: number, scope: string): string {
  return `docmirror restore plan --snapshot ${night} --in-place missing --scope ${scope} --out undelete.json`;
}
