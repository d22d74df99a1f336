// Processes whose output, time and memory are followed while they run.
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Beside what this process has. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Peak resident memory in MiB of the process and those it started, as the system saw it while sampling. */
  readonly peakMiB: number;
  /** Time on a processor, start-up included, as the system saw it while sampling. */
  readonly cpuMs: number;
  /** The same of its main thread alone: where JavaScript runs. */
  readonly mainThreadMs: number;
  readonly ms: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves with the output so far once it matches. */
  until(pattern: RegExp): Promise<string>;
}

const SAMPLE_MS = 50;

export function launch({ program, args, environment, folder }: Command): Running {
  const started = performance.now();
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let peakMiB = 0;
  let cpuMs = 0;
  let mainThreadMs = 0;
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
    peakMiB = Math.max(peakMiB, peakOfTree(child.pid));
    cpuMs = Math.max(cpuMs, cpuOf(`${child.pid}`));
    mainThreadMs = Math.max(mainThreadMs, cpuOf(`${child.pid}/task/${child.pid}`));
  }, SAMPLE_MS);
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => {
      clearInterval(sampler);
      resolve({ code, stdout, stderr, peakMiB, cpuMs, mainThreadMs, ms: performance.now() - started });
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

/** Runs it to its end; throws when it fails. */
export async function runToEnd(command: Command): Promise<Finished> {
  const finished = await launch(command).finished;
  const { program, args } = command;
  if (finished.code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${finished.code}:\n${finished.stderr}`);
  return finished;
}

/** Peak resident memory of a living process and of those below it that live, MiB (Linux; 0 elsewhere). */
function peakOfTree(pid: number | string | undefined): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const own = line ? Number(line[1]) / 1024 : 0;
    return childrenOf(pid).reduce((sum, child) => sum + peakOfTree(child), own);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number | string | undefined): string[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((child) => child.trim() !== ''),
  );
}

const MS_PER_TICK = 10;

/** Time that a living process, or a thread of one, has spent on a processor, ms (Linux; 0 elsewhere). */
function cpuOf(place: string): number {
  try {
    const fields = readFileSync(`/proc/${place}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return 0;
  }
}
