// What a terminal is given to show, by a terminal of its own.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../src/base/index.ts';
import { environmentOf, MAIN, runCli, testFolder } from '../support/cli.ts';
import { acceptSnapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const HOSTILE =
  "select 'a' || char(27) || '[2J' || char(155) || '31m' || char(8238) || 'b' as text, 'l' || char(10) || 'm' as lines";

function inTerminal(args: readonly string[]): string {
  using folder = testFolder();
  const command = [process.execPath, MAIN, ...args].map(shellWord).join(' ');
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', NO_COLOR: '1' };
  return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: folder.path, env, encoding: 'utf8' }).stdout;
}

it('lets no title give orders to the terminal that CSV or JSON is looked at in, and changes no byte of a file', async () => {
  using world = await createTestMirror();
  await world.add({ spaces: [{ id: 's1', title: 'S', pages: [] }] });
  const query = ['query', HOSTILE, '--data-dir', world.dataDir];
  const shown = String.raw`a\u001b[2J\u009b31m\u202eb`;
  // A terminal ends lines with both.
  expect(inTerminal([...query, '--csv']).replaceAll(/\r+\n/g, '\n')).toBe(`text,lines\n${shown},"l\nm"\n`);
  expect(inTerminal([...query, '--json']).trim()).toBe(`[{"text":"${shown}","lines":"l\\nm"}]`);
  const piped = await runCli([...query, '--csv']);
  expect(piped.stdout).toBe('text,lines\na\u001b[2J\u009b31m\u202eb,"l\nm"\n');
});

it('lets nothing that an error repeats give orders to the terminal, as text or as JSON', () => {
  const shown = inTerminal(['query', '--recipe', 'x\u001b[2J\u009b31m', '--json']);
  expect(shown).toContain('DM_USAGE');
  expect(['\u001b', '\u009b'].filter((sign) => shown.includes(sign))).toEqual([]);
});

it('lets no reason give orders to the terminal in which a snapshot is pinned or accepted', async () => {
  using world = await createTestMirror();
  await world.add({ spaces: [{ id: 's1', title: 'S', pages: [] }] });
  const reason = 'x\u001b[2J\u202ey';
  acceptSnapshot(world.mirror, 1, reason);
  const shown = inTerminal(['snapshots', 'pin', '1', '--reason', reason, '--data-dir', world.dataDir]);
  expect(shown.trim()).toBe('Snapshot 1 is pinned: x[2Jy');
  const told = inTerminal(['snapshots', 'show', '1', '--data-dir', world.dataDir]);
  expect(told).toContain('pinned: x[2Jy');
  expect(told).toMatch(/accepted on \S+ x\[2Jy;/);
});

it('shows why something was not read, where there is no room for its request too: of each line only a part of the address was there', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  platform.faults = [{ operation: 'listComments', effect: 'html' }];
  const show = ['snapshots', 'show', '1', '--data-dir', folder.at('data')];
  expect((await runCli(['sync'], { env: environmentOf(platform, folder.at('data')) })).code).toBe(3);
  expect(inTerminal(show)).toMatch(/^comment \w+ +200 {2}answered 200 with text\/html that .*…\r*$/m);
  expect((await runCli(show)).stdout).toMatch(
    / 200 {2}GET \/v1\/spaces\/\w+\/comments\S+ \(listComments\) answered 200 with/,
  );
});

it('shows the names of kinds whole in 80 columns: seven of them were all change-req…', async () => {
  using world = await createTestMirror();
  const files = [{ id: 'f', name: 'a.txt', bytes: 'a' }];
  const requests = [{ id: 'c', number: 1, subject: 'C', pages: [{ id: 'p', title: 'P' }], files }];
  await world.add({ spaces: [{ id: 's', title: 'S', requests }] });
  const shown = inTerminal(['snapshots', 'show', '1', '--data-dir', world.dataDir]);
  expect(shown.match(/^change-request\S*/gm)).toEqual(['change-request', 'change-request-file', 'change-request-page']);
  expect(shown).toMatch(/^kind +seen +added +changed +unchanged +gone\r?$/m);
});
