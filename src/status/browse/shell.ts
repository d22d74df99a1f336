// What every page of the browser has: where it is, and which snapshot it shows.
import { html } from 'hono/html';
import { warningOf, type Snapshot } from '../../mirror/index.ts';
import { layout, type Html } from '../pages/layout.ts';
import { at } from '../pages/words.ts';
import type { Visit } from './visit.ts';

export interface Crumb {
  readonly href: string;
  readonly name: string;
}

export interface Shell {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly body: Html;
  /** Snapshots that the page takes itself, whichever is chosen: it has no picker then. */
  readonly taken?: readonly Snapshot[];
  /** The body has the heading of the page. */
  readonly titled?: boolean;
}

/** What the frame of a page is called in addresses: with a sign that no heading of the text within has in its own name. */
export function ofFrame(name: string): string {
  return `frame:${name}`;
}

const CHOICE = ofFrame('at');

/** Choices beyond these are made by number, in the address. */
const CHOICES = 200;

export function shell(visit: Visit, { title, crumbs, body, taken, titled = false }: Shell): Html {
  const whole = html`<div class="bar">${trail(visit, crumbs)} ${taken ? '' : picker(visit)}</div>
    ${taken ? '' : oldNote(visit)} ${warnings(visit, taken ?? [visit.snapshot])} ${body}`;
  return layout({ title, body: whole, here: 'browse', wide: true, titled });
}

function trail({ query }: Visit, crumbs: readonly Crumb[]): Html {
  return html`<nav class="crumbs" aria-label="Where this is">
    <a href="/browse${query}">Mirror</a>${crumbs.map(({ href, name }) => html` / <a href="${href}">${name}</a>`)}
  </nav>`;
}

function picker({ snapshot, sealed, query, path }: Visit): Html {
  const choices = sealed.slice(0, CHOICES);
  const shown = choices.some(({ id }) => id === snapshot.id) ? choices : [...choices, snapshot];
  return html`<form action="${path}" class="picker">
    <label for="${CHOICE}">Snapshot</label>
    <select id="${CHOICE}" name="at">
      <option value="">last one</option>
      ${shown.map(({ id, started_at: started, state }) => {
        const words = `${id}: ${at(started)}${state === 'complete' ? '' : ` (${state})`}`;
        return query !== '' && id === snapshot.id
          ? html`<option value="${id}" selected>${words}</option>`
          : html`<option value="${id}">${words}</option>`;
      })}
    </select>
    <button>Show</button>
  </form>`;
}

function oldNote({ snapshot, query, path, sealed }: Visit): Html | string {
  if (query === '' || sealed[0]?.id === snapshot.id) return '';
  return html`<p class="note">
    This is how it stood at snapshot ${snapshot.id}, ${at(snapshot.started_at)}.
    <a href="${path}">Show it as it is now</a>
  </p>`;
}

/** What must be known of snapshots that are not complete, as the command line says it. */
export function warnings({ mirror, named }: Visit, snapshots: readonly Snapshot[]): Html[] {
  const texts = snapshots.flatMap((snapshot) => warningOf(mirror, snapshot) ?? []);
  return [...new Set(texts)].map((text) => html`<p class="note warn">${named(text)}</p>`);
}
