// Layout and cover as an import gives them: only what the contract knows is kept.
import { isRecord } from '../../base/index.ts';
import type { PageFields } from './tree.ts';

type Layout = NonNullable<PageFields['layout']>;
type Cover = NonNullable<PageFields['cover']>;

const LAYOUT_FLAGS = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination'] as const;

export function readLayout(value: Record<string, unknown> | undefined): Layout | undefined {
  if (!value) return undefined;
  const layout: Layout = {};
  for (const name of LAYOUT_FLAGS) {
    const flag = value[name];
    if (typeof flag === 'boolean') layout[name] = flag;
  }
  const size = value['coverSize'];
  if (size === 'hero' || size === 'full') layout.coverSize = size;
  return Object.keys(layout).length > 0 ? layout : undefined;
}

const IMPORT_FILE = /^import:file\//;

/** `fileIds` maps the keys of imported files to the ids they got. */
export function readCover(
  value: Record<string, unknown> | undefined,
  fileIds: ReadonlyMap<string, string>,
): Cover | undefined {
  const ref = value?.['ref'];
  if (!isRecord(ref)) return undefined;
  const target = ref['file'] ?? ref['url'];
  if (typeof target !== 'string') return undefined;
  const file = fileIds.get(target.replace(IMPORT_FILE, ''));
  const yPos = value?.['yPos'];
  const place = typeof yPos === 'number' ? { yPos } : {};
  if (file !== undefined) return { ref: { kind: 'file', file }, ...place };
  return ref['kind'] === 'url' && !IMPORT_FILE.test(target)
    ? { ref: { kind: 'url', url: target }, ...place }
    : undefined;
}
