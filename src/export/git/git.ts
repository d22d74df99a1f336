// Running git: with its own settings alone, its complaints as errors of ours.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, codeOf, forProgram, type Environment } from '../../base/index.ts';

export interface GitPlace {
  /** The working tree. */
  readonly target: string;
  readonly gitFolder: string;
  readonly environment: Environment;
}

export interface GitCall {
  readonly args: readonly string[];
  readonly input?: Iterable<string>;
  /** Called with what git says, piece by piece. */
  readonly onChunk?: (text: string) => void;
  /** What it writes is on the disk when it ends: git leaves objects and references to the system else, and a power cut empties them. */
  readonly isLasting?: boolean;
}

const NAME = 'Docmirror';
const ADDRESS = 'docmirror@localhost';
/** Who has committed what an export has written. */
export const COMMITTER = `${NAME} <${ADDRESS}>`;

// The tool, not whoever runs it, and no setting of theirs decides what a commit is. An unchanged file gets a further name with each
// tree, which changes the time of its inode but not of its content.
const SETTINGS = [
  ['user.name', NAME],
  ['user.email', ADDRESS],
  ['commit.gpgsign', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.autocrlf', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.quotePath', 'false'],
  ['core.trustctime', 'false'],
].flatMap(asFlags);
const LASTING = [
  ['core.fsync', 'all'],
  ['core.fsyncMethod', 'batch'],
].flatMap(asFlags);

function asFlags([name = '', value = '']: readonly string[]): string[] {
  return ['-c', `${name}=${value}`];
}

/** Runs git to its end. Throws DM_USAGE when it is not installed, DM_GIT_FAILED with what it says when it fails. */
export async function runGit({ target, gitFolder, environment }: GitPlace, call: GitCall): Promise<void> {
  // A new repository would remember the place of its tree, and not bear to be moved with it.
  const tree = call.args[0] === 'init' ? [] : [`--work-tree=${target}`];
  const settings = call.isLasting === true ? [...SETTINGS, ...LASTING] : SETTINGS;
  const child = spawn('git', [...settings, `--git-dir=${gitFolder}`, ...tree, ...call.args], {
    cwd: existsSync(target) ? target : dirname(target),
    env: ownEnvironment(environment),
    stdio: 'pipe',
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => call.onChunk?.(text));
  const fed = pipeline(Readable.from(call.input ?? []), child.stdin).then(() => null, unlessClosed);
  const code = await ended.catch((error: unknown) => {
    throw notInstalled(error);
  });
  const unfed = await fed;
  if (unfed !== null) throw unfed;
  if (code === 0) return;
  const full = complaint.split('\n').find((line) => /No space left on device|Disk quota exceeded/.test(line));
  if (full !== undefined) throw noRoom(gitFolder, full);
  throw new AppError('DM_GIT_FAILED', `git ${call.args[0] ?? ''} ended with ${code}: ${complaint.trim()}`, {
    hint: `The export itself is whole. Mend the repository in ${gitFolder}, or move it away to begin a new one; the next export commits what is there.`,
  });
}

/** What git answers to a question of a few lines. */
export async function askGit(place: GitPlace, args: readonly string[]): Promise<string> {
  let answer = '';
  await runGit(place, { args, onChunk: (text) => (answer += text) });
  return answer.trim();
}

/** A git that ends early closes its input, and its own words say why; every other error is one of what was to be fed. */
function unlessClosed(error: unknown): Error | null {
  const known = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error);
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : known;
}

/** Nothing that is set for another repository, nor anybody's own settings, nor their secrets: a repository can name programs that git starts. */
function ownEnvironment(environment: Environment): NodeJS.ProcessEnv {
  return { ...forProgram(environment), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };
}

/** The same cause as that of everything else that such a disk stops, and nothing to mend in the repository. */
function noRoom(gitFolder: string, why: string): AppError {
  return new AppError('DM_DISK_FULL', `git could not record the export in ${gitFolder}: ${why}`, {
    hint: 'Free space on that disk. The export itself is whole, and the next one records what is there.',
  });
}

function notInstalled(cause: unknown): AppError {
  return new AppError('DM_USAGE', 'git cannot be started; expected it to be installed and on the PATH', {
    hint: 'Install git, or export without it: leave --git out, or set export.git to false. Nothing was changed.',
    cause,
  });
}
