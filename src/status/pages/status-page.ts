import { html } from 'hono/html';
import { bytes, count, isoTime, shellWord, thousands } from '../../base/index.ts';
import type { Failure, RetentionVerdict } from '../../mirror/index.ts';
import { OF_NO_WORK, type JobState, type RuntimeState } from '../runtime-state.ts';
import type { Named } from '../named.ts';
import { platformWords, type StatusReport } from '../status-report.ts';
import type { Stored } from '../stored.ts';
import { deletedSpaces } from './deleted-spaces.ts';
import { commandCode, layout, section, withCode, type Html } from './layout.ts';
import { openRestores } from './restores.ts';
import { coverage, drills, failures, runs } from './status-tables.ts';
import { retention } from './status-retention.ts';
import { at, relative, took } from './words.ts';

export interface StatusPageInput {
  readonly status: StatusReport;
  /** Some of what failed in the last sealed snapshot. */
  readonly failures: readonly Failure[];
  readonly live: RuntimeState;
  readonly stored: Stored | null;
  /** Who writes to the data directory now; null when nobody does. */
  readonly holder: string | null;
  /** Visits that an open walk still has to make, as far as it knows. */
  readonly waiting: number;
  /** What the policy says of each snapshot, oldest first; null when nothing is forgotten by itself. */
  readonly kept: readonly RetentionVerdict[] | null;
  /** The reader showed a token, and can take it back. */
  readonly canLeave: boolean;
  /** The reader wants it not to be loaded again by itself. */
  readonly stands: boolean;
  readonly dataDir: string;
  /** Address of the platform that the settings name; null where they name none. */
  readonly configured: string | null;
  readonly named: Named;
  readonly now: number;
}

/** In the address of a page that is not loaded again by itself. */
export const STANDS = 'still';

const SCHEDULE = 'schedule';
const REFRESH_S = 30;
const REFRESH_WALKING_S = 3;

export function statusPage(input: StatusPageInput): Html {
  const { status, live } = input;
  const isWalking = live.walk !== null || (status.open !== null && input.holder !== null);
  const seconds = isWalking ? REFRESH_WALKING_S : REFRESH_S;
  const body = html`${renewal(input, seconds)} ${parts(input)}`;
  const title = status.ready ? 'Ready' : 'Not ready';
  return layout({ title, body, here: 'status', ...(input.stands ? {} : { refresh: seconds }) });
}

function parts(input: StatusPageInput): Html {
  const { status, live, now } = input;
  return html`${verdict(input)} ${deletedSpaces(status, input.named)} ${openRestores(status, input.holder, input.named)}
  ${walking(input)} ${jobs(live, now)} ${unsent(live, now)} ${runs(status, input.named)} ${failures(input)}
  ${drills(status)} ${retention(input)} ${coverage(status)} ${howToQuery(input)}
  ${input.canLeave ? html`<form method="post" action="/logout"><button>Sign out</button></form>` : ''}`;
}

/** Whoever goes through the page by key or by ear begins anew with each loading. */
function renewal({ stands }: StatusPageInput, seconds: number): Html {
  return stands
    ? html`<p class="renewal soft">This page stands still. <a href="/">Load it again by itself</a></p>`
    : html`<p class="renewal soft">
        This page is loaded again every ${seconds} seconds. <a href="/?${STANDS}">Let it stand still</a>
      </p>`;
}

function verdict(input: StatusPageInput): Html {
  const { status, stored, now, named } = input;
  const words = status.ready ? 'Ready: the mirror is fresh and proven' : 'Not ready';
  const { lastSound, drillAgeMs, snapshotAgeMs } = status;
  const known = (age: number | null, isAhead: boolean): string =>
    age === null ? 'never' : relative(isAhead ? age : -age);
  return html`<section>
    <p class="verdict ${status.ready ? 'good' : 'bad'}">${words}</p>
    ${
      status.reasons.length === 0
        ? ''
        : html`<ul>
            ${status.reasons.map((reason) => html`<li>${reason}</li>`)}
          </ul>`
    }
    ${doubt(status, named)} ${failedJobs(input)} ${remedy(input)}
    <dl class="facts">
      ${fact('Last complete snapshot', lastSound ? `${known(snapshotAgeMs, status.snapshotAhead)} (number ${lastSound.id}${lastSound.state === 'complete' ? '' : ', but for what was accepted'})` : 'never')}
      ${fact('Last passed drill', known(drillAgeMs, status.drillAhead))}
      ${fact('Pages', thousands(stored?.rows['page'] ?? 0))} ${fact('Spaces', thousands(stored?.rows['space'] ?? 0))}
      ${fact('On disk', bytes((stored?.databaseBytes ?? 0) + (stored?.objectBytes ?? 0)))}
      <div class="long">
        <dt>Platform</dt>
        <dd>${platformWords(status, input.configured)}</dd>
      </div>
    </dl>
    <p class="soft">As of ${isoTime(now).slice(0, 19).replace('T', ' ')} UTC</p>
  </section>`;
}

/** The commands; none while something would only keep them out. */
function remedy(input: StatusPageInput): Html | string {
  const commands = input.status.remedy;
  if (commands === null) return '';
  const why = whyWait(commands, input);
  if (why !== null) return html`<p>What to do: wait, ${why}</p>`;
  const each = commands.split(/, then (?=docmirror )/);
  return html`<p>What to do: ${each.map((one, at) => html`${at === 0 ? '' : ', then '}${commandCode(one)}`)}</p>`;
}

