import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { programAt } from '../support/programs.ts';

// The process is its own subject here, so each test runs one of its own.
function run(body: string): ChildProcessWithoutNullStreams {
  const script = `import * as base from ${JSON.stringify(programAt('src/base/index.ts'))}; ${body}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' });
}

async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}

async function exitCode(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

const WAIT_FOREVER = `
  const interrupt = base.interruptSignal();
  interrupt.signal.addEventListener('abort', () => { void base.writeStdout(interrupt.signal.reason.code + '\\n'); });
  const keep = base.systemClock().after(60_000, () => {});
  await base.writeStdout('ready\\n');
`;

describe('base/process', () => {
  it('aborts on the first signal and ends with 130 on the second', async () => {
    const child = run(WAIT_FOREVER);
    expect(await firstLine(child)).toBe('ready');
    child.kill('SIGTERM');
    expect(await firstLine(child)).toBe('DM_INTERRUPTED');
    child.kill('SIGINT');
    expect(await exitCode(child)).toBe(130);
  });

  it('ends by itself, with the code that was set, once nothing is left to do', async () => {
    const child = run(`const i = base.interruptSignal(); i.dispose(); base.setExitCode(3);
      base.systemClock().every(1000, () => {}); await base.writeStdout('done\\n');`);
    expect(await exitCode(child)).toBe(3);
  });

  it('takes a reader that went away as no error', async () => {
    const child = run(
      `for (let i = 0; i < 2000; i++) await base.writeStdout('x'.repeat(1000) + '\\n'); base.setExitCode(0);`,
    );
    await once(child.stdout, 'data');
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(await exitCode(child)).toBe(0);
    expect(errors).not.toContain('EPIPE');
  });

  it('knows that a pipe is no terminal', async () => {
    const child = run(`await base.writeStdout(JSON.stringify([base.isTerminal('stdout'), base.terminalWidth()]));`);
    expect(await firstLine(child)).toBe('[false,100]');
    await exitCode(child);
  });
});
