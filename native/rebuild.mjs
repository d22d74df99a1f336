// Node.js 24.19 to 24.21 abort when the garbage collector frees an object of an addon that was compiled with their own
// node_object_wrap.h (https://github.com/nodejs/node/issues/65446). better-sqlite3 has such objects in each statement, so a daemon
// would die within minutes. After an installation this looks whether its binary was compiled so, and compiles it with object-wrap.h.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Only the header in question calls this; better-sqlite3 itself only adds a hook.
const CALLED = 'RemoveEnvironmentCleanupHook';
const OWN_HEADER = fileURLToPath(new URL('object-wrap.h', import.meta.url));

const folder = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
const binary = join(folder, 'build', 'Release', 'better_sqlite3.node');

const isAffected = () =>
  process.versions.node.startsWith('24.') && existsSync(binary) && readFileSync(binary).includes(CALLED);

if (isAffected()) {
  console.error(`Node.js ${process.versions.node} needs better-sqlite3 compiled anew: this takes a minute`);
  const flags = `${process.env.CXXFLAGS ?? ''} -include ${OWN_HEADER.replaceAll(' ', String.raw`\ `)}`.trim();
  const environment = { ...process.env, CXXFLAGS: flags, npm_config_build_from_source: 'true' };
  const { status } = spawnSync('npm', ['rebuild', 'better-sqlite3'], { stdio: ['ignore', 2, 2], env: environment });
  if (status !== 0 || !existsSync(binary) || isAffected()) {
    console.error(
      'better-sqlite3 could not be compiled anew: use Node.js 22, or 24.18, where nothing of this is needed',
    );
    process.exitCode = 1;
  }
}
