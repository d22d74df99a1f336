import type { AnswerOf } from '../../contract/index.ts';
import { openingOf, sectionsOf } from '../../document/index.ts';
import { pageText } from '../content/computed-pages.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { TreePage } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import type { FoundGroup, FoundSection } from '../search/find.ts';
import { spaceAppUrl } from './containers.ts';

type PageResult = AnswerOf<'searchSpace'>['items'][number];
type SectionResult = NonNullable<PageResult['sections']>[number];

/** A page that answers a search, with the sections that do. */
export function showFoundPage(context: PlatformContext, revision: StoredRevision, group: FoundGroup): PageResult[] {
  const page = revision.pages.get(group.id);
  if (!page) return [];
  const app = `${spaceAppUrl(context, revision.space)}/p/${page.id}`;
  const sections = sectionsOf(pageText(context, page));
  const shown = group.sections.flatMap(({ ordinal }: FoundSection) => {
    const section = sections[ordinal];
    return section ? [showSection(page, section, app)] : [];
  });
  return [{ id: page.id, title: page.title, path: page.path, sections: shown, urls: { app } }];
}

function showSection(page: TreePage, section: ReturnType<typeof sectionsOf>[number], app: string): SectionResult {
  const anchor = section.anchor === '' ? '' : `#${section.anchor}`;
  return {
    id: `${page.id}${anchor}`,
    title: section.title === '' ? page.title : section.title,
    path: `${page.path}${anchor}`,
    body: openingOf(section),
    urls: { app: `${app}${anchor}` },
  };
}
