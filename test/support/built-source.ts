// Loads what a test run tests from JavaScript that is made once, a file for each of src: Vitest itself compiles src for each worker, and
// asks an object for every imported name on each use. Tests take a fifth longer then.
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin as BuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';
import { runFolder } from './run-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = join(ROOT, 'src');
const TYPESCRIPT = /\.ts$/;

/** Where source is watched for changes, or the lines that were run are counted, it is loaded as it lies. */
export function builtSource(): Plugin {
  let isBuilt = false;
  let outdir: string | undefined;
  let built: Promise<string> | undefined;
  return {
    name: 'docmirror-built-source',
    enforce: 'pre',
    configureVitest({ vitest }) {
      isBuilt = !vitest.config.watch && !vitest.config.coverage.enabled;
      vitest.onClose(() => {
        if (outdir !== undefined) rmSync(outdir, { recursive: true, force: true });
      });
    },
    async resolveId(asked, importer) {
      if (!isBuilt || importer === undefined || !asked.startsWith('.')) return null;
      const path = resolve(dirname(importer), asked);
      if (!path.startsWith(`${SOURCE}/`)) return null;
      outdir ??= runFolder('source');
      const folder = await (built ??= buildSource(outdir));
      return { id: join(folder, relative(ROOT, path)).replace(TYPESCRIPT, '.js'), external: true };
    },
  };
}

/** Into a folder below the libraries that it asks for. */
async function buildSource(outdir: string): Promise<string> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => TYPESCRIPT.test(file));
  await build({
    absWorkingDir: ROOT,
    entryPoints: files.map((file) => join('src', file)),
    outdir,
    outbase: '.',
    bundle: true,
    packages: 'external',
    plugins: [eachToItsOwn],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
  });
  // Threads and processes begin with what lies there (src/base/begin-thread.ts).
  symlinkSync(join(ROOT, 'dist'), join(outdir, 'dist'));
  return outdir;
}

const eachToItsOwn: BuildPlugin = {
  name: 'each-to-its-own',
  setup: (building) => {
    building.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? null : { path: path.replace(TYPESCRIPT, '.js'), external: true },
    );
  },
};
