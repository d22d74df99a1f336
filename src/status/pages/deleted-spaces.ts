import { html } from 'hono/html';
import type { StatusReport } from '../status-report.ts';
import type { Html } from './layout.ts';
import { relative } from './words.ts';

/** Spaces in the platform's bin: what can be done about them ends soon. */
export function deletedSpaces({ deletedSpaces: spaces }: StatusReport): Html | string {
  if (spaces.length === 0) return '';
  return html`<section>
    <h2>Deleted spaces that can still be undeleted</h2>
    <ul>
      ${spaces.map(
        ({ id, title, leftMs, lastSeen }) =>
          html`<li>
            <span class="bad">${title}</span> ends ${relative(leftMs)}:
            <code
              >docmirror restore plan --snapshot ${lastSeen} --in-place missing --scope space:${id} --out
              undelete.json</code
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
