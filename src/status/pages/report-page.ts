import { html } from 'hono/html';
import { bytes, count, inUtc, thousands } from '../../base/index.ts';
import { pagePath } from '../browse/addresses.ts';
import type { Named } from '../named.ts';
import type { Counted } from '../report-stand.ts';
import type { Report, ReportChange } from '../report.ts';
import { withinWords } from '../whole-spaces.ts';
import { commandCode, factList, layout, section, standalone, type Html } from './layout.ts';
import { reportCharts } from './report-charts.ts';
import { at, changeClass, kindWord, seenOr } from './words.ts';

/** The report as a page of the status server; null when no snapshot is sealed yet. */
export function reportPage(report: Report | null, named: Named): Html {
  return layout({ title: 'Report', body: reportBody(report, { linked: true, named }), here: 'report' });
}

/** The report as one HTML file that needs nothing else and can be sent to anybody who may know what is in it. */
export async function reportHtml(report: Report, named: Named): Promise<string> {
  return String(await standalone({ title: 'Report', body: reportBody(report, { linked: false, named }) }));
}

interface Look {
  /** Pages can be followed into the browser of the mirror. */
  readonly linked: boolean;
  readonly named: Named;
}

function reportBody(report: Report | null, look: Look): Html {
  if (!report)
    return section(
      'Report',
      html`<p>No snapshot yet. Run ${commandCode(look.named('docmirror sync'))}, or wait for the schedule.</p>`,
    );
  return html`${summary(report)} ${reportCharts(report)} ${largest(report)} ${stale(report, look)}
  ${countedBySpace(BROKEN_LINKS, report.brokenLinksBySpace, look)}
  ${countedBySpace(OPEN_COMMENTS, report.openCommentsBySpace, look)} ${newest(report, look)}`;
}

function summary(report: Report): Html {
  const { totals, snapshot, origin } = report;
  const facts: [string, string][] = [
    ['Spaces', thousands(totals.spaces)],
    ['Pages', thousands(totals.pages)],
    ['Text', bytes(totals.textBytes)],
    ['Files', `${thousands(totals.files)}, ${bytes(totals.fileBytes)}`],
    ['Comments', thousands(totals.comments)],
    ['Change requests', thousands(totals.changeRequests)],
    ['Members', thousands(totals.members)],
    ['Snapshots', thousands(report.nights.length)],
  ];
  return html`<section>
    <h2>The documentation on ${at(snapshot.startedAt)}</h2>
    <p class="soft">Snapshot ${snapshot.id} (${snapshot.state}) of ${origin}</p>
    ${factList(facts)} ${prose(report).map((sentence) => html`<p>${sentence}</p>`)}
  </section>`;
}

const MONTH_MS = 30 * 86_400_000;
const FRESH_SPANS = 2;
const KNOWN_SPANS = 5;

function prose({ nights, editAges, snapshot }: Report): string[] {
  const from = Date.parse(snapshot.startedAt) - MONTH_MS;
  const recent = nights.slice(1).filter((night) => Date.parse(night.at) >= from);
  // What moved in a night counts from the one before that is kept, which may be older than a month.
  const since = inUtc(nights.at(-1 - recent.length)?.at ?? snapshot.startedAt).slice(0, 10);
  const sum = (pick: 'added' | 'changed' | 'gone'): number => recent.reduce((total, night) => total + night[pick], 0);
  const known = editAges.slice(0, KNOWN_SPANS);
  const documents = known.reduce((total, { count }) => total + count, 0);
  const fresh = known.slice(0, FRESH_SPANS).reduce((total, { count }) => total + count, 0);
  return [
    recent.length === 0
      ? 'This is the first snapshot, or the only one of the last 30 days.'
      : `Since ${since}, over ${count(recent.length, 'snapshot')}: ${count(sum('added'), 'resource')} came, ${thousands(sum('changed'))} changed, ${thousands(sum('gone'))} went.`,
    ...(documents === 0
      ? []
      : [
          `${Math.round((fresh / documents) * 100)} % of the ${count(documents, 'document')} whose last edit is known ${documents === 1 ? 'was' : 'were'} edited within half a year.`,
        ]),
  ];
}

