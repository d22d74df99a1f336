import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('app/left-targets', () => {
  it('takes away what a killed verification or drill left behind, and nothing else, at the next run that holds the lease', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const left = folder.at('data', 'restores', 'target-aB3xYz');
    const drill = folder.at('data', 'restores', 'drill-platform');
    const others = ['target-mine.json', 'target-of-mine', 'r1'].map((name) => folder.at('data', 'restores', name));
    for (const one of [left, drill, ...others]) mkdirSync(one, { recursive: true });
    writeFileSync(`${left}/mirror.db`, 'x');
    await runCli(['status'], { env });
    expect(existsSync(left)).toBe(true);
    expect((await runCli(['sync'], { env })).code).toBe(0);
    expect([left, drill, ...others].map((one) => existsSync(one))).toEqual([false, false, true, true, true]);
  });

  it('leaves nothing of a drill behind, so that the folder does not grow with each of them', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    expect((await runCli(['sync'], { env })).code).toBe(0);
    expect((await runCli(['drill'], { env })).code).toBe(0);
    expect(readdirSync(folder.at('data', 'restores'))).toEqual([]);
  });
});
