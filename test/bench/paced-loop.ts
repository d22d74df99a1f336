// The peer of a walk with a limit: a loop over undici that starts so many requests in a second. A program: `ORIGIN TOKEN PER_SECOND SECONDS PATH...`.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

// As the client does: what comes due within this time goes out together.
const TOGETHER_MS = 10;
const CONNECTIONS = 16;

const [origin = '', token = '', perSecond = '', seconds = '', ...paths] = process.argv.slice(2);
const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });

async function ask(path: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    path,
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
  JSON.parse(text);
}

const started = performance.now();
const all = Number(perSecond) * Number(seconds);
const asked: Promise<void>[] = [];
while (asked.length < all) {
  const due = Math.min(all, Math.ceil(((performance.now() - started) / 1000) * Number(perSecond)));
  while (asked.length < due) asked.push(ask(paths[asked.length % paths.length] ?? ''));
  if (asked.length < all) await sleep(TOGETHER_MS);
}
await Promise.all(asked);
const ms = performance.now() - started;
await pool.close();
process.stdout.write(`${JSON.stringify({ requests: all, ms })}\n`);
