// A restore that ends before its end: what whoever started it is told, and what becomes of it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { AppError, type Clock } from '../../src/base/index.ts';
import { takeLease } from '../../src/mirror/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { appIn } from '../support/app.ts';
import { environmentOf, MAIN, runCli, startProgram, testFolder } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';
import { sleeplessClock } from '../support/sleepless-clock.ts';
import { tokenWithdrawnAt } from '../support/token-withdrawn.ts';

const STOPPED_AT = 5;
const GO_ON = /run `docmirror (restore resume .*)`: it continues/iu;

async function planned(app: App, out: string): Promise<void> {
  const { signal } = new AbortController();
  await app.sync({ signal });
  const choice = { snapshot: '1', scope: null, where: null, toOrganization: null, intoExisting: false, inPlace: null };
  const form = { full: false, review: false, people: null, keepMentions: false, withoutComments: false };
  await app.planRestore({ ...choice, ...form, out, signal });
}

/** Ctrl-C at a step: the error that people are shown. */
function interrupted(app: App, plan: string, leaving: { withoutComments?: boolean } = {}): Promise<unknown> {
  const controller = new AbortController();
  const stop = (step: number): void => {
    if (step === STOPPED_AT) controller.abort(new AppError('DM_INTERRUPTED', 'Interrupted', { hint: 'none' }));
  };
  const options = { ...leaving, signal: controller.signal, onProgress: ({ step }: { step: number }) => stop(step) };
  return app.applyRestore(plan, options).then(
    () => null,
    (error: unknown) => error,
  );
}

interface Stage extends AsyncDisposable {
  readonly app: App;
  readonly target: EmbeddedPlatform;
  readonly environment: Record<string, string>;
  readonly plan: string;
}

async function addTalk(platform: EmbeddedPlatform): Promise<void> {
  await using editor = editorOf(platform);
  const { items } = await editor.api.listCollections({ path: { organizationId: platform.organizations()[0] ?? '' } });
  const { items: spaces } = await editor.api.listCollectionSpaces({ path: { collectionId: items[0]?.id ?? '' } });
  await editor.api.createComment({ path: { spaceId: spaces[0]?.id ?? '' }, body: { body: { markdown: 'Why?' } } });
}

/** Another process that goes on with what was written then finds nothing that may be on its way still: it would wait for that. */
function aMinuteAgo(): Clock {
  const clock = sleeplessClock();
  return { ...clock, now: () => clock.now() - 60_000 };
}

