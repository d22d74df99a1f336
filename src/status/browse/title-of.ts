import { seenOr } from '../pages/words.ts';
import { text } from './render-links.ts';

interface Titled {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a page, a space or another thing with a title is called; its id where nothing of the title can be seen. */
export function titleOf({ id, body }: Titled): string {
  return seenOr(text(body['title']), id);
}

const CODES = /^(?=.*\d)[\da-f]{4,6}(?:-[\da-f]{4,6})*$/i;
const LAST_CODE = 0x10_ff_ff;

/** The sign beside a title. A platform may give it as the codes of its characters, such as `1f44b`; any other word is shown as it is. */
export function emojiOf(body: Titled['body']): string {
  const sign = text(body['emoji']);
  const codes = CODES.test(sign) ? sign.split('-').map((code) => Number.parseInt(code, 16)) : [];
  return codes.length === 0 || codes.some((code) => code > LAST_CODE) ? sign : String.fromCodePoint(...codes);
}

/** What a change request is called. */
export function subjectOf({ body }: Pick<Titled, 'body'>): string {
  return seenOr(text(body['subject']), 'without a subject');
}
