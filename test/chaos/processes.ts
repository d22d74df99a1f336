// The platform and the mirror as processes of their own, which chaos can kill at any instant.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const TOKEN = 'tok_of_chaos';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** One command of the program. */
export function start(args: readonly string[], environment: Readonly<Record<string, string>>): Running {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TZ: 'UTC', ...environment };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended };
}

export interface PlatformProcess extends AsyncDisposable {
  readonly url: string;
  readonly organization: string;
  /** Rejects with what it said last when it ends and nobody has told it to: what asks it then only sees a closed port. */
  readonly lost: Promise<never>;
  /** Ends it without a warning, and starts it again on the same data. */
  killAndRestart(): Promise<void>;
}

/** A platform that is kept on disk, at an address that stays the same. */
export async function startPlatformProcess(folder: string, seed: readonly string[]): Promise<PlatformProcess> {
  const port = await freePort();
  const begin = async (more: readonly string[]): Promise<{ running: Running; line: string }> => {
    const args = ['platform', '--data', join(folder, 'platform'), '--port', String(port), ...more];
    const running = start(args, { DOCMIRROR_PLATFORM_TOKEN: TOKEN });
    return { running, line: await firstLine(running) };
  };
  let { running, line } = await begin(seed);
  let told: Running | null = null;
  let lose: (why: Error) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => (lose = reject));
  lost.catch(() => undefined);
  const watch = async (one: Running): Promise<void> => {
    const { code, stderr } = await one.ended;
    const how = one.child.signalCode ?? code;
    if (told !== one) lose(new Error(`the platform ended by itself (${how}): ${stderr.slice(-600)}`));
  };
  void watch(running);
  const { url, organizations } = JSON.parse(line) as { url: string; organizations: string[] };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    told = running;
    running.child.kill(signal);
    await running.ended;
  };
  return {
    url,
    organization: organizations[0] ?? '',
    lost,
    killAndRestart: async () => {
      await end('SIGKILL');
      ({ running, line } = await begin([]));
      void watch(running);
    },
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

function firstLine({ child, ended }: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    void ended.then(({ stderr }) => reject(new Error(`the platform ended: ${stderr}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
