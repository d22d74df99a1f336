import { html } from 'hono/html';
import type { Named } from '../named.ts';
import type { StatusReport } from '../status-report.ts';
import { deletedTogether, undeleteOne, type DeletedTogether } from '../undelete.ts';
import { commandCode, type Html } from './layout.ts';
import { relative } from './words.ts';

/** Spaces in the platform's bin: what can be done about them ends soon. */
export function deletedSpaces({ deletedSpaces: spaces, broughtBack }: StatusReport, named: Named): Html | string {
  const gone = html`<section>
    <h2>Deleted spaces that can still be undeleted</h2>
    ${deletedTogether(spaces).map((group) => goneTogether(group, named))}
  </section>`;
  return html`${spaces.length === 0 ? '' : gone} ${backAgain(broughtBack)}`;
}

function backAgain(broughtBack: StatusReport['broughtBack']): Html | string {
  if (broughtBack.length === 0) return '';
  return html`<section>
    <h2>Deleted spaces that a restore has brought back since the last walk</h2>
    <ul>
      ${broughtBack.map(({ title, restore }) => html`<li>${title}: by restore ${restore}; the next walk sees it</li>`)}
    </ul>
  </section>`;
}

function goneTogether({ spaces, together }: DeletedTogether, named: Named): Html {
  const command = (text: string): Html => commandCode(named(text));
  return html`<ul>
      ${spaces.map(
        (space) =>
          html`<li>
            <span class="bad">${space.title}</span> ends
            ${relative(space.leftMs)}${space.deletedAt === null ? ' at the latest, where it was deleted and is not only hidden from the token' : ''}${together === null ? html`: ${command(undeleteOne(space))}` : ''}
          </li>`,
      )}
    </ul>
    ${together === null ? '' : html`<p>All of them: ${command(together)}</p>`}`;
}
