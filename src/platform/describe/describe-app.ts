import { Hono } from 'hono';
import type { PlatformContext } from '../context.ts';
import { openApiDocument } from './openapi.ts';
import { referencePage } from './reference-page.ts';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** `/openapi.json` and the reference at `/`; both are open to everybody, because they tell nothing but the contract. */
export function describeApp(context: Pick<PlatformContext, 'url'>): Hono {
  const app = new Hono();
  app.get('/openapi.json', (c) => c.json(openApiDocument(context.url)));
  app.get('/', (c) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    return c.html(referencePage(openApiDocument(context.url), context.url));
  });
  return app;
}
