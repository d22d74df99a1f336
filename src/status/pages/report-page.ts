import { html } from 'hono/html';
import type { Report } from '../report.ts';
import { layout, type Html } from './layout.ts';
import { amount, at, kindWord } from './words.ts';

const REFRESH_S = 300;

/** The report; null when no snapshot is sealed yet. */
export function reportPage(report: Report | null): Html {
  const body = report ? html`${largest(report)} ${newest(report)}` : html`<section><p>No snapshot yet.</p></section>`;
  return layout({ title: 'Report', body, refresh: REFRESH_S });
}

function largest({ spaces, snapshot }: Report): Html {
  return html`<section>
    <h2>Largest spaces in snapshot ${snapshot.id}, ${at(snapshot.started_at)}</h2>
    <div class="scroll">
      <table>
        <tr>
          <th class="wide">Space</th>
          <th class="number">Pages</th>
          <th class="number">Characters</th>
        </tr>
        ${spaces.map(
          (space) =>
            html`<tr>
              <td class="wide">${space.title}</td>
              <td class="number">${amount(space.pages)}</td>
              <td class="number">${amount(space.characters)}</td>
            </tr>`,
        )}
      </table>
    </div>
  </section>`;
}

const CLASSES = { added: 'good', changed: 'warn', removed: 'bad' } as const;

function newest({ changes, since, snapshot, moreChanges }: Report): Html {
  if (since === null)
    return section('Changes', html`<p>This is the first snapshot; the next one shows what changed.</p>`);
  if (changes.length === 0) return section('Changes', html`<p>Nothing changed since snapshot ${since}.</p>`);
  return section(
    `Changes since snapshot ${since}`,
    html`<div class="scroll">
        <table>
          <tr>
            <th>Change</th>
            <th>Kind</th>
            <th class="wide">What</th>
          </tr>
          ${changes.map(
            (row) =>
              html`<tr>
                <td class="${CLASSES[row.change]}">${row.change}</td>
                <td>${kindWord(row.kind)}</td>
                <td class="wide">${row.label}</td>
              </tr>`,
          )}
        </table>
      </div>
      ${moreChanges ? html`<p class="soft">and more: docmirror diff ${since} ${snapshot.id}</p>` : ''}`,
  );
}

function section(title: string, body: Html): Html {
  return html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`;
}
