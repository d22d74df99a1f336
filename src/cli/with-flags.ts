import { AppError } from '../base/index.ts';
import { flagsToTarget, type Config } from '../config/index.ts';

const NAMED = /`(docmirror [^`]+)`/g;
const ASKS_TARGET = /^docmirror restore (?:plan|apply|resume|verify|undo|remap)\b/;

/** Whoever copies a command that a hint names gets to the same mirror and platform as the one that failed. */
export function withFlags(error: unknown, config: Pick<Config, 'flags' | 'target'>): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, details } = error;
  const repeated = hint.replaceAll(NAMED, (_, command: string) => {
    const flags = ASKS_TARGET.test(command) ? flagsToTarget(config) : config.flags;
    return `\`${command}${flags}\``;
  });
  if (repeated === hint) return error;
  return new AppError(code, message, { hint: repeated, cause: error, ...(details ? { details } : {}) });
}
