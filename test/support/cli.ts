// The built program, the way people and scripts run it.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStanding } from './standing-cli.ts';

export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the text of both streams so far, as soon as it matches; rejects when the process ends before. */
  until(pattern: RegExp): Promise<string>;
  interrupt(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
}

/** Begins one command. */
export function startCli(args: readonly string[], options: CliOptions = {}): Started {
  return startProgram(process.execPath, [MAIN, ...args], options);
}

/** It holds nothing of the machine's own settings. */
function wholeEnvironment(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TZ: 'UTC', ...env };
}

/** Begins any program. */
export function startProgram(program: string, args: readonly string[], { env = {}, cwd }: CliOptions = {}): Started {
  const child = spawn(program, args, {
    env: wholeEnvironment(env),
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const look of watchers) look();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const look of watchers) look();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(stdout + stderr)) resolve(stdout + stderr);
        };
        watchers.add(look);
        look();
        void ended.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}:\n${stdout}${stderr}`)));
      }),
    interrupt: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs one command to its end, in a process that ran others before. */
export function runCli(args: readonly string[], { env = {}, cwd = process.cwd() }: CliOptions = {}): Promise<Ended> {
  return runStanding(MAIN, { args, env: wholeEnvironment(env), cwd });
}

/** Runs one command in a process of its own, for what is about that: how it begins and ends, its memory, its code for the system. */
export function runOwnProcess(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return startCli(args, options).ended;
}

/** The same with little memory: so many megabytes for its objects. */
export function runWithin(megabytes: number, args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return startProgram(process.execPath, [`--max-old-space-size=${megabytes}`, MAIN, ...args], options).ended;
}

/** The one document on stdout. */
export function documentOf<T = Record<string, unknown>>({ stdout }: Ended): T {
  return JSON.parse(stdout) as T;
}

export interface TestFolder extends Disposable {
  readonly path: string;
  at(...parts: string[]): string;
}

/** A folder that goes when it is disposed of. */
export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'docmirror-cli-'));
  return {
    path,
    at: (...parts) => join(path, ...parts),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Settings that lead to a platform, with a data directory of its own. */
export function environmentOf(platform: { url: string; token: string }, dataDir: string): Record<string, string> {
  return { DOCMIRROR_BASE_URL: platform.url, DOCMIRROR_TOKEN: platform.token, DOCMIRROR_DATA_DIR: dataDir };
}

/** For a status page: another process may have the usual port. */
export const ANY_PORT = { DOCMIRROR_STATUS_PORT: '0' } as const;

/** Settings of a daemon that mirrors a platform. */
export function daemonEnvironment(platform: { url: string; token: string }, dataDir: string): Record<string, string> {
  return { ...environmentOf(platform, dataDir), ...ANY_PORT };
}
