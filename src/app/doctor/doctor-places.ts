// The doctor's look at this machine: folders, disk, lease, mirror, the status page's address.
import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { nearestFolder, shellWord, toAppError } from '../../base/index.ts';
import {
  databasePath,
  failuresOf,
  isAccepted,
  lastComplete,
  lastSealed,
  listDrift,
  listShrunk,
  readMirror,
  refusedIn,
  refusedWords,
  takeLease,
  type Mirror,
} from '../../mirror/index.ts';
import { readStatus } from '../../status/index.ts';
import { otherPlatform } from '../../walker/index.ts';
import { bad, good, warning, type Finding } from './finding.ts';
import { drillRoom, roomText } from '../drill-room.ts';
import type { Kit } from '../kit.ts';
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
    examineMirror(kit),
    ...(await examineDrill(kit)),
    ...examineContents(kit),
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

/** What others on this machine may read holds everything that the token shows. */
async function examinePrivacy(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [];
  const { mode } = await stat(dataDir);
  if ((mode & OTHERS) === 0) return [];
  const found = `others on this machine can enter ${dataDir}`;
  return [
    warning('privacy', found, `Run chmod 700 ${shellWord(dataDir)}: the mirror holds everything that the token shows.`),
  ];
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
  const problem = await listeningProblem(host, port);
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

/** The system's code for why an address cannot be listened on; null when it can. */
function listeningProblem(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function examineFolder(dataDir: string): Promise<Finding> {
  if (!existsSync(dataDir)) return good('data directory', 'is not there yet; the first walk makes it');
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return good('data directory', 'can be read and written');
  } catch (error) {
    return bad('data directory', error);
  }
}

async function examineDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize, ffree, files } = await statfs(nearestFolder(dataDir));
  const free = bavail * bsize;
  if (files > 0 && ffree < FEW_FILES) {
    const state = ffree < NO_FILES ? 'bad' : 'warning';
    const hint = 'Remove files from that disk, or move the data directory to one that can hold more.';
    return { check: 'disk', state, found: `room for ${ffree} more files (inodes)`, hint };
  }
  const found = `${free >= LITTLE_DISK ? `${(free / 1e9).toFixed(1)} GB` : `${Math.round(free / 1e6)} MB`} free`;
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

function examineMirror({ config, clock }: Kit): Finding {
  if (!existsSync(databasePath(config.dataDir))) {
    return { check: 'mirror', state: 'warning', found: 'there is none yet', hint: 'Run docmirror sync.' };
  }
  try {
    using mirror = readMirror({ dataDir: config.dataDir, clock });
    const { baseUrl } = config.platform;
    const refusal = baseUrl === null ? null : otherPlatform(mirror, baseUrl);
    if (refusal !== null) return bad('mirror', refusal);
    const { ready, reasons } = readStatus(mirror, clock.now(), config.freshness);
    if (ready) return examineLast(mirror);
    const hint = 'Run docmirror sync and docmirror drill, or keep the daemon running.';
    return { check: 'mirror', state: 'warning', found: reasons.join('; '), hint };
  } catch (error) {
    return bad('mirror', error);
  }
}

/** The newest snapshot of a mirror that is ready: it may be of a night that went wrong. */
function examineLast(mirror: Mirror): Finding {
  const last = lastSealed(mirror);
  if (last === undefined || last.state === 'complete' || isAccepted(mirror, last.id))
    return good('mirror', `fresh and proven; the last snapshot is ${last?.id ?? 0}`);
  const found = `fresh and proven by an earlier snapshot; the last one, ${last.id}, is ${last.state}: ${last.reason ?? ''}`;
  return warning('mirror', found, `Run \`docmirror snapshots show ${last.id}\`: it says what to do.`);
}

/** Whether the next drill will find room. */
async function examineDrill({ config, clock }: Kit): Promise<Finding[]> {
  if (config.schedule.drill === null || !existsSync(databasePath(config.dataDir))) return [];
  try {
    using mirror = readMirror({ dataDir: config.dataDir, clock });
    const last = lastComplete(mirror);
    if (last === undefined) return [];
    const room = await drillRoom(mirror, last.id, config);
    if (room.free >= room.needed) return [];
    const hint = 'Free space there, move the data directory to a larger disk, or set schedule.drill to null.';
    return [warning('drill', `there is no room for one: ${roomText(room)}`, hint)];
  } catch {
    // Whatever keeps the mirror from being read is told by its own finding.
    return [];
  }
}

/** What the last walk was refused, whether or not a person said that this is meant. */
function examineRefusals(mirror: Mirror, hint: string): Finding[] {
  const last = lastSealed(mirror);
  if (last === undefined) return [];
  const accepted = refusedIn(mirror, last.id);
  const others = failuresOf(mirror, last.id).filter(({ code }) => code === 'DM_FORBIDDEN');
  return [
    ...(accepted.length === 0
      ? []
      : [good('scope', `refused to this token, as was accepted: ${refusedWords(accepted)}`)]),
    ...(others.length === 0 ? [] : [warning('scope', `refused to this token: ${refusedWords(others)}`, hint)]),
  ];
}

/** Rights that were lost, and what the platform sends beyond its contract. */
function examineContents({ config, clock }: Kit): Finding[] {
  if (!existsSync(databasePath(config.dataDir))) return [];
  try {
    using mirror = readMirror({ dataDir: config.dataDir, clock });
    const hint = 'Give the token the rights, or say that they are as they should be: docmirror sync --accept-rights.';
    const lost = listShrunk(mirror).map(({ kind, key, lost: rights }): Finding => {
      return { check: 'scope', state: 'warning', found: `no ${rights.join(', ')} on ${kind} ${key} any more`, hint };
    });
    const refusals = examineRefusals(mirror, hint);
    const drift = listDrift(mirror);
    const kinds = [...new Set(drift.map(({ kind }) => kind))].join(', ');
    if (drift.length === 0) return [...lost, ...refusals, noDrift(mirror)];
    const found = `${drift.length} fields or values are not in the contract, in ${kinds}; they are kept`;
    return [
      ...lost,
      ...refusals,
      { check: 'drift', state: 'warning', found, hint: 'See them: docmirror doctor --drift.' },
    ];
  } catch {
    // Whatever keeps the mirror from being read is told by its own finding.
    return [];
  }
}

/** What was never read proves nothing. */
function noDrift(mirror: Mirror): Finding {
  if (lastSealed(mirror) !== undefined) return good('drift', 'all that the platform sends is in the contract');
  return warning(
    'drift',
    'nothing was read yet: there is no snapshot',
    'Run docmirror sync: a walk notes what is not in the contract.',
  );
}
