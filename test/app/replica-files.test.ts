// The bytes of files as the replica sends them, whatever the platform says of a file.
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { replicaRoutes } from '../../src/app/running/replica-routes.ts';
import { manualClock, seededRandom, silentLogger } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import type { Mirror } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const TOKEN = 'a-token-of-readers';
const AUTHORIZED = { headers: { authorization: `Bearer ${TOKEN}` } };

function noClient(): never {
  throw new Error('the replica asks no platform');
}

interface Asked {
  readonly method?: string;
  /** Done to the mirror before the file is asked for. */
  readonly before?: (mirror: Mirror) => unknown;
}

/** What a file is sent as, by its address in the answer of the API. */
async function sentAs(name: string, contentType: string, asked: Asked = {}) {
  using test = await createTestMirror();
  const { dataDir, mirror } = test;
  const files = [{ id: 'f', name, bytes: Buffer.from('its bytes'), body: { contentType } }];
  await test.add({ spaces: [{ id: 's', title: 'Space', files }] });
  const environment = { DOCMIRROR_DATA_DIR: dataDir, DOCMIRROR_REPLICA_TOKEN: TOKEN };
  const config = loadConfig({ flags: {}, environment, cwd: dataDir });
  const app = new Hono();
  const clock = manualClock(mirror.clock.now());
  replicaRoutes({ config, clock, random: seededRandom(1), log: silentLogger(), clientOf: noClient })(app);
  const shown = (await (await app.request('/v1/spaces/s/content/files/f', AUTHORIZED)).json()) as {
    downloadURL: string;
  };
  asked.before?.(mirror);
  const answer = await app.request(shown.downloadURL, { method: asked.method ?? 'GET' });
  const { status, headers } = answer;
  return {
    status,
    bytes: await answer.text(),
    type: headers.get('content-type'),
    as: headers.get('content-disposition'),
    length: headers.get('content-length'),
  };
}

describe('app/replica files', () => {
  it('come with their name, and as what the platform says they are', async () => {
    expect(await sentAs('grün 😀.txt', 'text/plain; charset=utf-8')).toEqual({
      status: 200,
      bytes: 'its bytes',
      type: 'text/plain; charset=utf-8',
      as: "attachment; filename*=UTF-8''gr%C3%BCn%20%F0%9F%98%80.txt",
      length: '9',
    });
  });

  it('tell no path of the machine when the mirror cannot be read', async () => {
    const answer = await sentAs('a.txt', 'text/plain', {
      before: (mirror) => mirror.store.driver.pragma('user_version = 1000'),
    });
    expect([answer.status, answer.bytes]).toEqual([500, expect.stringContaining('(DM_DATABASE_NEWER)')]);
    expect(answer.bytes).not.toContain('mirror.db');
  });

  it('tell before they come how long they are, to HEAD as well: a download without an end to its progress bar', async () => {
    expect(await sentAs('a.txt', 'text/plain', { method: 'HEAD' })).toMatchObject({
      status: 200,
      bytes: '',
      length: '9',
    });
  });

  it.each(['image/png\r\nx-more: 1', 'text/тип', 'a\u0000b', ''])(
    'come although the platform says they are %j: "500 Internal Server Error", and no bytes',
    async (contentType) => {
      expect(await sentAs('a.txt', contentType)).toMatchObject({
        status: 200,
        bytes: 'its bytes',
        type: 'application/octet-stream',
      });
    },
  );

  it('come although their name holds half a character: "URI malformed", and no bytes', async () => {
    expect(await sentAs('half \ud83d.txt', 'text/plain')).toMatchObject({
      status: 200,
      bytes: 'its bytes',
      as: "attachment; filename*=UTF-8''half%20%EF%BF%BD.txt",
    });
  });
});
