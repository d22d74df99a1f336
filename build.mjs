// Makes the program in dist/ of src/. A command opens some ten files to begin instead of over a thousand small ones, most of them of
// libraries, and begins in a third of the time. Types are checked apart (`npm run types`).
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const { metafile } = await build({
  // What a process or a thread begins with.
  entryPoints: [
    'src/main.ts',
    'src/export/files/look-thread.ts',
    'src/export/files/write-thread.ts',
    'src/mirror/check/structure-process.ts',
    'src/platform/thread/platform-thread.ts',
  ],
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  // What only some commands need stays in files of its own. They lie as deep as the rooms of src/, so that an address relative to one
  // of those holds here too.
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // These look for files beside themselves: what is compiled, schemas, fonts.
  external: ['better-sqlite3', '@seriousme/openapi-schema-validator', 'pdfkit'],
  // Libraries of the older kind ask for modules of Node.js by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

// What earlier builds left goes last: a daemon that runs meanwhile finds its parts at any moment while they are the same.
const made = new Set(Object.keys(metafile.outputs).map((file) => relative('', file)));
for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  const file = relative('', join(entry.parentPath, entry.name));
  if (entry.isFile() && !made.has(file)) rmSync(file);
}