function whyWait(commands: string, { live, holder }: StatusPageInput): string | null {
  const own = live.jobs.filter(({ name }) => commands.includes(`docmirror ${name}`));
  if (own.length > 0 && own.every(({ due }) => due === true)) return 'the daemon is at it';
  // That only reads, and nothing keeps it out.
  if (commands.startsWith('docmirror snapshots show')) return null;
  if (live.walk !== null) return 'a walk is under way';
  return holder === null ? null : 'the data directory is in use';
}

/** Ready is said of the last complete snapshot; what came after it is said, too. */
function doubt({ lastSealed, accepted }: StatusReport, named: Named): Html | string {
  if (!lastSealed || (lastSealed.state !== 'partial' && lastSealed.state !== 'suspect')) return '';
  if (accepted !== null) {
    return html`<p class="soft">
      The newest snapshot, ${lastSealed.id}, is ${lastSealed.state}: ${lastSealed.reason ?? ''}. Accepted on
      ${accepted.at.slice(0, 10)}: ${accepted.reason}
    </p>`;
  }
  return html`<p>
    <span class="warn">The newest snapshot, ${lastSealed.id}, is ${lastSealed.state}</span>: ${lastSealed.reason ?? ''}.
    See ${commandCode(named(`docmirror snapshots show ${lastSealed.id}`))}
  </p>`;
}

/** A walk that never came to a snapshot is no newest one: nothing else up here would tell of it. */
function failedJobs({ live, now }: StatusPageInput): Html | string {
  const each = live.jobs.flatMap(({ name, failure: last }) =>
    last === null || OF_NO_WORK.includes(last.code) ? [] : [`${name} failed ${relative(last.at - now)}`],
  );
  if (each.length === 0) return '';
  return html`<p><span class="warn">${each.join(', ')}</span>: the <a href="#${SCHEDULE}">schedule</a> says why.</p>`;
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function walking({ live: { walk }, status, holder, waiting }: StatusPageInput): Html | string {
  if (walk) {
    const total = walk.visited + walk.waiting;
    return section(
      `Walk under way: snapshot ${walk.snapshot}`,
      html`<progress value="${walk.visited}" max="${Math.max(1, total)}" aria-label="Visits that are done"></progress>
        <p>${count(walk.visited, 'visit')} of ${thousands(total)} known so far, ${count(walk.requests, 'request')}</p>`,
    );
  }
  if (status.open) return elsewhere(status.open, { continuing: status.continuing, holder, waiting });
  return holder === null ? '' : html`<section><p>The data directory is held by: ${holder}</p></section>`;
}

interface Elsewhere extends Pick<StatusPageInput, 'holder' | 'waiting'> {
  readonly continuing: string | null;
}

function elsewhere(open: NonNullable<StatusReport['open']>, { continuing, holder, waiting }: Elsewhere): Html {
  if (holder === null) {
    return section(
      `Walk of snapshot ${open.id} was cut off`,
      html`<p>
        It was begun at ${at(open.started_at)}; ${count(waiting, 'visit')} ${waiting === 1 ? 'is' : 'are'} left.
        ${commandCode(continuing ?? '')} continues it.
      </p>`,
    );
  }
  return section(
    `Snapshot ${open.id} is open`,
    html`<p>
        Begun at ${at(open.started_at)}, ${count(open.requests, 'request')} so far, ${count(waiting, 'visit')} waiting.
      </p>
      <p>The data directory is held by: ${holder}</p>`,
  );
}

function jobs({ jobs: all }: RuntimeState, now: number): Html | string {
  if (all.length === 0) return '';
  return html`<section id="${SCHEDULE}">
    <h2>Schedule</h2>
    <ul>
      ${all.map((job) => html`<li>${job.name}: ${nextRun(job, now)}${failure(job, now)}</li>`)}
    </ul>
  </section>`;
}

function nextRun(job: JobState, now: number): string {
  const last = job.last ? `; last begun ${relative(job.last.at - now)}, took ${took(job.last.ms)}` : '';
  const missed = job.missed ? `; the run due ${relative(job.missed - now)} was missed` : '';
  if (job.running) return `running now${missed}`;
  if (job.due === true) return `due now, waits for what is under way${last}${missed}`;
  return `${job.next === null ? 'not scheduled' : `next ${relative(job.next - now)}`}${last}${missed}`;
}

function failure({ failure: last }: JobState, now: number): Html | string {
  if (!last) return '';
  return html` <span class="bad">failed ${relative(last.at - now)}: ${withCode(last.message)} (${last.code})</span>
    <span class="soft">${withCode(last.hint)}</span>`;
}

/** Whoever waits to be told by a channel that takes nothing takes silence for good news. */
function unsent({ messages = [] }: RuntimeState, now: number): Html | string {
  const lines = messages.flatMap(({ channel, unsent: last }) => (last ? [{ channel, ...last }] : []));
  if (lines.length === 0) return '';
  return section(
    'Messages that were not taken',
    html`<ul>
      ${lines.map(
        ({ channel, at: tried, why }) =>
          html`<li>
            ${channel}: <span class="bad">the last one could not be sent ${relative(tried - now)}: ${why}</span>
          </li>`,
      )}
    </ul>`,
  );
}

function howToQuery({ dataDir, named }: StatusPageInput): Html {
  const query = named('docmirror query');
  return section(
    'Ask it yourself',
    html`<pre><code>${query} "select title, path from pages limit 5"
${query} "select title from pages_search where pages_search match 'install*'"
sqlite3 ${shellWord(`${dataDir}/mirror.db`)} "select name, description from docs_tables"</code></pre>
      <p><a href="/metrics">Metrics</a> for Prometheus, <a href="/readyz">readiness</a> for probes</p>`,
  );
}
