import { html } from 'hono/html';
import { isoTime } from '../../base/index.ts';
import type { JobState, LiveState } from '../live-state.ts';
import type { StatusReport } from '../status-report.ts';
import type { Stored } from '../stored.ts';
import { coverage, drills, failures, runs } from './status-tables.ts';
import { layout, type Html } from './layout.ts';
import { amount, relative, size } from './words.ts';

export interface StatusPageInput {
  readonly status: StatusReport;
  readonly live: LiveState;
  readonly stored: Stored | null;
  readonly dataDir: string;
  readonly now: number;
}

const REFRESH_S = 30;
const REFRESH_WALKING_S = 3;

export function statusPage(input: StatusPageInput): Html {
  const { status, live, now } = input;
  const body = html`${verdict(input)} ${walking(live, status)} ${jobs(live, now)} ${runs(status)} ${coverage(status)}
  ${failures(status)} ${drills(status)} ${howToQuery(input)}`;
  const title = status.ready ? 'Ready' : 'Not ready';
  return layout({ title, body, refresh: live.walk === null ? REFRESH_S : REFRESH_WALKING_S });
}

function verdict({ status, stored, now }: StatusPageInput): Html {
  const words = status.ready ? 'Ready: the mirror is fresh and proven' : 'Not ready';
  const { lastComplete, drillAgeMs, snapshotAgeMs } = status;
  const known = (age: number | null): string => (age === null ? 'never' : relative(-age));
  return html`<section>
    <p class="verdict ${status.ready ? 'good' : 'bad'}">${words}</p>
    ${
      status.reasons.length === 0
        ? ''
        : html`<ul>
            ${status.reasons.map((reason) => html`<li>${reason}</li>`)}
          </ul>`
    }
    <dl class="facts">
      ${fact('Last complete snapshot', lastComplete ? `${lastComplete.id}, ${known(snapshotAgeMs)}` : 'never')}
      ${fact('Last passed drill', known(drillAgeMs))} ${fact('Pages', amount(stored?.rows['page'] ?? 0))}
      ${fact('Spaces', amount(stored?.rows['space'] ?? 0))}
      ${fact('On disk', size((stored?.databaseBytes ?? 0) + (stored?.objectBytes ?? 0)))}
      ${fact('Platform', status.lastSealed?.origin ?? 'none yet')}
    </dl>
    <p class="soft">As of ${isoTime(now).slice(0, 19).replace('T', ' ')} UTC</p>
  </section>`;
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function walking({ walk }: LiveState, { open }: StatusReport): Html | string {
  if (walk) {
    const total = walk.visited + walk.waiting;
    return html`<section>
      <h2>Walk under way: snapshot ${walk.snapshot}</h2>
      <progress value="${walk.visited}" max="${Math.max(1, total)}"></progress>
      <p>${amount(walk.visited)} visits of ${amount(total)} known so far, ${amount(walk.requests)} requests</p>
    </section>`;
  }
  if (!open) return '';
  return html`<section>
    <h2>Walk of snapshot ${open.id} is not finished</h2>
    <p>It was begun at ${open.started_at} and is under way elsewhere, or was cut off; the next sync continues it.</p>
  </section>`;
}

function jobs({ jobs: all }: LiveState, now: number): Html | string {
  if (all.length === 0) return '';
  return html`<section>
    <h2>Schedule</h2>
    <ul>
      ${all.map((job) => html`<li>${job.name}: ${nextRun(job, now)}${failure(job, now)}</li>`)}
    </ul>
  </section>`;
}

function nextRun(job: JobState, now: number): string {
  if (job.running) return 'running now';
  return job.next === null ? 'not scheduled' : `next ${relative(job.next - now)}`;
}

function failure({ failure: last }: JobState, now: number): Html | string {
  if (!last) return '';
  return html` <span class="bad">failed ${relative(last.at - now)}: ${last.message} (${last.code})</span>
    <span class="soft">${last.hint}</span>`;
}

function howToQuery({ dataDir }: StatusPageInput): Html {
  return html`<section>
    <h2>Ask it yourself</h2>
    <pre><code>docmirror query "select title, path from pages limit 5"
docmirror query "select title from pages_search where pages_search match 'install*'"
sqlite3 ${dataDir}/mirror.db "select name, description from docs_tables"</code></pre>
  </section>`;
}
