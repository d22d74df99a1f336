import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { callPlatform, createWorld, listAll } from './world.ts';
import { programAt } from '../support/programs.ts';

const WRITES_BEFORE_KILL = 60;

describe('platform/store', () => {
  it('holds everything that was answered when the process is killed in the middle of writing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'platform-'));
    try {
      const database = path.join(folder, 'platform.db');
      const child = spawn(process.execPath, [programAt('test/platform/durable-platform.ts'), database, 'durable'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const { url, organization } = JSON.parse(line) as { url: string; organization: string };
      const answered: string[] = [];
      const write = async (): Promise<void> => {
        for (;;) {
          const reply = await callPlatform({ url, token: 'durable' }, 'createSpace', {
            path: { organizationId: organization },
          });
          answered.push(reply.body.id);
          if (answered.length === WRITES_BEFORE_KILL) child.kill('SIGKILL');
        }
      };
      const ended = once(child, 'exit');
      await Promise.allSettled(Array.from({ length: 8 }, write));
      await ended;
      expect(answered.length).toBeGreaterThanOrEqual(WRITES_BEFORE_KILL);

      await using world = await createWorld({ database, token: 'durable' });
      const found = await listAll(world, 'listMemberSpaces', {
        path: { organizationId: organization, userId: world.platform.owner },
      });
      const ids = new Set(found.map((entry) => entry.space.id));
      for (const id of answered) expect(ids.has(id)).toBe(true);
      for (const id of ids) expect((await world.call('getRevision', { path: { spaceId: id } })).status).toBe(200);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
