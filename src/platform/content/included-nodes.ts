import type { PlatformContext } from '../context.ts';
import { readDocument } from '../store/revisions.ts';
import { documentNodes, readStableLink, type DocumentNode } from '../../document/index.ts';
import type { StoredRevision } from './revision-cache.ts';

/** The nodes of a text as a reader sees them: what each reusable content of the revision says stands in its place. */
export function readerNodes(context: PlatformContext, revision: StoredRevision, markdown: string): DocumentNode[] {
  // Those that are being read: one that includes itself is not read again.
  const open = new Set<string>();
  const expand = (nodes: readonly DocumentNode[]): DocumentNode[] =>
    nodes.flatMap((node) => {
      const id = includedIn(node);
      if (id === undefined) return node.nodes ? { ...node, nodes: expand(node.nodes) } : node;
      const content = revision.reusableContents.get(id);
      if (!content || open.has(id)) return [];
      open.add(id);
      const included = expand(documentNodes(readDocument(context, content.documentId)));
      open.delete(id);
      return included;
    });
  return expand(documentNodes(markdown));
}

function includedIn({ type, data }: DocumentNode): string | undefined {
  if (type !== 'reusable-content') return undefined;
  const link = readStableLink(String(data?.['ref']))?.link;
  return link?.kind === 'reusable-contents' && link.space === undefined ? link.id : undefined;
}
