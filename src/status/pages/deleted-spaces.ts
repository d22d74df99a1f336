import { html } from 'hono/html';
import type { Named } from '../named.ts';
import type { StatusReport } from '../status-report.ts';
import { deletedTogether, undeleteOne, type DeletedTogether } from '../undelete.ts';
import type { Html } from './layout.ts';
import { relative } from './words.ts';

/** Spaces in the platform's bin: what can be done about them ends soon. */
export function deletedSpaces({ deletedSpaces: spaces }: StatusReport, named: Named): Html | string {
  if (spaces.length === 0) return '';
  return html`<section>
    <h2>Deleted spaces that can still be undeleted</h2>
    ${deletedTogether(spaces).map((group) => goneTogether(group, named))}
  </section>`;
}

function goneTogether({ spaces, together }: DeletedTogether, named: Named): Html {
  const command = (text: string): Html => html`<code>${named(text)}</code>`;
  return html`<ul>
      ${spaces.map(
        (space) =>
          html`<li>
            <span class="bad">${space.title}</span> ends
            ${relative(space.leftMs)}${together === null ? html`: ${command(undeleteOne(space))}` : ''}
          </li>`,
      )}
    </ul>
    ${together === null ? '' : html`<p>All of them: ${command(together)}</p>`}`;
}
