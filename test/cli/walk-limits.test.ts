import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { forecastView } from '../../src/cli/views/forecast.ts';
import { coverage } from '../../src/contract/index.ts';
import { UNKNOWN_FORECAST } from '../../src/walker/index.ts';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

interface Sync {
  state: string;
  requests: number;
}

interface Forecast {
  requests: number | null;
  ifNothingChanged: number | null;
}

describe('cli/commands/sync, limits', () => {
  it('forecasts a walk without sending anything, and the walk keeps to it', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync', '--json'], { env });
    platform.clearRequestLog();
    const { requests } = documentOf<Forecast>(await runCli(['sync', '--plan', '--json'], { env }));
    expect(platform.requestLog.total()).toBe(0);
    expect(documentOf<Sync>(await runCli(['sync', '--json'], { env })).requests).toBe(requests);
    const told = await runCli(['sync', '--plan'], { env });
    expect(told.stdout).toMatch(/^The next walk: about \d+ requests, /);
  });

  it('says before the first walk that only the platform knows its size, and makes nothing: it told to walk first', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const told = await runCli(['sync', '--plan'], { env });
    expect([told.code, told.stdout]).toEqual([
      0,
      expect.stringMatching(/^There is no walk yet to forecast from/) as string,
    ]);
    expect(documentOf<Forecast>(await runCli(['sync', '--plan', '--json'], { env })).requests).toBeNull();
    expect([
      existsSync(folder.at('data')),
      (await runCli(['sync', '--plan', '--kind', 'nothing'], { env })).code,
    ]).toEqual([false, 2]);
  });

  it('takes no other work in the data directory for a walk: beside a prune, one that was cut off was said to be under way', () => {
    const one = { ...UNKNOWN_FORECAST, continues: 2 };
    expect(forecastView(one, 'prune, process 7')).toBe(forecastView(one, null));
  });

  it('forecasts beside a walk that is under way: it said that this one was cut off, and would be given up', () => {
    const [full, same] = [
      { ...UNKNOWN_FORECAST, givesUp: { snapshot: 2, why: 'it was full' } },
      { ...UNKNOWN_FORECAST, continues: 2 },
    ];
    for (const one of [full, same]) {
      const told = forecastView(one, 'sync, process 7');
      expect(told).toContain('\nSnapshot 2 is under way (sync, process 7)');
      expect(told).not.toContain('cut off');
    }
    expect(forecastView(full, null)).toMatch(/Snapshot 2 was cut off and is given up: it was full\.$/);
    expect(forecastView(same, null)).toMatch(/Snapshot 2 was cut off and is continued first\.$/);
  });

  it('ends as partial with exit code 3 when its requests are used up', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const ended = await runCli(['sync', '--max-requests', '12', '--json'], { env });
    expect([ended.code, documentOf<Sync>(ended).state]).toEqual([3, 'partial']);
    const next = await runCli(['sync', '--json'], { env });
    expect([next.code, documentOf<Sync>(next).state]).toEqual([0, 'complete']);
  });

  it('names what is wrong with a limit', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    for (const [flag, value, said] of [
      ['--kind', 'pages', '--kind is "pages"; expected one of'],
      ['--kind', 'pages', '(Did you mean page?)'],
      ['--max-duration', 'soon', '--max-duration is "soon"'],
      ['--max-duration', '5', 'expected a time with its unit'],
      ['--max-duration', '0s', 'expected a time with its unit, above 0'],
      ['--max-requests', '-1', '--max-requests is "-1"'],
      ['--max-requests', '99999999999999999999', '--max-requests is "99999999999999999999"'],
      ['--max-requests', '0', '--max-requests is "0"; expected a whole number above 0'],
    ] as const) {
      const ended = await runCli(['sync', `${flag}=${value}`], { env });
      expect([ended.code, ended.stderr], flag).toEqual([2, expect.stringContaining(said) as string]);
    }
  });
});

describe('cli/commands/doctor, coverage and drift', () => {
  it('lists each read of the contract with what becomes of it', async () => {
    using folder = testFolder();
    const env = { DOCMIRROR_DATA_DIR: folder.at('data') };
    const { operations } = documentOf<{ operations: { is: string }[] }>(
      await runCli(['doctor', '--coverage', '--json'], { env }),
    );
    expect(operations).toHaveLength(coverage().length);
    const told = await runCli(['doctor', '--coverage'], { env });
    expect(told.stdout).toMatch(/\d+ reads: \d+ mirrored, \d+ derived, \d+ not mirrored/);
  });

  it('lists what the platform sent beyond the contract', async () => {
    await using platform = await startSeeded({ faults: [{ operation: 'getPage', effect: { addField: 'mood' } }] });
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync', '--json'], { env });
    const { drift } = documentOf<{ drift: object[] }>(await runCli(['doctor', '--drift', '--json'], { env }));
    expect(drift).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'page', path: 'mood', what: 'field' })]),
    );
    expect((await runCli(['doctor', '--drift'], { env })).stdout).toMatch(/page +mood +field/);
    // Asked for together, the second was not answered.
    const both = ['doctor', '--coverage', '--drift'];
    expect((await runCli(both, { env })).stdout).toMatch(/reads: [\s\S]*\n\n[\s\S]*page +mood +field/);
    const documents = documentOf(await runCli([...both, '--json'], { env }));
    expect(Object.keys(documents)).toEqual(['operations', 'drift']);
    expect(documents['drift']).toEqual(drift);
  });
});
