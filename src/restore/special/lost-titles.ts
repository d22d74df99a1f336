// Titles that an import does not keep: it reads them from a table of contents, where each is one line without space around it.
import { oneLine } from '../../export/index.ts';
import { textAt, type Body } from '../resource.ts';

/** True for a title that is empty, begins or ends with a space, or holds a line break. */
export function isLostTitle(title: string): boolean {
  return title === '' || oneLine(title) !== title;
}

/** Its title as it stands there; what has none has an empty one. */
export function titleIn(body: Body): string {
  return textAt(body, 'title') ?? '';
}
