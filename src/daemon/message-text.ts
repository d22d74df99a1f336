// A message as people and programs read it.
import { safeText } from '../base/index.ts';
import type { Letter } from './mail.ts';
import type { Message } from './notices.ts';

/** Messages hold what platforms answered: no address with a secret in it, no credential. */
export function cleaned(message: Message): Message {
  const { what, means, run } = message;
  return { ...message, what: safeText(what), means: safeText(means), run: safeText(run) };
}

/** A message as people read it: what, what it means, what to run. */
export function textOf(name: string, message: Message): string {
  const { what, means, run, since, reminder } = cleaned(message);
  return `${name}: ${what}\n${means}\nRun: ${run}\n${reminder ? 'Still so, since' : 'Since'} ${since}`;
}

export function letterOf(name: string, message: Message): Letter {
  const { what, reminder } = cleaned(message);
  const subject = `[docmirror ${name}] ${reminder ? 'Still: ' : ''}${what}`.slice(0, 200);
  return { subject, text: textOf(name, message) };
}
