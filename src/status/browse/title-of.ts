import { seenOr } from '../pages/words.ts';
import { text } from './render-inline.ts';

interface Titled {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a page, a space or another thing with a title is called; its id where nothing of the title can be seen. */
export function titleOf({ id, body }: Titled): string {
  return seenOr(text(body['title']), id);
}

/** What a change request is called. */
export function subjectOf({ body }: Pick<Titled, 'body'>): string {
  return seenOr(text(body['subject']), 'without a subject');
}
