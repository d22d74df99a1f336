// A restore whose undo was begun and has not come to its end, and an undo whose restore has gone on since it was planned.
import { describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

interface Stage extends AsyncDisposable {
  readonly platform: EmbeddedPlatform;
  /** The restore that mends them, of which one write has failed. */
  readonly restore: string;
  readonly run: (...args: string[]) => Promise<Ended>;
  readonly titles: () => Promise<string[]>;
}

const REFUSED = { operation: 'updateCollection', effect: { status: 400 } } as const;

/** Two collections are renamed; the second is not set back by the first try. */
async function halfMended(): Promise<Stage> {
  const platform = await startSeeded();
  const editor = editorOf(platform);
  const folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  const run = (...args: string[]): Promise<Ended> => runCli(['restore', ...args], { env, cwd: folder.path });
  const path = { organizationId: platform.organizations()[0] ?? '' };
  await editor.api.createCollection({ path, body: { title: 'Second' } });
  await runCli(['sync'], { env });
  const listed = async () => (await editor.api.listCollections({ path })).items;
  for (const { id } of (await listed()).slice(0, 2))
    await editor.api.updateCollection({ path: { collectionId: id }, body: { title: `Bad ${id}` } });
  await run('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
  platform.faults = [{ ...REFUSED, nth: 2 }];
  const applied = await run('apply', 'mend.json', '--json');
  platform.faults = [];
  const dispose = async (): Promise<void> => {
    await editor[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  const { restore, failed } = documentOf<{ restore: string; failed: number }>(applied);
  expect([applied.code, failed]).toEqual([3, 1]);
  const titles = async (): Promise<string[]> => (await listed()).map(({ title }) => title);
  return { platform, restore, run, titles, [Symbol.asyncDispose]: dispose };
}

function bad(titles: readonly string[]): number {
  return titles.filter((title) => title.startsWith('Bad')).length;
}

// Each waits six seconds for writes that may be on their way still: side by side.
describe.concurrent('cli/restore, half undone', () => {
  it('does not go on while its undo has not come to its end, and names the resume of that', async () => {
    await using stage = await halfMended();
    const { platform, restore, run, titles } = stage;
    platform.faults = [REFUSED];
    const failed = await run('undo', restore, '--json');
    platform.faults = [];
    const { restore: undo } = documentOf<{ restore: string }>(failed);
    expect(failed.code).toBe(3);
    const before = await titles();
    const resumed = await run('resume', restore);
    expect([resumed.code, resumed.stderr]).toEqual([
      4,
      expect.stringContaining(`being taken back by restore ${undo}, which has not come to its end`),
    ]);
    expect(resumed.stderr).toContain(`docmirror restore resume ${undo}`);
    const again = await run('apply', 'mend.json');
    expect(again.stderr).toContain(`docmirror restore resume ${undo}`);
    expect(again.stderr).not.toContain(`docmirror restore resume ${restore}`);
    expect(await titles()).toEqual(before);
    expect((await run('resume', undo)).code).toBe(0);
    expect(bad(await titles())).toBe(2);
    const applied = await run('apply', 'mend.json');
    expect(applied.stderr).toContain(`It was taken back by restore ${undo}`);
    expect(applied.stderr).not.toContain('restore resume');
  });

  it('refuses an undo that was planned before the restore went on: it took back half and called it undone', async () => {
    await using stage = await halfMended();
    const { restore, run, titles } = stage;
    const { plan } = documentOf<{ plan: string }>(await run('undo', restore, '--plan-only', '--json'));
    expect((await run('resume', restore)).code).toBe(0);
    const refused = await run('apply', plan);
    expect(refused.stderr).toContain(`restore ${restore} has gone on since`);
    expect(refused.stderr).toContain(`docmirror restore undo ${restore}`);
    expect(bad(await titles())).toBe(0);
    expect((await run('undo', restore)).code).toBe(0);
    expect(bad(await titles())).toBe(2);
  });
});
