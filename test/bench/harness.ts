// What benchmarks share: real processes of the built program, their lines, their peak memory.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One figure: what was measured, its value, and the bound it must keep, if the project promises one. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly bound?: { readonly most?: number; readonly least?: number };
}

export interface Benchmark {
  readonly name: string;
  readonly about: string;
  run(): Promise<Figure[]>;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist', 'main.js');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Peak resident memory in MiB, as the system saw it while sampling. */
  readonly peakMiB: number;
  /** Time on a processor, start-up included, as the system saw it while sampling. */
  readonly cpuMs: number;
  readonly ms: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves with the output so far once it matches. */
  until(pattern: RegExp): Promise<string>;
}

/** Starts the built program as a user would. */
export function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let peakMiB = 0;
  let cpuMs = 0;
  const watchers = new Set<() => void>();
  const hear = (add: (text: string) => void) => (chunk: Buffer) => {
    add(chunk.toString());
    for (const watch of watchers) watch();
  };
  child.stdout.on(
    'data',
    hear((text) => (stdout += text)),
  );
  child.stderr.on(
    'data',
    hear((text) => (stderr += text)),
  );
  const sampler = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child.pid));
    cpuMs = Math.max(cpuMs, cpuOf(child.pid));
  }, 50);
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => {
      clearInterval(sampler);
      resolve({ code, stdout, stderr, peakMiB, cpuMs, ms: performance.now() - started });
    });
  });
  return {
    child,
    finished,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (pattern.test(stdout + stderr)) {
            watchers.delete(watch);
            resolve(stdout + stderr);
          }
        };
        watchers.add(watch);
        watch();
        void finished.then(({ code }) =>
          reject(new Error(`ended with ${code} before ${pattern}:\n${stdout}${stderr}`)),
        );
      }),
  };
}

/** Peak resident memory of a living process, MiB (Linux; 0 elsewhere). */
function peakOf(pid: number | undefined): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) / 1024 : 0;
  } catch {
    return 0;
  }
}

const MS_PER_TICK = 10;

/** Time that a living process has spent on a processor, ms (Linux; 0 elsewhere). */
function cpuOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return 0;
  }
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
export async function callApi<T>(platform: Platform, request: `${string} /${string}`, body?: unknown): Promise<T> {
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
