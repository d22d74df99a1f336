// Files in a three-way merge, by id.
import { canonicalJson } from '../../base/index.ts';
import type { MergeInput } from './merge.ts';
import type { TreeFile } from './tree.ts';

/** Both sides' files as one list; one that both changed is there twice. */
export function mergeFiles(input: Pick<MergeInput, 'base' | 'into' | 'from' | 'newId'>): {
  files: TreeFile[];
  conflicts: boolean;
} {
  const [base, into, from] = [input.base, input.into, input.from].map(
    (tree) => new Map(tree.files.map((file) => [file.id, file])),
  );
  const files: TreeFile[] = [];
  let conflicts = false;
  for (const id of new Set([...(into?.keys() ?? []), ...(from?.keys() ?? [])])) {
    const [b, i, f] = [base?.get(id), into?.get(id), from?.get(id)];
    const changedInto = canonicalJson(i) !== canonicalJson(b);
    const changedFrom = canonicalJson(f) !== canonicalJson(b);
    const both = changedInto && changedFrom && canonicalJson(i) !== canonicalJson(f);
    conflicts ||= both;
    const taken = changedFrom ? (f ?? (both ? i : undefined)) : i;
    if (taken) files.push(taken);
    if (both && i && f) files.push({ ...i, id: input.newId() });
  }
  return { files, conflicts };
}
