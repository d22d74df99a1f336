import { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

export interface Layout {
  readonly title: string;
  readonly body: Html;
  /** Seconds after which the browser loads the page again. */
  readonly refresh: number;
}

/** A whole page. Everything that comes from outside is escaped by `html`; there is no script. */
export function layout({ title, body, refresh }: Layout): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="${refresh}" />
        <title>${title} · Docmirror</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <h1>Docmirror</h1>
          <nav><a href="/">Status</a><a href="/report">Report</a><a href="/metrics">Metrics</a></nav>
        </header>
        <main>${body}</main>
        <footer>This page only reads the mirror. It loads nothing from anywhere else.</footer>
      </body>
    </html>`;
}
