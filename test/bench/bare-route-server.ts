// A bare route for each file that is named: the framework and nothing else, the same bytes from memory.
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { serve } from '@hono/node-server';

const app = new Hono();
process.argv.slice(2).forEach((file, i) => {
  const text = readFileSync(file, 'utf8');
  app.get(`/${i}`, (c) => c.body(text, 200, { 'content-type': 'application/json; charset=utf-8' }));
});
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
