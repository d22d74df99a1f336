// Ctrl-C after the last write of a restore, while what stands is read once more for the way back.
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { AppError, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('app/restore, interrupted after its last write', () => {
  it('still tells the result; its undo is planned when it is asked for', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const environment = {
      ...environmentOf(platform, folder.at('data')),
      DOCMIRROR_TARGET_TOKEN: target.token,
    };
    const config = loadConfig({
      flags: { targetUrl: target.url },
      environment,
      cwd: folder.path,
      readFile: () => null,
    });
    await using app = createApp(config, { clock: systemClock(), random: seededRandom(3), log: silentLogger() });
    const { signal } = new AbortController();
    await app.sync({ signal });
    const out = folder.at('plan.json');
    const choice = {
      snapshot: '1',
      scope: null,
      where: null,
      toOrganization: null,
      intoExisting: false,
      inPlace: null,
    };
    const form = { full: false, review: false, people: null, keepMentions: false, withoutComments: false };
    const plan = await app.planRestore({ ...choice, ...form, out, signal });

    const controller = new AbortController();
    const shown: string[] = [];
    const applied = await app.applyRestore(out, {
      signal: controller.signal,
      onProgress: ({ step, steps, title }) => {
        shown.push(`${step} of ${steps}: ${title}`);
        if (title.includes('for the way back')) {
          controller.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
        }
      },
    });
    const steps = plan.steps.length;
    expect(shown.at(-1)).toBe(`${steps} of ${steps}: reading what stands, for the way back`);
    expect(applied).toMatchObject({ failed: 0, skipped: 0, undoPlan: null });
    expect(applied.done).toBeGreaterThan(0);
    const undo = await app.planUndo(applied.restore, { evenChanged: false, signal });
    expect(undo.plan.undoes).toBe(applied.restore);
  });
});
