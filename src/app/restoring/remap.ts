// People, corrected after a restore.
import { join } from 'node:path';
import { ensurePrivateDirectory } from '../../base/index.ts';
import { requireTarget } from '../../config/index.ts';
import { restoreById } from '../../mirror/index.ts';
import { applyPlan, noteRemapped, planRemap, readPlan, writePlan } from '../../restore/index.ts';
import type { ApplyResult, Plan } from '../../restore/index.ts';
import { refuseUndone } from './cut-off-restore.ts';
import type { Kit } from '../kit.ts';
import { restoresFolder } from '../places.ts';
import { readPeopleFile } from './people-file.ts';
import { settlePins } from './restore-pins.ts';
import { refuseOtherTarget, settingsOf, withMirror, type RestoreOptions } from './restore.ts';

export interface RemapOptions extends RestoreOptions {
  /** File that says who is who on the target. */
  readonly people: string;
  /** Writes the plan and nothing to the target. */
  readonly planOnly: boolean;
}

export interface Remapped {
  /** Of the plan; null when nothing was to be done, and no plan was asked for. */
  readonly file: string | null;
  readonly plan: Plan;
  /** Null when only the plan was asked for, or when nothing was to be done. */
  readonly applied: ApplyResult | null;
}

/** Maps people again by a file and gives those who are newly known their roles. Throws DM_USAGE, DM_RESTORE_UNKNOWN. */
export async function remapPeople(kit: Kit, restore: string, options: RemapOptions): Promise<Remapped> {
  const choice = readPeopleFile(options.people);
  return withMirror(kit, async (mirror) => {
    const record = restoreById(mirror, restore);
    refuseOtherTarget(kit, `Restore ${restore}`, record.target);
    refuseUndone(mirror, restore);
    const { clock, random, config } = kit;
    const original = await readPlan(record.plan);
    const plan = await planRemap({
      mirror,
      restore,
      plan: original,
      choice,
      client: await kit.clientOf(requireTarget(config)),
      contentServer: config.contentServer,
      clock,
      random,
      signal: options.signal,
    });
    if (options.planOnly) return { file: await writeRemap(kit, restore, plan), plan, applied: null };
    const noted = { restore, plan: original, people: plan.people };
    if (plan.steps.every(({ part }) => part === 'none')) {
      noteRemapped(mirror, { ...noted, by: null });
      return { file: null, plan, applied: null };
    }
    const file = await writeRemap(kit, restore, plan);
    const applied = await applyPlan(await settingsOf(kit, mirror, options), { plan, planFile: file });
    settlePins(mirror, applied.restore);
    if (applied.failed + applied.skipped === 0) noteRemapped(mirror, { ...noted, by: applied.restore });
    return { file, plan, applied };
  });
}

async function writeRemap({ config }: Kit, restore: string, plan: Plan): Promise<string> {
  const folder = join(restoresFolder(config), restore);
  await ensurePrivateDirectory(folder);
  const file = join(folder, `remap-${plan.nonce}.plan.json`);
  await writePlan(plan, file);
  return file;
}
