import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { slugOf } from '../import/slug.ts';
import { readRevision } from '../store/revisions.ts';
import { findSpace } from '../store/spaces.ts';
import { commitToSpace } from './commit.ts';
import { openApiSource } from './computed-pages.ts';
import { assemble, flatten } from './tree.ts';

/** Puts an entry that is computed from a specification at the end of a space's main content; answers its id. */
export function addComputedPage(
  context: PlatformContext,
  page: { space: string; spec: string; title: string },
): string {
  const space = findSpace(context, page.space);
  const { tree } = readRevision(context, space.revision);
  const flat = flatten(tree);
  const id = context.random.id();
  flat.pages.set(id, {
    type: 'computed',
    id,
    title: page.title,
    slug: slugOf(page.title),
    path: '',
    createdAt: isoTime(context.clock.now()),
    computed: openApiSource(page.spec),
    pages: [],
  });
  flat.children.set(null, [...(flat.children.get(null) ?? []), id]);
  commitToSpace(context, space, { tree: { ...tree, pages: assemble(flat) }, type: 'edits' });
  return id;
}
