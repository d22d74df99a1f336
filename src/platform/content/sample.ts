import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { insertDocument } from '../store/revisions.ts';
import type { Tree } from './tree.ts';

const TITLE = 'Welcome';
const SLUG = 'welcome';
const TEXT = `# Welcome

This page is a sample. Edit it through a change request, or import what you have.

* Pages stand in a tree: drag them, or nest them.
* Files go with the space that shows them.
`;

/** What a new space that is to show something begins with: one short page. */
export function sampleTree(context: PlatformContext): Tree {
  const documentId = insertDocument(context, TEXT);
  const page = {
    id: context.random.id(),
    type: 'document' as const,
    title: TITLE,
    slug: SLUG,
    path: SLUG,
    createdAt: isoTime(context.clock.now()),
    pages: [],
    ...(documentId === undefined ? {} : { documentId }),
  };
  return { pages: [page], files: [], reusableContents: [] };
}
