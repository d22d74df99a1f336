// Readiness rests on drills of what a restore would bring back now.
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('a drill of an older snapshot proves that one alone: the mirror was called ready for it', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  await runCli(['sync'], { env });
  await runCli(['sync'], { env });
  const older = await runCli(['drill', '--snapshot', '1', '--json'], { env });
  expect([older.code, documentOf(older)]).toMatchObject([0, { snapshot: 1, ofNewest: false, passed: true }]);
  expect(older.stderr).toContain('Snapshot 1 is not the newest complete one');
  const unproven = await runCli(['status'], { env });
  expect([unproven.code, unproven.stdout]).toEqual([1, expect.stringContaining('There is no passed drill yet')]);
  expect(unproven.stdout).toContain('snapshot 1 (not the newest complete one) passed');

  const newest = await runCli(['drill', '--json'], { env });
  expect([newest.code, documentOf(newest)]).toMatchObject([0, { snapshot: 2, ofNewest: true }]);
  expect((await runCli(['status'], { env })).code).toBe(0);
  // An older one by hand takes nothing away either.
  await runCli(['drill', '--snapshot', '1'], { env });
  expect((await runCli(['status'], { env })).code).toBe(0);
});
