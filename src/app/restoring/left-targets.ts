// Targets are read into mirrors of their own, and a drill restores into a platform of its own. Both go when they were compared, and stay
// behind when the process is killed.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree, toAppError } from '../../base/index.ts';
import type { Config } from '../../config/index.ts';
import type { Kit } from '../kit.ts';
import { restoresFolder } from '../places.ts';

const PREFIX = 'target-';
/** For `mkdtemp`. */
export function targetPrefix(config: Config): string {
  return join(restoresFolder(config), PREFIX);
}

const DRILL = 'drill-platform';

/** All that a drill makes is in here: its platform, its plans, the content that it serves. The lease keeps it to one drill at a time. */
export function drillFolder(config: Config): string {
  return join(restoresFolder(config), DRILL);
}

const MADE = new RegExp(`^(?:${PREFIX}[A-Za-z0-9]{6}|${DRILL})$`);

/** Removes what kills left behind of targets. Only for whoever has just taken the lease: every one of them is made under it. */
export async function dropTargets({ config, log }: Pick<Kit, 'config' | 'log'>): Promise<void> {
  const root = restoresFolder(config);
  if (!existsSync(root)) return;
  for (const name of (await readdir(root)).filter((one) => MADE.test(one))) {
    const folder = join(root, name);
    await removeTree(folder).catch((error: unknown) => {
      log.warn({ folder, why: toAppError(error).message }, 'what a killed restore left behind cannot be removed');
    });
  }
}
