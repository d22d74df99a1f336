// Servers of the benchmarks, each in a process of its own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Child extends AsyncDisposable {
  readonly url: string;
}

/** Starts a file of this folder; its first line on stdout is its address. */
export async function startChild(file: string, args: readonly (string | number)[] = []): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
