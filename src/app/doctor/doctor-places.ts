// The doctor's look at this machine: folders, disk, lease, the status page's address.
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytes, closedIn, ensurePrivateDirectory, nearestFolder, shellWord, toAppError } from '../../base/index.ts';
import { takeLease } from '../../mirror/index.ts';
import { listeningProblem } from '../../status/index.ts';
import { bad, good, warning, type Finding } from './finding.ts';
import { examineMirror } from './doctor-mirror.ts';
import type { Kit } from '../kit.ts';
import { OWN_FOLDERS } from '../places.ts';
import { daemonOf } from '../running/one-process.ts';

const LITTLE_DISK = 1_000_000_000;
const NO_DISK = 50_000_000;
const FEW_FILES = 2000;
const NO_FILES = 50;

/** Where the mirror lives, and how it stands. */
export async function examinePlaces(kit: Kit): Promise<Finding[]> {
  const { dataDir, secretFiles } = kit.config;
  return [
    ...(await examineSecrets(secretFiles.map(({ path }) => path))),
    await examineFolder(dataDir),
    ...(await examinePrivacy(dataDir)),
    ...(await examineFileSystem(dataDir)),
    await examineDisk(dataDir),
    await examineLease(dataDir),
    ...(await examineMirror(kit)),
  ];
}

/** A secret that everybody may read is none. */
async function examineSecrets(files: readonly string[]): Promise<Finding[]> {
  const open: string[] = [];
  for (const file of files) if (!file.startsWith(MOUNTED) && (await isOpenToAll(file))) open.push(file);
  return open.map((file) =>
    warning(
      'secrets',
      `everyone on this machine can read ${file}, in which a secret stands`,
      `Run chmod 600 ${shellWord(file)}.`,
    ),
  );
}

// In a container, which nobody else is in; whoever runs it sets no mode there.
const MOUNTED = '/run/secrets/';
const READ_BY_ALL = 0o004;
const ENTERED_BY_ALL = 0o001;

async function isOpenToAll(file: string): Promise<boolean> {
  if (!existsSync(file) || ((await stat(file)).mode & READ_BY_ALL) === 0) return false;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (((await stat(folder)).mode & ENTERED_BY_ALL) === 0) return false;
  }
  return true;
}

const OTHERS = 0o077;
const ALL_OTHERS = 0o007;

/** What others on this machine may read holds everything that the token shows. */
async function examinePrivacy(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [];
  const found = await stat(dataDir);
  const own = process.geteuid?.() ?? 0;
  // Through the group alone this user may come into the folder of somebody else, as into a volume of Kubernetes (fsGroup).
  const isOwn = own === 0 || found.uid === own;
  if (!found.isDirectory() || (found.mode & (isOwn ? OTHERS : ALL_OTHERS)) === 0) return [];
  const mode = isOwn ? '700' : 'o-rwx';
  const hint = `Run chmod ${mode} ${shellWord(dataDir)}: the mirror holds everything that the token shows.`;
  return [warning('privacy', `others on this machine can enter ${dataDir}`, hint)];
}

/** Numbers by which the system names file systems over a network: NFS, SMB, Ceph. */
const NETWORKED: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x00c36400, 'Ceph'],
]);

async function examineFileSystem(dataDir: string): Promise<Finding[]> {
  const { type } = await statfs(nearestFolder(dataDir));
  const name = NETWORKED.get(type);
  if (name === undefined) return [];
  const hint = 'Put the data directory on a disk of this machine: SQLite cannot lock reliably over a network.';
  return [warning('file system', `${dataDir} is on ${name}`, hint)];
}

/** The address of the status page must be free for the daemon, or be the daemon's own. */
export async function examineStatusPage({ config }: Kit): Promise<Finding[]> {
  const { host, port } = config.status;
  if (port === 0) return [];
  const problem = await listeningProblem({ host, port });
  if (problem === null) return [good('status page', `${host}:${port} is free`)];
  if (problem === 'EADDRINUSE') {
    const daemon = daemonOf(config.dataDir);
    if (daemon !== null) return [good('status page', `${host}:${port} is in use, and the daemon runs (${daemon})`)];
    const hint = 'Fine when docmirror serve runs there. Else set status.port or DOCMIRROR_STATUS_PORT to a free one.';
    return [warning('status page', `somebody listens on ${host}:${port} already`, hint)];
  }
  const hint = 'Set status.host to an address of this machine, and status.port to one that this user may listen on.';
  return [warning('status page', `nobody can listen on ${host}:${port} (${problem})`, hint)];
}

async function examineFolder(dataDir: string): Promise<Finding> {
  if (!existsSync(dataDir)) return good('data directory', 'is not there yet; the first walk makes it');
  try {
    await ensurePrivateDirectory(dataDir);
    const closed = closedFiles(dataDir);
    if (closed.length > 0) return closedFinding(dataDir, closed);
    return good('data directory', 'can be read and written');
  } catch (error) {
    return bad('data directory', error);
  }
}

// Where a disk is mounted there, it has a folder of root's in it (lost+found).
const OF_OURS = /^(?:mirror|lease|daemon)\.|^content$/;

/** What Docmirror keeps in the data directory, and is not this user's to read and write. */
function closedFiles(dataDir: string): string[] {
  const within = (folder: string): string[] => closedIn(join(dataDir, folder)).map((name) => join(folder, name));
  const ours = closedIn(dataDir).filter((name) => OF_OURS.test(name) || OWN_FOLDERS.includes(name));
  return [...ours, ...OWN_FOLDERS.flatMap(within)];
}

function closedFinding(dataDir: string, closed: readonly string[]): Finding {
  const [first = '', ...others] = closed;
  const more = others.length === 0 ? '' : ` and ${others.length} more there`;
  return {
    check: 'data directory',
    state: 'bad',
    found: `${join(dataDir, first)}${more}: not open to this user for reading and writing`,
    hint: `Most likely a command ran as another user, such as root. Run chown -R USER ${shellWord(dataDir)}, with the user that Docmirror runs as, and all commands as that one.`,
  };
}

async function examineDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize, ffree, files } = await statfs(nearestFolder(dataDir));
  const free = bavail * bsize;
  if (files > 0 && ffree < FEW_FILES) {
    const state = ffree < NO_FILES ? 'bad' : 'warning';
    const hint = 'Remove files from that disk, or move the data directory to one that can hold more.';
    return { check: 'disk', state, found: `room for ${ffree} more files (inodes)`, hint };
  }
  const found = `${bytes(free)} free`;
  if (free >= LITTLE_DISK) return good('disk', found);
  const state = free < NO_DISK ? 'bad' : 'warning';
  return { check: 'disk', state, found, hint: 'Free space there, or move the data directory.' };
}

async function examineLease(dataDir: string): Promise<Finding> {
  if (!existsSync(dataDir)) return good('lease', 'free');
  try {
    using _lease = await takeLease(dataDir, 'doctor');
    return good('lease', 'free');
  } catch (error) {
    const found = bad('lease', error);
    // Held by another process: that one walks. Whatever else is wrong would stop every walk.
    return toAppError(error).code === 'DM_DATA_DIR_LOCKED' ? { ...found, state: 'warning' } : found;
  }
}
