// The way back, which a restore writes down after its last write: Ctrl-C while what stands is read once more for it, and a resume later.
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { AppError } from '../../src/base/index.ts';
import { appIn } from '../support/app.ts';
import { testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const { signal } = new AbortController();
let platform: Awaited<ReturnType<typeof startSeeded>>;
let target: typeof platform;
let folder: ReturnType<typeof testFolder>;
let app: App;
let steps: number;

beforeEach(async () => {
  platform = await startSeeded();
  target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
  folder = testFolder();
  app = appIn(folder, { platform, target });
  await app.sync({ signal });
  const choice = { snapshot: '1', scope: null, where: null, toOrganization: null, intoExisting: false, inPlace: null };
  const form = { full: false, review: false, people: null, keepMentions: false, withoutComments: false };
  const plan = await app.planRestore({ ...choice, ...form, out: folder.at('plan.json'), signal });
  steps = plan.steps.length;
});

afterEach(async () => {
  for (const one of [app, target, platform]) await one[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('app/restore, interrupted after its last write', () => {
  it('still tells the result; its undo is planned when it is asked for', async () => {
    const controller = new AbortController();
    const shown: string[] = [];
    const applied = await app.applyRestore(folder.at('plan.json'), {
      signal: controller.signal,
      onProgress: ({ step, steps: all, title }) => {
        shown.push(`${step} of ${all}: ${title}`);
        if (title.includes('for the way back')) {
          controller.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
        }
      },
    });
    expect(shown.at(-1)).toBe(`${steps} of ${steps}: reading what stands, for the way back`);
    expect(applied).toMatchObject({ failed: 0, skipped: 0, undoPlan: null });
    expect(applied.done).toBeGreaterThan(0);
    const undo = await app.planUndo(applied.restore, { evenChanged: false, signal });
    expect(undo.plan.undoes).toBe(applied.restore);
  });
});

describe('app/restore, resumed after its end', () => {
  it('names the way back that is there: each resume left one more plan of it', async () => {
    const { restore, undoPlan } = await app.applyRestore(folder.at('plan.json'), { signal });
    // Somebody's own, which touches what others have changed.
    await app.planUndo(restore, { evenChanged: true, signal });
    const written = (): string[] => readdirSync(folder.at('data', 'restores', restore)).toSorted();
    const before = written();
    expect(await app.resumeRestore(restore, { signal })).toMatchObject({ failed: 0, undoPlan });
    expect(written()).toEqual(before);
  });
});
