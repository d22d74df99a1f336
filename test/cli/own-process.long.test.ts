// Most tests run their commands in a process that ran others before. Here each has one of its own: it says the same, tells the system
// the same code, and comes to its end by itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { environmentOf, runCli, runOwnProcess, testFolder, type CliOptions } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const folder = testFolder();
let platform: EmbeddedPlatform;
let options: CliOptions;

beforeAll(async () => {
  platform = await startSeeded();
  options = { env: environmentOf(platform, folder.at('data')), cwd: folder.path };
});

afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('cli, a command in a process of its own', () => {
  it('walks, and exits with 3 where it could not read all', async () => {
    const walked = await runOwnProcess(['sync', '--json'], options);
    expect([walked.code, walked.stderr]).toEqual([0, '']);
    platform.faults = [{ operation: 'getRevision', count: 100, effect: { status: 403 } }];
    const partial = await runOwnProcess(['sync', '--full'], options);
    platform.faults = [];
    expect(partial.code).toBe(3);
  });

  it.each([
    [['snapshots', '--json'], 0],
    [['diff', '1', 'latest'], 0],
    [['query', '--csv', 'select id, title from pages order by id'], 0],
    [['query', 'select nothing'], 2],
    [['restore', 'apply', 'nowhere.json'], 2],
    [['restore', 'verify', 'nothing'], 2],
    [['restore', 'list'], 0],
    [['completion', 'bash'], 0],
  ])('runs %j as where others ran before', async (args, code) => {
    const before = await runCli(args, options);
    const own = await runOwnProcess(args, options);
    expect(own.code).toBe(code);
    expect(own).toEqual(before);
  });

  it.each([
    [['check']],
    [['doctor']],
    [['drill']],
    [['export', '--to', 'tree', '--snapshot', '1']],
    [['report', '--out', 'report.html']],
    [['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json']],
    [['status']],
  ])('ends %j by itself, with the code that it has elsewhere', async (args) => {
    const own = await runOwnProcess(args, options);
    const after = await runCli(args, options);
    expect(own.code, own.stderr).toBe(after.code);
  });
});
