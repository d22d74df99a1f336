// What benchmarks share: real processes of the built program, platforms in processes of their own, fresh folders.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, type Finished, type Running } from './measured.ts';

export type { Finished };

/** One figure: what was measured, its value, and the bound it must keep, if the project promises one. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly bound?: { readonly most?: number; readonly least?: number };
  /** Where the bound is missed: the cause that was found, and the next step. Shown only then. */
  readonly shortfall?: string;
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  run(scratch: Scratch): Promise<Figure[]>;
}

/**
 * Folders that stay until every benchmark has ended. A file system without a journal looks at each file that was removed in the last
 * minutes before it makes a new one (up to a millisecond each), so what makes many files must not come after what removed many.
 */
export interface Scratch extends AsyncDisposable {
  directory(above?: string): Promise<string>;
}

export function createScratch(): Scratch {
  const made: string[] = [];
  return {
    directory: async (above = tmpdir()) => {
      const path = await mkdtemp(join(above, 'docmirror-bench-'));
      made.push(path);
      return path;
    },
    [Symbol.asyncDispose]: async () => {
      for (const path of made) await rm(path, { recursive: true, force: true });
    },
  };
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist', 'main.js');

/** Starts the built program as a user would. */
export function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  return launch({
    program: process.execPath,
    args: [program, ...args],
    environment: { NO_COLOR: '1', ...environment },
    folder: root,
  });
}

export interface Platform extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly organizations: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Ends it and answers its peak memory in MiB. */
  stop(): Promise<number>;
}

/** An embedded platform in a process of its own. */
export async function startPlatformProcess(args: readonly string[]): Promise<Platform> {
  const running = start(['platform', ...args]);
  const text = await running.until(/^\{.*\}\s*$/m);
  const line = text.split('\n').find((one) => one.startsWith('{"url"')) ?? '{}';
  const facts = JSON.parse(line) as { url: string; token: string; organizations: string[] };
  const stop = async (): Promise<number> => {
    running.child.kill('SIGTERM');
    return (await running.finished).peakMiB;
  };
  return {
    ...facts,
    environment: { DOCMIRROR_BASE_URL: facts.url, DOCMIRROR_TOKEN: facts.token },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}

/** Runs a command to its end and answers its JSON document. */
export async function runJson<T>(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Finished & { json: T }> {
  const finished = await start([...args, '--json'], environment).finished;
  if (finished.code !== 0) throw new Error(`${args.join(' ')} ended with ${finished.code}:\n${finished.stderr}`);
  return { ...finished, json: JSON.parse(finished.stdout) as T };
}

/** A fresh directory that goes away with the block. */
export async function freshDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'docmirror-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Calls the platform's API directly, for edits that a person would make. */
export async function callApi<T>(
  platform: Pick<Platform, 'url' | 'token'>,
  request: `${string} /${string}`,
  body?: unknown,
): Promise<T> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(`${platform.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as T;
}