async function staged(): Promise<Stage> {
  const platform = await startSeeded();
  const target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
  await addTalk(platform);
  const folder = testFolder();
  const environment = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_TARGET_TOKEN: target.token };
  const app = appIn(folder, { platform, target, clock: aMinuteAgo() });
  const plan = folder.at('plan.json');
  await planned(app, plan);
  const dispose = async (): Promise<void> => {
    for (const one of [app, target, platform]) await one[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  return { app, target, environment, plan, [Symbol.asyncDispose]: dispose };
}

describe('app/restore, cut off', () => {
  it('names the restore and the command that continues it, and is not continued once it was taken back', async () => {
    await using stage = await staged();
    const { app, target, environment, plan } = stage;
    const error = await interrupted(app, plan);
    if (!(error instanceof AppError)) throw new Error('it was not interrupted');
    expect(error.code).toBe('DM_INTERRUPTED');
    expect(error.message).toMatch(/^Restore \w+ was interrupted; \d of \d+ writes done and kept$/);
    const restore = error.message.split(' ')[1] ?? '';
    expect(error.hint).toContain(`docmirror restore resume ${restore} --target-url ${target.url}`);
    const listed = async (): Promise<string> => (await runCli(['restore', 'list'], { env: environment })).stdout;
    expect(await listed()).toMatch(new RegExp(`^${restore} +cut off `, 'm'));
    {
      // Whoever writes to the mirror may be the one that goes on with it.
      using _lease = await takeLease(app.config.dataDir, 'restore');
      expect(await listed()).toMatch(new RegExp(`^${restore} +running `, 'm'));
    }
    const { signal } = new AbortController();
    const undo = await app.planUndo(restore, { evenChanged: false, signal });
    await app.applyRestore(undo.file, { signal });
    await expect(app.resumeRestore(restore, { signal })).rejects.toMatchObject({
      code: 'DM_RESTORE_UNDONE',
      message: expect.stringContaining('taken back') as unknown,
    });
  });

  it('is continued without its comments where they were to be left: the command that was named wrote them, and people got mail for what nobody had verified', async () => {
    await using stage = await staged();
    const { app, target, environment, plan } = stage;
    const error = await interrupted(app, plan, { withoutComments: true });
    if (!(error instanceof AppError)) throw new Error('it was not interrupted');
    const [, command = ''] = GO_ON.exec(error.hint ?? '') ?? [];
    target.clearRequestLog();
    const resumed = await runCli(command.split(' '), { env: environment });
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('is unfinished')]);
    const written = target.requestLog.recent().filter(({ method }) => method === 'POST');
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter(({ target: asked }) => asked.includes('/comments'))).toEqual([]);
  });

  it('says what to do first when the target refused the token, and then only the command that continues it', async () => {
    await using stage = await staged();
    const { app, target, plan } = stage;
    target.faults = tokenWithdrawnAt('createSpace');
    const { signal } = new AbortController();
    const resume =
      /^\S+ was sent the token of the target, .*\. Give one that it takes\. Then run `docmirror restore resume \w+ --target-url \S+`: it continues/;
    await expect(app.applyRestore(plan, { signal })).rejects.toMatchObject({
      code: 'DM_TOKEN_REFUSED',
      message: expect.stringMatching(/^Restore \w+ stopped after \d+ of \d+ writes: /) as unknown,
      hint: expect.stringMatching(resume) as unknown,
    });
  });

  it('names the restore and the command that continues it where files may not grow further: the same command was to be run again, which is refused', async () => {
    await using stage = await staged();
    const { app, environment, plan } = stage;
    const error = await interrupted(app, plan);
    const [, command = ''] = error instanceof AppError ? (GO_ON.exec(error.hint ?? '') ?? []) : [];
    const limited = ['-c', 'ulimit -f 400; exec "$0" "$@"', process.execPath, MAIN, ...command.split(' ')];
    const { code, stderr } = await startProgram('bash', limited, { env: environment }).ended;
    expect(stderr).toMatch(
      /Restore \w+ stopped after \d+ of \d+ writes: .*files may not grow that large here \(ulimit -f\).* \(DM_DISK_FULL\)/,
    );
    expect([code, GO_ON.exec(stderr)?.[1]]).toEqual([1, expect.stringContaining(command)]);
    const resumed = await runCli(command.split(' '), { env: environment });
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('is done')]);
  });

  it('leaves nothing beside the mirror when it ends before its first write', async () => {
    await using stage = await staged();
    const { app, target, plan } = stage;
    const restores = join(app.config.dataDir, 'restores');
    const { signal } = new AbortController();
    // The first listing is the one of the preconditions, the next the one that is kept for the way back.
    const refused = { count: 100, effect: { status: 401 } };
    target.faults = [
      { operation: 'listMembers', nth: 2, ...refused },
      { operation: 'listOrganizations', ...refused },
    ];
    await expect(app.applyRestore(plan, { signal })).rejects.toMatchObject({ code: 'DM_TOKEN_REFUSED' });
    expect(readdirSync(restores).filter((name) => !name.endsWith('.plan.json'))).toEqual([]);
    target.faults = [];
    const { restore, failed } = await app.applyRestore(plan, { signal });
    expect(failed).toBe(0);
    expect((await app.planUndo(restore, { evenChanged: false, signal })).plan.undoes).toBe(restore);
  });
});
