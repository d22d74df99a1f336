// What an import of missing pages is divided by.
import type { Resource } from '../../../mirror/index.ts';
import type { Divisible } from '../../content/divided-parts.ts';
import { filesShown } from '../../links/links.ts';
import { textAt } from '../../resource.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { belowOf, missingById } from './missing-map.ts';

export function divisible(context: ApplyContext, step: PlanStep): Divisible {
  const { reader, live } = context;
  const { missing = [], changed = [], files = [] } = step.pages ?? {};
  const isWanted = (file: string): boolean => files.some(({ id }) => id === file);
  const titleOfPage = (page: string): string => [...missing, ...changed].find(({ id }) => id === page)?.title ?? page;
  const nameOfFile = (file: string): string => textAt(reader.one('file', `${step.key}/${file}`)?.body, 'name') ?? file;
  return {
    filesAlong: (page) => pagesAlong(context, step, page).flatMap(filesShown),
    isBrought: (file) => isWanted(file) || live?.one('file', `${step.key}/${file}`) === undefined,
    titleOf: (kind, id) => (kind === 'page' ? titleOfPage(id) : nameOfFile(id)),
    lackOf: (page) => {
      // Of one that stands, its text would be gone.
      if (missing.every(({ id }) => id !== page)) return 'look';
      // One that no file is has nothing but its title.
      return reader.one('page', `${step.key}/${page}`)?.body['type'] === 'document' ? 'content' : 'all';
    },
  };
}

/** A page and those above it, the nearest first: all of them are imported with it. */
function pagesAlong({ reader, live }: ApplyContext, step: PlanStep, page: string): Resource[] {
  const missing = missingById(step);
  const along: Resource[] = [];
  for (let at: string | null = page; at !== null;) {
    const mend = missing.get(at);
    const one: Resource | undefined = (mend === undefined ? live : reader)?.one('page', `${step.key}/${at}`);
    if (one === undefined || along.some(({ id }) => id === one.id)) break;
    along.push(one);
    at = mend === undefined ? one.parent : belowOf({ reader }, step, mend);
  }
  return along;
}
