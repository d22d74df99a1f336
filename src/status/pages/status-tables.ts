import { html } from 'hono/html';
import { bytes, thousands } from '../../base/index.ts';
import { coverage as contractCoverage, type Coverage } from '../../contract/index.ts';
import { limitWords, refusedWords, type KindCounts, type Snapshot } from '../../mirror/index.ts';
import { fidelityIn } from '../fidelity.ts';
import type { Named } from '../named.ts';
import type { StatusReport } from '../status-report.ts';
import { commandCode, type Html } from './layout.ts';
import type { StatusPageInput } from './status-page.ts';
import { at, kindWord, stateClass, took } from './words.ts';

/** The last walks, newest first. */
export function runs({ recent }: StatusReport, named: Named): Html {
  if (recent.length === 0) {
    return html`<section>
      <h2>Runs</h2>
      <p>No walk yet. Run ${commandCode(named('docmirror sync'))}, or wait for the schedule.</p>
    </section>`;
  }
  return html`<section>
    <h2>Runs</h2>
    <div class="scroll">
      <table>
        <tr>
          <th class="number">Snapshot</th>
          <th>State</th>
          <th>Started</th>
          <th class="number">Took</th>
          <th class="number">Requests</th>
          <th class="number">Received</th>
        </tr>
        ${recent.map(
          (row) =>
            html`<tr>
                <td class="number">${runLink(row)}</td>
                <td class="${stateClass(row.state)}">${row.state}</td>
                <td>${at(row.started_at)}</td>
                <td class="number">${took(row.duration_ms)}</td>
                <td class="number">${thousands(row.requests)}</td>
                <td class="number">${bytes(row.bytes)}</td>
              </tr>
              ${whyRow(row)}`,
        )}
      </table>
    </div>
  </section>`;
}

/** What a run does not say by its state. */
function whyRow(row: Snapshot): Html | string {
  const limits = limitWords(row);
  const said = [...(limits === '' ? [] : [`limited to ${limits}`]), ...(row.reason === null ? [] : [row.reason])];
  if (said.length === 0) return '';
  return html`<tr class="why">
    <td colspan="6"><div>${said.join('; ')}</div></td>
  </tr>`;
}

/** What is sealed can be looked into. */
function runLink({ id, manifest_hash: hash }: Snapshot): Html | string {
  return hash === null ? String(id) : html`<a href="/browse?at=${id}">${id}</a>`;
}

const OUTCOMES = ['seen', 'added', 'changed', 'unchanged', 'gone', 'failed', 'unreachable', 'missing'] as const;

/** What the last sealed snapshot covers. */
export function coverage({ kinds, lastSealed, notOffered, refused }: StatusReport): Html | string {
  const rows = Object.entries(kinds);
  if (!lastSealed || rows.length === 0) return '';
  return html`<section>
    <h2>Coverage of snapshot ${lastSealed.id}</h2>
    <p>${totals(rows)}</p>
    <details ${rows.some(([, { failed, unreachable, missing }]) => failed + unreachable + missing > 0) ? 'open' : ''}>
      <summary>Each of the ${rows.length} kinds</summary>
      <div class="scroll">
        <table>
          <tr>
            <th>Kind</th>
            ${OUTCOMES.map((outcome) => html`<th class="number">${outcome}</th>`)}
          </tr>
          ${rows.map(
            ([kind, counts]) =>
              html`<tr>
                <td>${kindWord(kind)}</td>
                ${OUTCOMES.map((outcome) => html`<td class="number">${thousands(counts[outcome])}</td>`)}
              </tr>`,
          )}
        </table>
      </div>
    </details>
    ${reads(contractCoverage())}
    ${
      notOffered.length === 0
        ? ''
        : html`<p class="soft">Not offered by this platform: ${notOffered.map(kindWord).join(', ')}</p>`
    }
    ${
      refused.length === 0
        ? ''
        : html`<p class="soft">Refused to this token, as was accepted: ${refusedWords(refused)}</p>`
    }
  </section>`;
}

/** What did not happen is not said, but for the first word. */
function totals(rows: readonly (readonly [string, KindCounts])[]): string {
  const sums = OUTCOMES.map(
    (outcome) => [outcome, rows.reduce((sum, [, counts]) => sum + counts[outcome], 0)] as const,
  );
  return sums
    .filter(([outcome, sum]) => sum > 0 || outcome === 'seen')
    .map(([outcome, sum]) => `${thousands(sum)} ${outcome}`)
    .join(', ');
}

/** Of the API: what is not mirrored is said, and why. */
function reads(all: readonly Coverage[]): Html {
  const of = (is: Coverage['is']): Coverage[] => all.filter((read) => read.is === is);
  const left = of('not mirrored');
  return html`<p>
      Of the ${all.length} reads of the API ${of('mirrored').length} are mirrored, ${of('derived').length} are answered
      by what is mirrored, ${left.length} are not.
    </p>
    <details>
      <summary>Which are not, and why</summary>
      <ul>
        ${left.map(({ operation, why }) => html`<li><code>${operation}</code>: ${why ?? ''}</li>`)}
      </ul>
    </details>`;
}

/** How many of the failures are shown. */
export const SHOWN_FAILURES = 50;

export function failures({ status, failures: some, named }: StatusPageInput): Html | string {
  const { failed, lastSealed } = status;
  if (failed === 0) return '';
  const more = failed - some.length;
  return html`<section>
    <h2 class="warn">Not read: ${thousands(failed)}</h2>
    <div class="scroll">
      <table class="failures">
        <tr>
          <th>Kind</th>
          <th class="wide">Which</th>
          <th class="number">Status</th>
        </tr>
        ${some.map(
          (row) =>
            html`<tr>
                <td>${kindWord(row.kind)}</td>
                <td class="wide">${row.resource}</td>
                <td class="number">${row.status ?? ''}</td>
              </tr>
              <tr class="why">
                <td colspan="3"><div>${row.error}</div></td>
              </tr>`,
        )}
      </table>
    </div>
    ${more > 0 ? html`<p class="soft">and ${thousands(more)} more: ${named(`docmirror snapshots show ${lastSealed?.id ?? 'latest'}`)}</p>` : ''}
  </section>`;
}

export function drills({ drills: all }: StatusReport): Html | string {
  if (all.length === 0) return '';
  return html`<section>
    <h2>Drills</h2>
    <div class="scroll">
      <table>
        <tr>
          <th>When</th>
          <th class="number">Snapshot</th>
          <th>Result</th>
          <th class="number">Exact fields</th>
          <th class="number">Best effort</th>
          <th class="number">Took</th>
          <th class="number">Requests</th>
        </tr>
        ${all.map(
          (row) =>
            html`<tr>
              <td>${at(row.at)}</td>
              <td class="number">${row.snapshot}</td>
              <td class="${row.passed ? 'good' : 'bad'}">
                ${row.passed ? 'passed' : 'did not pass'}${row.ofNewest ? '' : ', not the newest complete one then'}
              </td>
              <td class="number">${share(row.report, 'exact')}</td>
              <td class="number">${share(row.report, 'bestEffort')}</td>
              <td class="number">${took(row.duration_ms)}</td>
              <td class="number">${thousands(row.requests)}</td>
            </tr>`,
        )}
      </table>
    </div>
  </section>`;
}

/** Equal fields of all that were compared, as the report of the drill holds it. */
function share(report: string, which: 'exact' | 'bestEffort'): string {
  const found = fidelityIn(report, which);
  return found === null ? '' : `${thousands(found.equal)} of ${thousands(found.fields)}`;
}
