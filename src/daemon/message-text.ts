// A message as people and programs read it.
import { safeText } from '../base/index.ts';
import type { Letter } from './mail.ts';
import type { Message } from './notices.ts';

const ENDS_LINE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const TURNS_ROUND = /[\u202a-\u202e\u2066-\u2069]/gu;
const LONGEST = 4000;

/**
 * Messages hold what platforms answered and people wrote: no address with a secret in it, no credential, and each part on one line, so
 * that no title passes for the command that is to be run.
 */
export function cleaned(message: Message): Message {
  const { what, means, run } = message;
  return { ...message, what: shortened(inLine(what)), means: shortened(inLine(means)), run: inLine(run) };
}

function inLine(text: string): string {
  return safeText(text).replaceAll(ENDS_LINE, ' ').replaceAll(TURNS_ROUND, '');
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()} …` : text;
}

/** A message as people read it: what, what it means, what to run. */
export function textOf(name: string, message: Message): string {
  const { what, means, run, since, reminder } = cleaned(message);
  return `${name}: ${what}\n${means}\nRun: ${run}\n${reminder ? 'Still so, since' : 'Since'} ${since}`;
}

export function letterOf(name: string, message: Message): Letter {
  const { what, reminder } = cleaned(message);
  const subject = `[docmirror ${name}] ${reminder ? 'Still: ' : ''}${what}`.slice(0, 200).toWellFormed();
  return { subject, text: textOf(name, message) };
}