function largest({ spaces }: Report): Html {
  return section(
    'Largest spaces',
    html`<div class="scroll">
      <table>
        <tr>
          <th class="wide">Space</th>
          <th class="number">Pages</th>
          <th class="number">Text</th>
          <th class="number">Files</th>
        </tr>
        ${spaces.map(
          (space) =>
            html`<tr>
              <td class="wide">${space.title}</td>
              <td class="number">${thousands(space.pages)}</td>
              <td class="number">${bytes(space.textBytes)}</td>
              <td class="number">${bytes(space.fileBytes)}</td>
            </tr>`,
        )}
      </table>
    </div>`,
  );
}

function stale({ stalePages }: Report, { linked, named }: Look): Html | string {
  if (stalePages.length === 0) return '';
  return section(
    'Not edited for half a year, oldest first',
    html`<div class="scroll">
        <table>
          <tr>
            <th>Last edit</th>
            <th class="wide">Page</th>
            <th class="wide">Space</th>
          </tr>
          ${stalePages.map(({ editedAt, title: own, space, page, spaceTitle }) => {
            const [title, href] = [seenOr(own, page), pagePath(space, page, '')];
            return html`<tr>
              <td>${inUtc(editedAt).slice(0, 10)}</td>
              <td class="wide">${linked ? html`<a href="${href}">${title}</a>` : title}</td>
              <td class="wide">${spaceTitle}</td>
            </tr>`;
          })}
        </table>
      </div>
      ${allOfThem('stale-pages', named)}`,
  );
}

function allOfThem(recipe: string, named: Named): Html {
  return html`<p class="soft">All of them: ${named(`docmirror query --recipe ${recipe}`)}</p>`;
}

interface BySpace {
  readonly title: string;
  readonly head: string;
  /** Tells all of them: only those with the most are listed. */
  readonly recipe: string;
}

const BROKEN_LINKS: BySpace = { title: 'Broken links by space', head: 'Broken', recipe: 'broken-links' };
const OPEN_COMMENTS: BySpace = { title: 'Open comments by space', head: 'Open', recipe: 'comment-backlog' };

function countedBySpace({ title, head, recipe }: BySpace, counted: readonly Counted[], { named }: Look): Html | string {
  if (counted.length === 0) return '';
  return section(
    title,
    html`<div class="scroll">
        <table>
          <tr>
            <th class="wide">Space</th>
            <th class="number">${head}</th>
          </tr>
          ${counted.map(
            ({ name, count }) =>
              html`<tr>
                <td class="wide">${name}</td>
                <td class="number">${thousands(count)}</td>
              </tr>`,
          )}
        </table>
      </div>
      ${allOfThem(recipe, named)}`,
  );
}

function newest({ changes, since, snapshot, moreChanges }: Report, { named }: Look): Html {
  if (since === null)
    return section('Changes', html`<p>This is the first snapshot; the next one shows what changed.</p>`);
  if (changes.length === 0) return section('Changes', html`<p>Nothing changed since snapshot ${since}.</p>`);
  return section(
    `Changes since snapshot ${since}`,
    html`<div class="scroll">
        <table class="changes">
          <tr>
            <th>Change</th>
            <th>Kind</th>
            <th class="wide">What</th>
            <th class="wide">Space</th>
          </tr>
          ${changes.map(
            (row) =>
              html`<tr>
                <td class="${changeClass(row.change)}">${row.change}</td>
                <td>${kindWord(row.kind)}</td>
                <td class="wide">${row.label}${withIt(row)}</td>
                <td class="wide">${row.spaceTitle ?? ''}</td>
              </tr>`,
          )}
        </table>
      </div>
      ${moreChanges ? html`<p class="soft">and more: ${named(`docmirror diff ${since} ${snapshot.id}`)}</p>` : ''}`,
  );
}

function withIt({ within }: ReportChange): Html | string {
  const words = withinWords(new Map(Object.entries(within)));
  return words === '' ? '' : html` <span class="soft">with ${words}</span>`;
}
