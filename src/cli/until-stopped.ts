import { aborted, isTerminal, toAppError } from '../base/index.ts';
import type { CommandContext } from './command.ts';

/** Waits until someone ends a command that stays up, and says that it was ended: in the log, to people in words. */
export async function untilStopped({ app, screen, signal }: CommandContext): Promise<void> {
  await aborted(signal);
  const { message } = toAppError(signal.reason);
  if (isTerminal('stderr'))
    await screen.note(`${message.replace('Interrupted', 'Stopped')}. What was committed is kept.`);
  else app.log.info({ why: message }, 'stopped');
}
