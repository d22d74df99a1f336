import { html } from 'hono/html';
import { layout, section, type Html } from './layout.ts';

/** For an address of no page. */
export function missingPage(): Html {
  const body = section('There is no such page', html`<p><a href="/">Begin at the status</a></p>`);
  return layout({ title: 'Not here', body, here: null });
}
