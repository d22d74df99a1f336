// A walk in a process of its own that is killed in the middle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programAt } from './programs.ts';

export interface Walked {
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
}

/** Starts a walk and kills it (SIGKILL) after so many answers; false when it ended by itself before. */
export async function killedAfter(answers: number, { url, token, dataDir }: Walked): Promise<boolean> {
  const child = spawn(process.execPath, [programAt('test/scenarios/walking-process.ts'), url, token, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let seen = 0;
  for await (const _line of createInterface(child.stdout)) if (++seen === answers) child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  return signal === 'SIGKILL';
}
