// Other backup programs, run over the same corpus as files: what they take, in time and space.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { runToEnd, type Command, type Finished } from './measured.ts';

export interface Peer {
  readonly name: string;
  /** Size of what it keeps, in bytes. */
  size(): number;
  /** Takes in the tree as it is now. */
  backUp(): void;
  /** Reads all that it keeps and compares it with its hashes. */
  check(): void;
  /** Writes the tree as it was last taken in to a folder that is empty; measured. */
  restore(folder: string): Promise<Finished>;
  /** What any command of its takes before its work begins; measured. */
  open(): Promise<Finished>;
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
  if (!isThere(name)) install(PACKAGES[name]);
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

function install(name: string): void {
  for (const args of [['update'], ['install', '-y', name]])
    spawnSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** What is installed, by name and number; what is not is left out. */
export function versionsOfPeers(): string[] {
  return Object.keys(PACKAGES).flatMap((name) => {
    const told = spawnSync(name, [name === 'restic' ? 'version' : '--version'], { encoding: 'utf8' });
    const number = told.status === 0 ? /\d+(\.\d+)+/.exec(told.stdout)?.[0] : undefined;
    return number === undefined ? [] : [`${name} ${number}`];
  });
}

type Work = Pick<Peer, 'backUp' | 'check' | 'restore' | 'open'>;

function restic({ tree, store }: Places): Work {
  const environment = { RESTIC_PASSWORD: 'bench' };
  const command = (...args: string[]) => ({
    program: 'restic',
    args: ['--quiet', '--cache-dir', `${store}-cache`, '-r', store, ...args],
    environment,
  });
  perform(command('init'));
  return {
    backUp: () => perform(command('backup', tree)),
    check: () => perform(command('check', '--read-data')),
    restore: (folder) => runToEnd(command('restore', 'latest', '--target', folder)),
    open: () => runToEnd(command('cat', 'config')),
  };
}

function borg({ tree, store }: Places): Work {
  const environment = { BORG_BASE_DIR: `${store}-base`, BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' };
  const command = (...args: string[]) => ({ program: 'borg', args, environment });
  perform(command('init', '--encryption', 'none', store));
  let night = 0;
  return {
    backUp: () => perform(command('create', '--compression', 'zstd', `${store}::night-${night++}`, tree)),
    check: () => perform(command('check', '--verify-data', store)),
    restore: (folder) => runToEnd({ ...command('extract', `${store}::night-${night - 1}`), folder }),
    open: () => runToEnd(command('list', '--short', store)),
  };
}

function git({ tree, store }: Places): Work {
  const settings = ['gc.auto=0', 'user.name=b', 'user.email=b@b'].flatMap((one) => ['-c', one]);
  const places = [`--git-dir=${join(store, 'repository')}`, `--work-tree=${tree}`];
  const command = (...args: string[]) => ({ program: 'git', args: [...places, ...settings, ...args], folder: tree });
  const run = (...args: string[]): void => perform(command(...args));
  run('init', '--quiet');
  return {
    backUp: () => {
      run('add', '--all');
      run('commit', '--quiet', '--message', 'night');
      run('gc', '--quiet', '--prune=now');
    },
    check: () => run('fsck', '--full'),
    restore: (folder) => runToEnd(command('checkout-index', '--all', `--prefix=${relative(tree, folder)}/`)),
    open: () => runToEnd(command('rev-parse', 'HEAD')),
  };
}

function perform({ program, args, environment, folder }: Command): void {
  const env = { ...process.env, ...environment };
  const done = spawnSync(program, args, { env, cwd: folder, encoding: 'utf8' });
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
