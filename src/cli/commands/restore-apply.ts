import type { Command } from 'commander';
import type { App, Applied } from '../../app.ts';
import type { ExitCode } from '../../base/index.ts';
import { noteSource } from '../advice.ts';
import { addTarget, createCommand, does, type CommandContext, type Run } from '../command.ts';
import { followRestore, type RestoreProgress } from '../views/restore-progress.ts';
import { applyView } from '../views/restore-apply.ts';

export function restoreApplyCommand(run: Run): Command {
  const command = createCommand({
    name: 'apply',
    summary: 'Carry out a plan, once. Every write is kept in a journal.',
    examples: ['restore apply plan.json', 'restore apply plan.json --json'],
    notes: [
      'Exit code 3: some objects could not be written; mend the reason and resume; or pages that the plan names were left as they were; or something did not come back, and is named; or the plan is an undo, and leaves what it names. 4: the plan no longer fits, nothing was written.',
    ],
  })
    .argument('<file>', 'the plan')
    .option('--without-comments', 'leave comments and replies, which may mail people, for a resume');
  addTarget(command);
  return does<Leaving>(run, command, (context, { withoutComments = false }) =>
    carryOut(context, { withoutComments }, (app, options) => app.applyRestore(context.args[0] ?? '', options)),
  );
}

/** What a run leaves for a later one. */
interface Leaving {
  withoutComments?: boolean;
}

export function restoreResumeCommand(run: Run): Command {
  const command = createCommand({
    name: 'resume',
    summary: 'Continue a restore that was cut off or had failures; nothing is written twice.',
    examples: ['restore resume RESTORE_ID', 'restore resume RESTORE_ID --failed'],
    notes: [
      'Where comments were left by `apply --without-comments`, it writes them; with the same option it leaves them.',
    ],
  })
    .argument('<id>', 'id of the restore')
    .option('--failed', 'repeat only what failed and what was skipped for it; begin nothing new')
    .option('--without-comments', 'begin no comment and no reply: they are left for a further resume');
  addTarget(command);
  return does<Leaving & { failed?: boolean }>(run, command, (context, { failed = false, withoutComments = false }) =>
    carryOut(context, { withoutComments }, (app, options) =>
      app.resumeRestore(context.args[0] ?? '', { ...options, onlyFailed: failed }),
    ),
  );
}

type Carry = (
  app: App,
  options: Required<Leaving> & Pick<RestoreProgress, 'onProgress' | 'onRead'> & { signal: AbortSignal },
) => Promise<Applied>;

async function carryOut(
  { app, screen, signal }: CommandContext,
  leaving: Required<Leaving>,
  carry: Carry,
): Promise<ExitCode> {
  using progress = followRestore(screen, 'restore', app.clock);
  const { onProgress, onRead } = progress;
  const result = await carry(app, { ...leaving, onProgress, onRead, signal });
  progress[Symbol.dispose]();
  await screen.show(result, (look) => applyView(result, { ...app.config, ...leaving }, look));
  await noteSource(screen, result);
  return applyExit(result);
}

/** What is left as it was, and what did not come back, is told to whatever runs it; of an undo, however it is carried out, all that it leaves. */
export function applyExit({ takesBack, ...of }: Applied): ExitCode {
  const left = takesBack === null ? 0 : of.unsupported;
  return of.failed + of.skipped + of.untouched + of.mixed + of.lacking + left === 0 ? 0 : 3;
}
