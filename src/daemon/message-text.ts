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
  return joined(name, cleaned(message));
}

/**
 * The same for tools of chat, which read markup in it: no title calls a whole channel or shows a link that leads elsewhere than it says.
 * As each of them writes that in another way, the signs are changed and not escaped: entities would be shown by those that know none.
 */
export function chatTextOf(name: string, message: Message): string {
  const { what, means, ...rest } = cleaned(message);
  return joined(name, { ...rest, what: withoutMarkup(what), means: withoutMarkup(means) });
}

/** `<!channel>`, `<https://…|label>`, `<b>`; `@all`; `[label](https://…)`. */
function withoutMarkup(text: string): string {
  const joiner = '\u2060';
  return text
    .replaceAll(/<(?=[\p{L}/!@#?])/gu, '‹')
    .replaceAll(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, `@${joiner}`)
    .replaceAll('](', `]${joiner}(`);
}

function joined(name: string, { what, means, run, since, reminder }: Message): string {
  return `${name}: ${what}\n${means}\nRun: ${run}\n${reminder ? 'Still so, since' : 'Since'} ${since}`;
}

export function letterOf(name: string, message: Message): Letter {
  const { what, reminder } = cleaned(message);
  const subject = `[docmirror ${name}] ${reminder ? 'Still: ' : ''}${what}`.slice(0, 200).toWellFormed();
  return { subject, text: textOf(name, message) };
}
