import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { environmentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('app/left-targets', () => {
  it('takes away what a killed verification left behind, and nothing else, at the next run that holds the lease', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const left = folder.at('data', 'restores', 'target-aB3xYz');
    const others = ['target-mine.json', 'target-of-mine', 'r1'].map((name) => folder.at('data', 'restores', name));
    for (const one of [left, ...others]) mkdirSync(one, { recursive: true });
    writeFileSync(`${left}/mirror.db`, 'x');
    await runCli(['status'], { env });
    expect(existsSync(left)).toBe(true);
    expect((await runCli(['sync'], { env })).code).toBe(0);
    expect([left, ...others].map((one) => existsSync(one))).toEqual([false, true, true, true]);
  });
});
