// Whom no file mode keeps out has to become somebody else, to be refused what others are.
import { spawnSync } from 'node:child_process';
import { MAIN } from './cli.ts';

export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** False where the program, or the Node.js that runs it, lies in a folder of somebody alone: nobody else can start it there. */
export function canStart(): boolean {
  return spawnSync(process.execPath, [MAIN, '--version'], { cwd: '/', ...NOBODY }).status === 0;
}
