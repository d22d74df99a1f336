// What changed between two snapshots, by space.
import { inTurns, thousands, type Pieces } from '../../base/index.ts';
import { html } from 'hono/html';
import { diffSnapshots, ownNews, readerAt, type Difference, type Snapshot } from '../../mirror/index.ts';
import { section, type Html } from '../pages/layout.ts';
import { at, changeClass, kindWord, seenOr } from '../pages/words.ts';
import { goesWithSpace, wholeSpacesOf, withinWords, type WholeSpace } from '../whole-spaces.ts';
import { encoded, spacePath } from './addresses.ts';
import { shell } from './shell.ts';
import { titleOf } from './title-of.ts';
import type { Visit } from './visit.ts';

/** Differences beyond these are told by the command line. */
const SHOWN = 1000;

export interface Span {
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** Id of a space; null for all. */
  readonly space: string | null;
}

/** Of a night in which most of it came or went there are hundreds of thousands: others have their turn meanwhile. */
export async function changesView(visit: Visit, span: Span, signal: AbortSignal): Promise<Html> {
  const { groups, whole, hidden } = await inTurns(gather(visit, span), signal);
  const [from, to] = [span.from.id, span.to.id];
  const title = `Changes from snapshot ${from} to ${to}`;
  const body = html`<h1 class="title">${title}</h1>
    <p class="soft">${at(span.from.started_at)} to ${at(span.to.started_at)}</p>
    ${chooser(span)} ${whole.map((one) => wholeView(span, one))}
    ${groups.size + whole.length === 0 ? html`<section><p>Nothing changed.</p></section>` : ''}
    ${[...groups].map(([space, changes]) => groupView(visit, span, { space, changes }))}
    ${hidden ? html`<p class="soft">Not all is shown. ${visit.named(`docmirror diff ${from} ${to}`)} lists everything.</p>` : ''}`;
  const crumb = { href: `/browse/changes?from=${from}&to=${to}`, name: 'Changes' };
  return shell(visit, { title, crumbs: [crumb], body, taken: [span.from, span.to], titled: true });
}

interface Gathered {
  readonly groups: ReadonlyMap<string, Difference[]>;
  readonly whole: readonly WholeSpace[];
  readonly hidden: boolean;
}

// So many are looked at in some milliseconds.
const AT_ONCE = 1000;

function* gather({ mirror }: Visit, { from, to, space }: Span): Pieces<Gathered> {
  const groups = new Map<string, Difference[]>();
  const ends = [from.id, to.id] as const;
  const whole = space === null ? wholeSpacesOf(mirror, ends) : new Map<string, WholeSpace>();
  yield;
  let count = 0;
  let hidden = false;
  let looked = 0;
  // Of more than are shown, spaces and pages are told before what hangs on them.
  for (const change of ownNews(diffSnapshots(mirror, ends, { space, parentsFirst: true }))) {
    if (++looked % AT_ONCE === 0) yield;
    const isWhole = change.kind === 'space' && whole.has(change.key);
    if (isWhole || goesWithSpace(whole, change)) continue;
    hidden = ++count > SHOWN;
    if (hidden) continue;
    const group = groups.get(change.space ?? '');
    if (group) group.push(change);
    else groups.set(change.space ?? '', [change]);
  }
  return { groups, whole: [...whole.values()].slice(0, SHOWN), hidden: hidden || whole.size > SHOWN };
}

function wholeView({ from, to }: Span, { space: { key, label, change }, within }: WholeSpace): Html {
  const counts = withinWords(within);
  return section(
    html`Space ${label}: <span class="${changeClass(change)}">${change}</span>`,
    html`<p>
      ${counts === '' ? 'Nothing was in it.' : html`With ${counts}.`}
      <a href="/browse/changes?from=${from.id}&to=${to.id}&space=${encoded(key)}">List it</a>
    </p>`,
  );
}

function chooser({ from, to, space }: Span): Html {
  return html`<form action="/browse/changes" class="row">
    <label>from snapshot <input name="from" inputmode="numeric" size="6" value="${from.id}" /></label>
    <label>to <input name="to" inputmode="numeric" size="6" value="${to.id}" /></label>
    ${space === null ? '' : html`<input type="hidden" name="space" value="${space}" />`}
    <button>Compare</button>
  </form>`;
}

interface Group {
  /** Empty for what is outside of spaces. */
  readonly space: string;
  readonly changes: readonly Difference[];
}

/** A space as it is at the end of the span, or was at its beginning. */
function spaceName({ mirror }: Visit, { from, to }: Span, space: string): Html | string {
  if (space === '') return 'Organization';
  for (const { id } of [to, from]) {
    const found = readerAt(mirror, id, { damaged: 'empty' }).one('space', space);
    if (found) return html`<a href="${spacePath(space, `?at=${id}`)}">${titleOf(found)}</a>`;
  }
  return space;
}

function groupView(visit: Visit, span: Span, { space, changes }: Group): Html {
  const { from, to } = span;
  return section(
    html`${spaceName(visit, span, space)}: ${thousands(changes.length)}`,
    html`<div class="scroll">
      <table class="changes">
        ${changes.map((change) => {
          const query = new URLSearchParams({
            from: String(from.id),
            to: String(to.id),
            kind: change.kind,
            key: change.key,
          });
          return html`<tr>
            <td class="${changeClass(change.change)}">${change.change}</td>
            <td>${kindWord(change.kind)}</td>
            <td class="wide">
              <a href="/browse/changes/detail?${query.toString()}">${seenOr(change.label, change.key)}</a>
            </td>
          </tr>`;
        })}
      </table>
    </div>`,
  );
}
