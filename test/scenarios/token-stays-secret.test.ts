import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { furnish } from '../support/content.ts';
import { filesBelow } from '../support/planted.ts';
import { TestWorld } from '../support/world.ts';

describe('scenarios/token', () => {
  it('is in no file of the data directory, whatever failed', async () => {
    const token = 'dm_planted_token_0123456789';
    await using world = await TestWorld.create({ token });
    await furnish(world);
    const body = { error: { code: 500, message: `cannot accept Bearer ${token}` } };
    world.platform.faults = [
      { operation: 'getPage', nth: 2, effect: { status: 500, body } },
      { operation: 'listComments', effect: 'html' },
      { operation: 'download', nth: 1, effect: { status: 403, body: token } },
    ];
    const { snapshot, failures } = await world.sync();
    expect([snapshot.state, failures.length > 2]).toEqual(['partial', true]);
    world.close();
    const files = filesBelow(world.dataDir);
    expect(files.filter((file) => file.includes('/objects/')).length).toBeGreaterThan(0);
    for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
    for (const file of files) expect(readFileSync(file).includes(token), file).toBe(false);
    await world.open();
  });
});
