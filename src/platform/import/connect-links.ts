// Links between the files of a source, pointed at what the files become.
import type { ImportedReusableContent } from '../content/imported-content.ts';
import type { AssetKeys } from './assets.ts';
import { resolveTarget, rewriteLinks } from './links.ts';
import type { PageTree } from './page-tree.ts';

/** What the files of a source become. */
interface Become {
  tree: PageTree;
  /** By file. */
  reusable: ReadonlyMap<string, ImportedReusableContent>;
  keys: AssetKeys;
}

/** Writes the links of pages and reusable contents as `import:` links where they lead to what the import takes over. */
export function connectLinks(become: Become, pageFiles: Iterable<string>): void {
  for (const file of pageFiles) {
    const page = become.tree.pageOf.get(file);
    if (!page) continue;
    const replace = (target: string): string | undefined => importedTarget(become, { file, target });
    if (page.body !== undefined) page.body = rewriteLinks(page.body, replace);
    if (page.cover) page.cover = importedCover(page.cover, replace);
  }
  for (const [file, content] of become.reusable) {
    content.body = rewriteLinks(content.body, (target) => importedTarget(become, { file, target }));
  }
}

function importedTarget({ tree, reusable, keys }: Become, link: { file: string; target: string }): string | undefined {
  const target = resolveTarget(link.file, link.target);
  if (!target) return undefined;
  const page = tree.pageOf.get(target.path);
  if (page) return `import:page/${page.path}${target.rest}`;
  const content = reusable.get(target.path);
  if (content) return `import:reusable/${content.key}${target.rest}`;
  const key = keys.keyOf(target.path);
  return key === undefined ? undefined : `import:file/${key}${target.rest}`;
}

function importedCover(
  cover: Record<string, unknown>,
  replace: (target: string) => string | undefined,
): Record<string, unknown> {
  const ref = cover['ref'] as { kind?: unknown; url?: unknown } | undefined;
  const target = ref?.kind === 'url' && typeof ref.url === 'string' ? replace(ref.url) : undefined;
  // A picture has no places that an address could name.
  return target === undefined ? cover : { ...cover, ref: { kind: 'file', file: target.replace(/[#?].*$/s, '') } };
}
