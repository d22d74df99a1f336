import { Hono } from 'hono';
import type { PlatformContext } from '../context.ts';
import { openApiDocument } from './openapi.ts';
import { referencePage } from './reference-page.ts';

/** `/openapi.json` and the reference at `/`; both are open to everybody, because they tell nothing but the contract. */
export function describeApp(context: Pick<PlatformContext, 'url'>): Hono {
  const app = new Hono();
  app.get('/openapi.json', (c) => c.json(openApiDocument(context.url)));
  app.get('/', (c) => {
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    return c.html(referencePage(openApiDocument(context.url), context.url));
  });
  return app;
}
