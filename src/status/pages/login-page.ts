import { html } from 'hono/html';
import { layout, type Html } from './layout.ts';

export interface LoginPageInput {
  /** Path to go to afterwards. */
  readonly next: string;
  /** What was wrong with the last try. */
  readonly wrong: string | null;
}

export function loginPage({ next, wrong }: LoginPageInput): Html {
  const body = html`<section class="narrow">
    <h2>This mirror asks for its token</h2>
    <form method="post" action="/login" class="stack">
      <input type="hidden" name="next" value="${next}" />
      <label for="token">Token (setting <code>status.token</code>)</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
      ${wrong === null ? '' : html`<p class="bad" role="alert">${wrong}</p>`}
      <button>Sign in</button>
    </form>
  </section>`;
  return layout({ title: 'Sign in', body, here: null });
}
