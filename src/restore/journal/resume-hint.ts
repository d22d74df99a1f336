// What to do about a step that failed. Most advice is worded for any command; but `restore apply` takes a plan only once, and its resume
// goes on with it.

const SAME_COMMAND = /\b(run) the same command again\b/gi;

/** The advice with the command that goes on with this restore, an undo too, in the place of the one that began it. */
export function resumeHint(hint: string, restore: string): string {
  return hint.replaceAll(SAME_COMMAND, (_, run: string) => `${run} \`docmirror restore resume ${restore}\``);
}
