// Whoever copies a command that an answer, a message or a page names gets to the same mirror and platform as the one that named it.
import { AppError } from '../base/index.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { flagsToTarget } from './repeat-flags.ts';
import type { Config } from './types.ts';

/** What the commands that a text names are to repeat. */
export type Repeated = Pick<Config, 'flags' | 'target'>;

// `init` takes no settings, and `start` is named for what it runs.
const WITHOUT_FLAGS: ReadonlySet<string> = new Set<CommandName>(['init', 'start']);
const NAMES = Object.keys(COMMANDS)
  .filter((name) => !WITHOUT_FLAGS.has(name))
  .join('|');
const WITHIN = 'show|accept|unaccept|pin|unpin|plan|apply|resume|verify|undo|remap|list|ledger';
// As it stands in backticks, else its name alone: what follows may be its words or those of the sentence.
const NAMED = new RegExp(
  `\`(docmirror [^\`]+)\`|\\bdocmirror (?:(?:snapshots|restore) (?:${WITHIN})|${NAMES})\\b(?!(?: [a-z]+)? --help)`,
  'g',
);
const ASKS_TARGET = /^docmirror restore (?:plan|apply|resume|verify|undo|remap)\b/;

/** The text with the flags of settings behind each command that it names; one that has them already is left as it is. */
export function repeatFlags(text: string, settings: Repeated): string {
  return text.replaceAll(NAMED, (found: string, quoted: string | undefined, at: number) => {
    const command = quoted ?? found;
    const flags = ASKS_TARGET.test(command) ? flagsToTarget(settings) : settings.flags;
    const [rest = ''] = text.slice(at + found.length).split('docmirror ');
    if ([flags, settings.flags || flags].some((given) => (quoted ?? rest).includes(given))) return found;
    return quoted === undefined ? found + flags : `\`${quoted}${flags}\``;
  });
}

/** The same for what an error says to do. */
export function withFlags(error: unknown, settings: Repeated): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, details, cause, stack } = error;
  const repeated = repeatFlags(hint, settings);
  if (repeated === hint) return error;
  const told = new AppError(code, message, { hint: repeated, cause, ...(details ? { details } : {}) });
  // The same error in other words: as its own cause it would stand twice in each line of the log.
  return Object.assign(told, { stack });
}
