// Who else may read what Docmirror writes: nobody, even where the user's own mask lets everybody.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, runOwnProcess, startCli, type Started, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

/** Lets everybody do everything with what a process makes. */
function withoutMask<T>(start: () => T): T {
  const mask = process.umask(0);
  try {
    return start();
  } finally {
    process.umask(mask);
  }
}

const FAR = 'sync: 0 0 1 1 *, drill: null, check: null, report: null, jitter: 0s';

/** What others may enter or read below a folder: what lies in a folder that they may not enter is out of their reach. */
function openBelow(folder: string, root = folder): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    const isOpen = (statSync(path).mode & 0o077) !== 0;
    const shown = isOpen ? [relative(root, path)] : [];
    return entry.isDirectory() && isOpen ? [...shown, ...openBelow(path, root)] : shown;
  });
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('scenarios/private data', () => {
  it('lets nobody else read a database, plan, export or report, whatever the mask and the folder allow', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const data = folder.at('data');
    // As a volume of a container may be: it is there already, and everybody may enter it.
    mkdirSync(data);
    chmodSync(data, 0o777);
    writeFileSync(folder.at('docmirror.yaml'), `schedule: {${FAR}}\n`);
    const env = {
      ...environmentOf(platform, data),
      DOCMIRROR_CONFIG: folder.at('docmirror.yaml'),
      DOCMIRROR_STATUS_PORT: '0',
    };
    const run = (...args: string[]) => withoutMask(() => runOwnProcess(args, { env, cwd: folder.path }));
    // Those that take the lease, one after the other.
    for (const args of [
      ['sync'],
      ['drill'],
      ['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([args[0], code], stderr).toEqual([args[0], 0]);
    }
    const made = await Promise.all([run('report', '--out', 'report.html'), run('export', '--to', 'tree')]);
    expect(made.map(({ code }) => code)).toEqual([0, 0]);
    const daemon: Started = withoutMask(() => startCli(['daemon'], { env }));
    try {
      await daemon.until(/job scheduled/);
      expect(openBelow(data)).toEqual([]);
      const found = readdirSync(data);
      for (const name of ['mirror.db', 'mirror.db-wal', 'lease.db', 'lease.lock', 'content', 'restores'])
        expect([name, found.includes(name)]).toEqual([name, true]);
      expect([modeOf(folder.at('mend.json')), modeOf(folder.at('report.html'))]).toEqual([0o600, 0o600]);
    } finally {
      await daemon.interrupt();
    }
    // A tree at a place of one's own is for whoever the user's mask lets read it.
    expect([modeOf(folder.at('tree')), modeOf(folder.at('tree', 'README.md'))]).toEqual([0o777, 0o666]);
  });
});
