// Files that an import was given under another name than they have: the plan counts them.
import { lazyBy } from '../../base/index.ts';
import { renamedFiles } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove } from '../resource.ts';

/** True for one of them. Each space, and each change request, is looked into once: when a file of it is first asked about. */
export function isRenamedIn(original: SnapshotReader): (file: Resource) => boolean {
  const inSpace = lazyBy((space: string) => renamedFiles(original, space, 'file'));
  const inRequest = lazyBy((request: string) => renamedFiles(original, request, 'change-request-file'));
  return ({ kind, id, key }) => {
    if (kind === 'file') return inSpace(keyAbove(key)).has(id);
    return kind === 'change-request-file' && inRequest(keyAbove(key)).has(id);
  };
}
