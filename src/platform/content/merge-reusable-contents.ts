// Reusable contents in a three-way merge, by id and by the rules for pages.
import { canonicalJson } from '../../base/index.ts';
import type { MergeInput } from './merge.ts';
import type { TreeReusableContent } from './tree.ts';

/** What one of them was, and what each side made of it. */
interface Versions {
  base: TreeReusableContent | undefined;
  into: TreeReusableContent | undefined;
  from: TreeReusableContent | undefined;
}

/** Both sides' reusable contents as one list; an edit is never lost to a deletion on the other side. */
export function mergeReusableContents(input: Pick<MergeInput, 'base' | 'into' | 'from' | 'joinTexts'>): {
  reusableContents: TreeReusableContent[];
  conflicts: boolean;
} {
  const byId = ({ reusableContents }: MergeInput['base']): Map<string, TreeReusableContent> =>
    new Map(reusableContents.map((content) => [content.id, content]));
  const [base, into, from] = [byId(input.base), byId(input.into), byId(input.from)];
  const reusableContents: TreeReusableContent[] = [];
  let conflicts = false;
  for (const id of new Set([...into.keys(), ...from.keys()])) {
    const decided = decide(input, { base: base.get(id), into: into.get(id), from: from.get(id) });
    conflicts ||= decided.conflict;
    if (decided.content) reusableContents.push(decided.content);
  }
  return { reusableContents, conflicts };
}

function decide(
  input: Pick<MergeInput, 'joinTexts'>,
  versions: Versions,
): { content: TreeReusableContent | undefined; conflict: boolean } {
  const { base, into, from } = versions;
  if (same(into, from) || same(from, base)) return { content: into, conflict: false };
  if (same(into, base)) return { content: from, conflict: false };
  return { content: into && from ? joined(input, { base, into, from }) : (into ?? from), conflict: true };
}

function joined(
  input: Pick<MergeInput, 'joinTexts'>,
  { base, into, from }: { base: Versions['base']; into: TreeReusableContent; from: TreeReusableContent },
): TreeReusableContent {
  const title = from.title === base?.title ? into.title : from.title;
  const document = joinedDocument(input, [base?.documentId, into.documentId, from.documentId]);
  return { id: into.id, title, ...(document === undefined ? {} : { documentId: document }) };
}

function joinedDocument(
  input: Pick<MergeInput, 'joinTexts'>,
  [base, into, from]: [string | undefined, string | undefined, string | undefined],
): string | undefined {
  if (from === base || from === into) return into;
  return into === base ? from : input.joinTexts(from, into);
}

function same(a: TreeReusableContent | undefined, b: TreeReusableContent | undefined): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
