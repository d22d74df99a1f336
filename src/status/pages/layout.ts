import { html, raw } from 'hono/html';
import { STYLE } from './style.ts';

export type Html = ReturnType<typeof html>;

export interface Layout {
  readonly title: string;
  readonly body: Html;
  /** Which part of the site this is; null outside of all. */
  readonly here: 'status' | 'report' | 'browse' | null;
  /** Seconds after which the browser loads the page again; never without. */
  readonly refresh?: number;
  /** Content is wide: a tree beside a text. */
  readonly wide?: boolean;
  /** The body begins with a heading of the first rank, which a page has once; else the name of the site is that. */
  readonly titled?: boolean;
}

const PARTS = [
  { id: 'status', href: '/', name: 'Status' },
  { id: 'report', href: '/report', name: 'Report' },
  { id: 'browse', href: '/browse', name: 'Browse' },
] as const;

/** A whole page. Everything that comes from outside is escaped by `html`; there is no script. */
export function layout({ title, body, here, refresh, wide = false, titled = false }: Layout): Html {
  const home = html`<a href="/">Docmirror</a>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${refresh === undefined ? '' : html`<meta http-equiv="refresh" content="${refresh}" />`}
        <title>${title} · Docmirror</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      </head>
      <body class="${wide ? 'wide' : ''}">
        <header>
          ${titled ? html`<p class="site">${home}</p>` : html`<h1 class="site">${home}</h1>`}
          <nav aria-label="Parts">${here === null ? '' : PARTS.map((part) => partLink(part, here))}</nav>
          ${here === null ? '' : searchForm()}
        </header>
        <main>${body}</main>
        <footer>This page only reads the mirror. It loads nothing from anywhere else.</footer>
      </body>
    </html>`;
}

/** A command: a line ends between its words, or within a long path, but not within a flag. */
export function commandCode(command: string): Html {
  const words = command
    .split(' ')
    .map((word, at) => html`${at === 0 ? '' : ' '}${isFlag(word) ? html`<span class="flag">${word}</span>` : word}`);
  return html`<code>${words}</code>`;
}

function isFlag(word: string): boolean {
  return /^--[a-z][a-z-]*$/.test(word);
}

/** Words of ours, the commands in them as code: on a terminal they stand between backticks. */
export function withCode(words: string): Html {
  const pieces = words.split('`');
  const isWhole = pieces.length % 2 === 1;
  return isWhole ? html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : commandCode(piece)))}` : html`${words}`;
}

/** A page as one file: its style inside, nothing to follow, nothing to load. */
export function standalone({ title, body }: Pick<Layout, 'title' | 'body'>): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title} · Docmirror</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header><h1 class="site">Docmirror</h1></header>
        <main>${body}</main>
        <footer>Written by docmirror report. It loads nothing from anywhere.</footer>
      </body>
    </html>`;
}

function partLink({ id, href, name }: (typeof PARTS)[number], here: Layout['here']): Html {
  return id === here ? html`<a href="${href}" aria-current="page">${name}</a>` : html`<a href="${href}">${name}</a>`;
}

function searchForm(): Html {
  return html`<form action="/browse/search" class="search" role="search">
    <input name="q" type="search" placeholder="Search pages" aria-label="Search pages and comments" />
  </form>`;
}

/** A titled part of a page. */
export function section(title: string | Html, body: Html | string): Html {
  return html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`;
}

/** Named values side by side; what is empty is left out. */
export function factList(facts: readonly (readonly [name: string, value: string])[], look = ''): Html {
  return html`<dl class="facts ${look}">
    ${facts
      .filter(([, value]) => value !== '')
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}
