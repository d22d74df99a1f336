// Whoever searches closes the browser: a search that goes through all texts takes a minute in a large mirror.
import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { replicaRoutes } from '../../src/app/running/replica-routes.ts';
import { createLogger, seededRandom, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { noRuntimeState, startStatusServer } from '../../src/status/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const TOKEN = 'a-token-of-readers';
const WORDS = 'Words enough, with many more of their kind, so that a few pages of them fill a piece. ';
// The one looks through so many texts in a piece, the other through so many letters.
const SEARCHES = [
  ['/browse/search?q=号', 8000, '文字'],
  ['/v1/spaces/s/search?query=number', 400, WORDS.repeat(100)],
] as const;

it.each(SEARCHES)(
  'ends a search whose client has gone, and logs no error: %s ran on to its end',
  async (path, length, text) => {
    using made = await createTestMirror();
    const pages = Array.from({ length }, (_, n) => ({ id: `p${n}`, title: `Page ${n}`, text }));
    await made.add({ spaces: [{ id: 's', title: 'Guide', pages }] });
    const { dataDir } = made;
    const logged: string[] = [];
    const destination = { write: (line: string) => void logged.push(line) };
    const log = createLogger({ level: 'info', pretty: false, destination });
    const environment = { DOCMIRROR_DATA_DIR: dataDir, DOCMIRROR_REPLICA_TOKEN: TOKEN };
    const config = loadConfig({ flags: {}, environment, cwd: dataDir });
    const parts = { dataDir, clock: systemClock(), log };
    const answers = new EventEmitter();
    const ended = once(answers, 'end');
    const client = new AbortController();
    await using server = await startStatusServer({
      ...parts,
      freshness: { snapshotMs: 1, drillMs: 1 },
      live: () => noRuntimeState,
      host: '127.0.0.1',
      port: 0,
      beside: (app) => {
        app.use(async (c, next) => {
          client.abort();
          await next();
          answers.emit('end', c.res.status);
        });
        replicaRoutes({ ...parts, config, random: seededRandom(1), clientOf: () => expect.unreachable() })(app);
      },
    });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await expect(fetch(`${server.url}${path}`, { headers, signal: client.signal })).rejects.toThrow('abort');
    expect({ status: await ended, logged }).toEqual({ status: [499], logged: [] });
  },
);
