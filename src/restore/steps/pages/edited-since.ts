// People edit pages that a restore has made before it sets, in a go of its own, what their import did not keep: such pages stay as they are.
import type { Page } from '../../../contract/index.ts';
import { lastEdit } from '../../resource.ts';
import { flatten } from '../../special/page-places.ts';
import type { ContentChange } from '../../target/own-request.ts';
import { pagesNamed } from '../../with-problems.ts';
import type { Beside } from './send-beside.ts';

interface Unedited {
  readonly beside: Beside;
  /** What is not set, in words. */
  readonly lacks: readonly string[];
}

/** @param broughtAt When all that the restore had written by then stood there, as the platform says; undefined where nobody knows. */
export function withoutEdited(beside: Beside, broughtAt: string | undefined): Unedited {
  if (broughtAt === undefined) return { beside, lacks: [] };
  const { titles, fields, pages } = beside;
  const isLater = (page: Page): boolean => Date.parse(lastEdit({ ...page })) > Date.parse(broughtAt);
  const edited = new Map(flatten(pages).flatMap((page) => (isLater(page) ? [[page.id, page.title] as const] : [])));
  const isOurs = (change: ContentChange): boolean => !('page' in change && edited.has(change.page));
  const left = new Set(
    [...titles, ...fields].flatMap((change) => (isOurs(change) || !('page' in change) ? [] : [change.page])),
  );
  const names = [...left].map((id) => edited.get(id) ?? id);
  return {
    beside: { titles: titles.filter(isOurs), fields: fields.filter(isOurs), pages },
    lacks: names.length === 0 ? [] : [`${WHY}: ${pagesNamed(names)}`],
  };
}

const WHY = 'edited by somebody since it came, so that titles and fields that an import does not keep are not set';
