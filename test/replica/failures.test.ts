// What a reader of the replica is told when the mirror behind it cannot be read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atOnce, manualClock, openSqlite, Secret, seededRandom, silentLogger } from '../../src/base/index.ts';
import { databasePath } from '../../src/mirror/index.ts';
import { createReplica } from '../../src/replica/index.ts';
import { testFolder } from '../support/cli.ts';

const BREAKS: readonly (readonly [code: string, status: number, said: string, place: (dataDir: string) => void])[] = [
  ['DM_NO_SNAPSHOT', 503, 'docmirror sync', () => undefined],
  ['DM_DATABASE_DAMAGED', 500, 'docmirror check', (dataDir) => writeFileSync(databasePath(dataDir), 'x'.repeat(9000))],
  ['DM_DATABASE_NEWER', 500, 'starts it anew', newer],
  ['DM_DATA_DIR_UNUSABLE', 500, 'docmirror doctor', (dataDir) => mkdirSync(databasePath(dataDir))],
];

function newer(dataDir: string): void {
  using store = openSqlite({ path: databasePath(dataDir), name: 'the mirror', migrations: { 1: '' } });
  store.driver.pragma('user_version = 1000');
}

describe('replica', () => {
  it.each(BREAKS)(
    'says %s, and what to do, and no path of the machine: the answer was "The replica failed"',
    (...[code, status, said, place]) => {
      using folder = testFolder();
      place(folder.path);
      const replica = createReplica({
        dataDir: folder.path,
        clock: manualClock(),
        random: seededRandom(1),
        log: silentLogger(),
        tokens: [Secret.of('reader')],
      });
      const header = (name: string): string | undefined => (name === 'authorization' ? 'Bearer reader' : undefined);
      const answer = atOnce(replica.answer({ method: 'GET', target: '/v1/orgs', header, base: 'http://replica' }));
      expect([answer.status, answer.headers['docmirror-error']]).toEqual([status, code]);
      expect(JSON.parse(answer.text ?? '')).toEqual({
        error: { code: status, message: expect.stringContaining(`(${code})`) },
      });
      expect(answer.text).toContain(said);
      expect(answer.text).not.toContain(folder.path);
    },
  );
});
