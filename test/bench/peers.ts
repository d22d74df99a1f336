// Other backup programs, run over the same corpus as files: what they take, in time and space.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Peer {
  readonly name: string;
  /** Size of what it keeps, in bytes. */
  size(): number;
  /** Takes in the tree as it is now. */
  backUp(): void;
  /** Reads all that it keeps and compares it with its hashes. */
  check(): void;
}

interface Places {
  /** The folder to back up. */
  readonly tree: string;
  /** An empty folder of the peer's own. */
  readonly store: string;
}

const PACKAGES = { restic: 'restic', borg: 'borgbackup', git: 'git' } as const;
type PeerName = keyof typeof PACKAGES;

/** A peer with an empty store, installed if need be; null, with a line that says so, where it cannot be had. */
export async function openPeer(name: PeerName, { tree, store }: Places): Promise<Peer | null> {
  if (!isThere(name)) spawnSync('apt-get', ['install', '-y', PACKAGES[name]], { stdio: 'ignore' });
  if (!isThere(name)) {
    process.stderr.write(`${name} is not installed and could not be: it is left out\n`);
    return null;
  }
  await mkdir(store, { recursive: true });
  const peer = { restic, borg, git }[name]({ tree, store });
  return { name, size: () => folderSize(store), ...peer };
}

function isThere(name: PeerName): boolean {
  return spawnSync('which', [name], { stdio: 'ignore' }).status === 0;
}

type Work = Pick<Peer, 'backUp' | 'check'>;

function restic({ tree, store }: Places): Work {
  const cache = `${store}-cache`;
  const run = (...args: string[]): void =>
    perform('restic', ['--quiet', '--cache-dir', cache, '-r', store, ...args], { RESTIC_PASSWORD: 'bench' });
  run('init');
  return { backUp: () => run('backup', tree), check: () => run('check', '--read-data') };
}

function borg({ tree, store }: Places): Work {
  const environment = { BORG_BASE_DIR: `${store}-base`, BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' };
  const run = (...args: string[]): void => perform('borg', args, environment);
  run('init', '--encryption', 'none', store);
  let night = 0;
  return {
    backUp: () => run('create', '--compression', 'zstd', `${store}::night-${night++}`, tree),
    check: () => run('check', '--verify-data', store),
  };
}

function git({ tree, store }: Places): Work {
  const folder = join(store, 'repository');
  const run = (...args: string[]): void =>
    perform(
      'git',
      [
        `--git-dir=${folder}`,
        `--work-tree=${tree}`,
        '-c',
        'gc.auto=0',
        '-c',
        'user.name=b',
        '-c',
        'user.email=b@b',
        ...args,
      ],
      {},
    );
  run('init', '--quiet');
  return {
    backUp: () => {
      run('add', '--all');
      run('commit', '--quiet', '--message', 'night');
      run('gc', '--quiet', '--prune=now');
    },
    check: () => run('fsck', '--full'),
  };
}

function perform(program: string, args: readonly string[], environment: Readonly<Record<string, string>>): void {
  const done = spawnSync(program, args, { env: { ...process.env, ...environment }, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${done.status}:\n${done.stderr}`);
}

/** Bytes of all files below a folder. */
export function folderSize(path: string): number {
  if (!existsSync(path)) return 0;
  return readdirSync(path, { withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isDirectory() ? folderSize(join(path, entry.name)) : statSync(join(path, entry.name)).size),
    0,
  );
}
