// Commands of the built program in processes that stand ready for the next one. Most of what a command takes is the start of a process,
// and most tests are about what it says and does: those that are about the process itself start one (`runOwnProcess`, `startCli`).
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Ended } from './cli.ts';
import { programAt } from './programs.ts';

/** One command line, in full. */
export interface Asked {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What is written to both streams after it. */
  readonly end: string;
}

const END = '\u0000the command has ended\u0000';

/** Those that wait for a command. Several that run at once have a process each. */
const idle: ChildProcess[] = [];

/** Runs one command to its end in a process that is ready, or in a new one when none is. */
export async function runStanding(main: string, asked: Omit<Asked, 'end'>): Promise<Ended> {
  const child = idle.pop() ?? begin(main);
  hold(child, 'ref');
  const texts = Promise.all([textOf(child, 'stdout'), textOf(child, 'stderr')]);
  const code = new Promise<number | null>((resolve) => {
    child.once('message', resolve as (code: unknown) => void);
    child.once('close', resolve);
  });
  child.send({ ...asked, end: END });
  const [stdout, stderr] = await texts;
  const ended = { code: await code, stdout, stderr };
  child.removeAllListeners('message').removeAllListeners('close');
  hold(child, 'unref');
  if (child.connected) idle.push(child);
  return ended;
}

function begin(main: string): ChildProcess {
  const args = [programAt('test/support/cli-process.ts'), main];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
}

/** One that waits keeps nobody from ending, and ends with whoever began it. */
function hold(child: ChildProcess, what: 'ref' | 'unref'): void {
  child[what]();
  child.channel?.[what]();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.[what]();
}

/** What it writes up to the end of the command, or of itself. */
function textOf(child: ChildProcess, name: 'stdout' | 'stderr'): Promise<string> {
  const stream = child[name];
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const finish = (): void => {
      stream?.off('data', take).off('close', finish);
      const text = Buffer.concat(chunks).toString();
      resolve(text.endsWith(END) ? text.slice(0, -END.length) : text);
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      if (Buffer.concat(chunks.slice(-2)).toString().endsWith(END)) finish();
    };
    stream?.on('data', take).once('close', finish);
  });
}
