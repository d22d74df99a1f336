// The mistakes that people make most, looked for one by one. Nothing is changed.
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { request } from 'undici';
import { toAppError } from '../base/index.ts';
import { createClient } from '../client/index.ts';
import { isPlatformNamed, requirePlatform, type PlatformConfig } from '../config/index.ts';
import { operationOf } from '../contract/index.ts';
import { databasePath, lastSealed, listDrift, listShrunk, readMirror, takeLease, type Drift } from '../mirror/index.ts';
import { readStatus } from '../status/index.ts';
import type { Kit } from './kit.ts';

export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly found: string;
  /** What to do; null when all is well. */
  readonly hint: string | null;
}

const TIMEOUT_MS = 10_000;
const SKEW_MS = 60_000;
const LITTLE_DISK = 1_000_000_000;
const NO_DISK = 50_000_000;

/** Looks at configuration, platform, token, rights, clock, disk, lease and mirror. */
export async function examine(kit: Kit, signal: AbortSignal): Promise<Finding[]> {
  const { dataDir, schedule } = kit.config;
  const scheduled = schedule.sync === null ? 'no walk is scheduled' : `walks at "${schedule.sync}"`;
  const configuration = good('configuration', `data directory ${dataDir}, ${scheduled}`);
  return [
    configuration,
    ...(await examinePlatform(kit, signal)),
    await examineFolder(dataDir),
    await examineDisk(dataDir),
    await examineLease(dataDir),
    examineMirror(kit),
    ...examineContents(kit),
  ];
}

async function examinePlatform(kit: Kit, signal: AbortSignal): Promise<Finding[]> {
  if (!isPlatformNamed(kit.config)) {
    const hint = 'Set DOCMIRROR_BASE_URL and DOCMIRROR_TOKEN to walk a platform; reading the mirror needs none.';
    return [{ check: 'platform', state: 'warning', found: 'none is configured', hint }];
  }
  try {
    const platform = requirePlatform(kit.config);
    const answered = await examineAnswer(kit, platform, signal);
    const reached = answered.every(({ state }) => state !== 'bad');
    return reached ? [...answered, ...(await examineToken(kit, platform, signal))] : answered;
  } catch (error) {
    return [bad('platform', error)];
  }
}

/** Asks without a token: any answer proves the way there, and carries the platform's time. */
async function examineAnswer({ clock }: Kit, { baseUrl }: PlatformConfig, signal: AbortSignal): Promise<Finding[]> {
  const started = clock.now();
  try {
    const options = { signal, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    const answer = await request(`${baseUrl}${operationOf('listOrganizations').path}`, options);
    await answer.body.dump();
    const ended = clock.now();
    const page = webPage(answer.headers['content-type']);
    if (page !== null) {
      const hint =
        'Check that the base address leads to the API itself and not to a web page, a proxy or a login page.';
      const found = `${baseUrl} answers ${answer.statusCode} with ${page} where the API answers JSON (DM_NOT_JSON)`;
      return [{ check: 'platform', state: 'bad', found, hint }];
    }
    const reachable = good('platform', `${baseUrl} answers in ${ended - started} ms`);
    return [reachable, ...skewOf(answer.headers.date, (started + ended) / 2)];
  } catch (error) {
    signal.throwIfAborted();
    const hint = 'Check the base address, the network and the platform.';
    const found = `${baseUrl} does not answer: ${error instanceof Error ? reasonOf(error) : String(error)}`;
    return [{ check: 'platform', state: 'bad', found, hint }];
  }
}

/** The content type of an answer that no API gives; null when it may be one. */
function webPage(type: string | string[] | undefined): string | null {
  const given = Array.isArray(type) ? type[0] : type;
  return given !== undefined && /^(text\/html|application\/xhtml)/i.test(given) ? given : null;
}

function reasonOf(error: Error): string {
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

function skewOf(date: string | string[] | undefined, now: number): Finding[] {
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(theirs)) return [];
  const seconds = Math.round((now - theirs) / 1000);
  if (Math.abs(now - theirs) <= SKEW_MS) return [good('clock', 'agrees with the platform')];
  const found = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the platform`;
  return [{ check: 'clock', state: 'warning', found, hint: 'Set the clock of this machine, for example with NTP.' }];
}

async function examineToken(kit: Kit, { baseUrl, token }: PlatformConfig, signal: AbortSignal): Promise<Finding[]> {
  const { clock, random, log, config } = kit;
  const limits = { ...config.limits, retries: 0, timeoutMs: Math.min(config.limits.timeoutMs, TIMEOUT_MS) };
  await using client = createClient({ baseUrl, token, clock, random, log, limits });
  const options = { signal };
  try {
    const { items } = await client.call('listOrganizations', { query: {} }, options);
    const found = good('token', `shows ${items.length} organization${items.length === 1 ? '' : 's'}`);
    const rights: Finding[] = [];
    for (const { id } of items) {
      try {
        await client.call('listMembers', { path: { organizationId: id }, query: { limit: 1 } }, options);
        rights.push(good('rights', `members and collections of ${id} can be listed`));
      } catch (error) {
        rights.push({ ...bad('rights', error), state: 'warning' });
      }
    }
    return [found, ...rights];
  } catch (error) {
    signal.throwIfAborted();
    return [bad('token', error)];
  }
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

/** The folder itself, else the one that it would be made in. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function examineDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestFolder(dataDir));
  const free = bavail * bsize;
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
    const { ready, reasons } = readStatus(mirror, clock.now(), config.freshness);
    const last = lastSealed(mirror);
    if (ready) return good('mirror', `fresh and proven; the last snapshot is ${last?.id ?? 0}`);
    const hint = 'Run docmirror sync and docmirror drill, or keep the daemon running.';
    return { check: 'mirror', state: 'warning', found: reasons.join('; '), hint };
  } catch (error) {
    return bad('mirror', error);
  }
}

/** Rights that were lost, and what the platform sends beyond its contract. */
function examineContents({ config, clock }: Kit): Finding[] {
  if (!existsSync(databasePath(config.dataDir))) return [];
  try {
    using mirror = readMirror({ dataDir: config.dataDir, clock });
    const hint = 'Give the token its rights back, or accept the loss with docmirror sync --accept-rights.';
    const lost = listShrunk(mirror).map(({ kind, key, lost: rights }): Finding => {
      return { check: 'scope', state: 'warning', found: `no ${rights.join(', ')} on ${kind} ${key} any more`, hint };
    });
    const drift = listDrift(mirror);
    const kinds = [...new Set(drift.map(({ kind }) => kind))].join(', ');
    if (drift.length === 0) return [...lost, good('drift', 'all that the platform sends is in the contract')];
    const found = `${drift.length} fields or values are not in the contract, in ${kinds}; they are kept`;
    return [...lost, { check: 'drift', state: 'warning', found, hint: 'See them: docmirror doctor --drift.' }];
  } catch {
    // Whatever keeps the mirror from being read is told by its own finding.
    return [];
  }
}

/** What the platform was seen to send beyond the contract; none without a mirror. */
export function driftOf({ config, clock }: Kit): Drift[] {
  if (!existsSync(databasePath(config.dataDir))) return [];
  using mirror = readMirror({ dataDir: config.dataDir, clock });
  return listDrift(mirror);
}

function good(check: string, found: string): Finding {
  return { check, state: 'good', found, hint: null };
}

function bad(check: string, error: unknown): Finding {
  const { code, message, hint } = toAppError(error);
  return { check, state: 'bad', found: `${message} (${code})`, hint };
}
