// The charts of the report.
import { bytes, thousands } from '../../base/index.ts';
import { html } from 'hono/html';
import { barListView } from '../charts/bar-list.ts';
import { chartView, type Chart } from '../charts/chart.ts';
import type { Counted } from '../report-stand.ts';
import type { Report, ReportNight } from '../report.ts';
import type { Html } from './layout.ts';
import { took } from './words.ts';

interface Plan extends Pick<Chart, 'id' | 'title' | 'about' | 'look' | 'format'> {
  readonly series: readonly (readonly [name: string, pick: (night: ReportNight) => number | null])[];
}

const PLANS: readonly Plan[] = [
  {
    id: 'size-of-it',
    title: 'Pages and files',
    about: 'How many pages and files there were at each snapshot.',
    look: 'lines',
    format: thousands,
    series: [
      ['pages', (night) => night.pages],
      ['files', (night) => night.files],
    ],
  },
  {
    id: 'changes',
    title: 'Changes',
    about: 'What came, changed and went in each night, or in several together where there are many.',
    look: 'bars',
    format: thousands,
    series: [
      ['added', (night) => night.added],
      ['changed', (night) => night.changed],
      ['gone', (night) => night.gone],
    ],
  },
  {
    id: 'requests',
    title: 'Requests',
    about: 'Requests that each walk sent.',
    look: 'bars',
    format: thousands,
    series: [['requests', (night) => night.requests]],
  },
  {
    id: 'duration',
    title: 'Duration',
    about: 'How long each walk worked.',
    look: 'lines',
    format: took,
    series: [['duration', (night) => night.durationMs]],
  },
  {
    id: 'broken-links',
    title: 'Broken links',
    about: 'Links that the platform calls broken, at each snapshot that could read its links.',
    look: 'lines',
    format: thousands,
    series: [['broken links', (night) => night.brokenLinks]],
  },
  {
    id: 'backlog',
    title: 'Waiting for somebody',
    about: 'Open comments, and change requests that are open or drafts, at each snapshot.',
    look: 'lines',
    format: thousands,
    series: [
      ['open comments', (night) => night.openComments],
      ['open change requests', (night) => night.openChangeRequests],
    ],
  },
  {
    id: 'disk',
    title: 'Size on disk',
    about: 'Bytes of the database, and of the files that it refers to, after each snapshot.',
    look: 'lines',
    format: bytes,
    series: [
      ['database', (night) => night.databaseBytes],
      ['files', (night) => night.objectBytes],
    ],
  },
];

export function reportCharts(report: Report): Html {
  const times = report.nights.map(({ at }) => Date.parse(at));
  return html`<div class="charts">
    ${PLANS.map(({ series, ...plan }) =>
      chartView({ ...plan, times, series: series.map(([name, pick]) => ({ name, values: report.nights.map(pick) })) }),
    )}
    ${lists(report)}
  </div>`;
}

function lists({ changeRequestAges, editAges, contributors }: Report): Html[] {
  const rows = (counted: readonly Counted[]): { name: string; value: number }[] =>
    counted.map(({ name, count }) => ({ name, value: count }));
  const has = (counted: readonly Counted[]): boolean => counted.some(({ count }) => count > 0);
  return [
    barListView({
      id: 'request-ages',
      title: 'Age of change requests',
      about: 'Change requests that are open or drafts, by their age.',
      rows: has(changeRequestAges) ? rows(changeRequestAges) : [],
      format: thousands,
      empty: 'No change request is open.',
    }),
    barListView({
      id: 'edit-ages',
      title: 'Age of pages',
      about: 'Documents by the time since their last edit.',
      rows: rows(editAges),
      format: thousands,
      empty: 'There is no page.',
    }),
    barListView({
      id: 'contributors',
      title: 'Contributors',
      about: 'The people with the most comments, replies and change requests.',
      rows: rows(contributors),
      format: thousands,
      empty: 'Nobody has commented or proposed a change yet.',
    }),
  ];
}
