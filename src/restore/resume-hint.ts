// What to do about a step that failed: most advice is given for any command, and the one that applies a plan takes a plan but once.

const SAME_COMMAND = /\b(run) the same command again\b/gi;

/** The advice with the command that goes on with this restore, an undo too, in the place of the one that began it. */
export function resumeHint(hint: string, restore: string): string {
  return hint.replaceAll(SAME_COMMAND, (_, run: string) => `${run} \`docmirror restore resume ${restore}\``);
}
