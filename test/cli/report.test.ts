import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

let platform: EmbeddedPlatform;
let folder: TestFolder;

beforeAll(async () => {
  platform = await startSeeded();
  folder = testFolder();
  await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) });
});

afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function offline(...args: string[]): Promise<Ended> {
  return runCli(args, { env: { DOCMIRROR_DATA_DIR: folder.at('data') } });
}

describe('cli/commands/report', () => {
  it('shows the figures that the views count', async () => {
    const counted = documentOf<{ n: number }[]>(await offline('query', 'select count(*) as n from pages', '--json'));
    const report = documentOf<{ totals: { pages: number }; file: unknown }>(await offline('report', '--json'));
    expect([report.totals.pages, report.file]).toEqual([counted[0]?.n, null]);
    expect((await offline('report')).stdout).toMatch(/pages +\d[^]*Largest spaces[^]*--out report\.html/);
  });

  it('writes one file, and says where it cannot', async () => {
    const out = folder.at('report.html');
    const written = await offline('report', '--out', out);
    expect([written.code, written.stdout]).toEqual([0, expect.stringContaining(`Written ${out}`)]);
    expect(readFileSync(out, 'utf8')).toContain('Pages and files');
    const refused = await offline('report', '--out', folder.at('none', 'report.html'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('DM_USAGE')]);
  });

  it('says that there is no snapshot yet', async () => {
    const ended = await runCli(['report'], { env: { DOCMIRROR_DATA_DIR: folder.at('empty') } });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('DM_NO_SNAPSHOT')]);
  });
});
