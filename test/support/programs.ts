// Programs of the tests that run in processes of their own, and what scripts in such processes begin with. One that is compiled while
// it starts, with all of src that it needs, takes two seconds to begin; so they are built once for the whole run.
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { runFolder } from './run-folder.ts';

const PROGRAMS = [
  'src/base/index.ts',
  'src/cli/views/progress.ts',
  'test/fuzz/archives-process.ts',
  'test/fuzz/command-lines-process.ts',
  'test/mirror/lease-holder.ts',
  'test/mirror/reading-process.ts',
  'test/platform/durable-platform.ts',
  'test/scenarios/walking-process.ts',
  'test/support/cli-process.ts',
] as const;

const FOLDER = 'DOCMIRROR_TEST_PROGRAMS';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What follows `node` in the command line of a program, or is imported by a script. */
export function programAt(program: (typeof PROGRAMS)[number]): string {
  return join(process.env[FOLDER] ?? '', program.replace(/\.ts$/, '.js'));
}

/** Builds them into a folder of this run, below the libraries that they ask for; anew where tests are watched and run again. */
export async function setup(project: TestProject): Promise<() => void> {
  const outdir = runFolder('programs');
  await buildInto(outdir);
  // Threads and processes begin with what lies there (src/base/begin-thread.ts).
  symlinkSync(join(ROOT, 'dist'), join(outdir, 'dist'));
  project.onTestsRerun(() => buildInto(outdir));
  process.env[FOLDER] = outdir;
  return () => rmSync(outdir, { recursive: true, force: true });
}

async function buildInto(outdir: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...PROGRAMS],
    outdir,
    outbase: '.',
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
}
