import { text } from './render-inline.ts';

interface Titled {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a page, a space or another thing with a title is called; its id where the title is blank, so that its link can be seen. */
export function titleOf({ id, body }: Titled): string {
  const title = text(body['title']);
  return title.trim() === '' ? id : title;
}
