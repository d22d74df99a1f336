import { toAppError } from '../base/index.ts';
import type { CommandContext } from './command.ts';
import type { Look } from './screen.ts';

/** What a command says before it stays up. Where stdout takes nothing, as on a full disk, the log tells so, and the work is done. */
export async function announce(
  { app, screen }: CommandContext,
  document: unknown,
  view: (look: Look) => string,
): Promise<void> {
  try {
    await screen.show(document, view);
  } catch (error) {
    const { code, message } = toAppError(error);
    if (code !== 'DM_OUTPUT_FAILED') throw error;
    app.log.warn({ code, why: message }, 'the first words are lost, the work goes on');
  }
}
