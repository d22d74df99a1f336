// A restore that ends before its end: what whoever started it is told, and what becomes of it.
import { describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import { AppError, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const STOPPED_AT = 5;

async function planned(app: App, out: string): Promise<void> {
  const { signal } = new AbortController();
  await app.sync({ signal });
  const choice = { snapshot: '1', scope: null, where: null, toOrganization: null, intoExisting: false, inPlace: null };
  const form = { full: false, review: false, people: null, keepMentions: false, withoutComments: false };
  await app.planRestore({ ...choice, ...form, out, signal });
}

/** Ctrl-C at a step: the error that people are shown. */
function interrupted(app: App, plan: string): Promise<unknown> {
  const controller = new AbortController();
  const stop = (step: number): void => {
    if (step === STOPPED_AT) controller.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
  };
  const options = { signal: controller.signal, onProgress: ({ step }: { step: number }) => stop(step) };
  return app.applyRestore(plan, options).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('app/restore, cut off', () => {
  it('names the restore and the command that continues it, and is not continued once it was taken back', async () => {
    await using platform = await startSeeded();
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    const environment = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
    const flags = { targetUrl: target.url };
    const config = loadConfig({ flags, environment, cwd: folder.path, readFile: () => null });
    await using app = createApp(config, { clock: systemClock(), random: seededRandom(3), log: silentLogger() });
    const plan = folder.at('plan.json');
    await planned(app, plan);
    const error = await interrupted(app, plan);
    if (!(error instanceof AppError)) throw new Error('it was not interrupted');
    expect(error.code).toBe('DM_INTERRUPTED');
    expect(error.message).toMatch(/^Restore \w+ was interrupted; \d of \d+ writes done and kept$/);
    const restore = error.message.split(' ')[1] ?? '';
    expect(error.hint).toContain(`docmirror restore resume ${restore} --target-url ${target.url}`);
    const { signal } = new AbortController();
    const undo = await app.planUndo(restore, { evenChanged: false, signal });
    await app.applyRestore(undo.file, { signal });
    await expect(app.resumeRestore(restore, { signal })).rejects.toMatchObject({
      code: 'DM_RESTORE_FAILED',
      message: expect.stringContaining('taken back') as unknown,
    });
  });
});
