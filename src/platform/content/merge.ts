// A three-way merge by page. `from` is merged into `into`; `base` is what both grew out of. Where both changed the same page, what
// `from` says wins, and the text it displaces stays visible below a marker.
import { canonicalJson, groupBy } from '../../base/index.ts';
import { mergeFiles } from './merge-files.ts';
import { mergeReusableContents } from './merge-reusable-contents.ts';
import { mergeOrder } from './sibling-order.ts';
import { fieldsOf } from './save-page.ts';
import { assemble, flatten, MOST_LEVELS, type FlatTree, type PageFields, type Tree, type TreePage } from './tree.ts';

export interface MergeInput {
  base: Tree;
  into: Tree;
  from: Tree;
  /** Stores one text made of two that contradict each other, and answers its document. */
  joinTexts(kept: string | undefined, displaced: string | undefined): string | undefined;
  /** The id under which a displaced file stays. */
  newId(): string;
  now: string;
}

export interface Merged {
  tree: Tree;
  /** Something was changed on both sides in different ways. */
  conflicts: boolean;
}

interface Sides {
  base: FlatTree;
  into: FlatTree;
  from: FlatTree;
}

/** A page as a merge compares it: its fields and where it stands. */
interface Placed {
  fields: PageFields;
  parent: string | null;
}

export function mergeTrees(input: MergeInput): Merged {
  const sides: Sides = { base: flatten(input.base), into: flatten(input.into), from: flatten(input.from) };
  const pages = new Map<string, TreePage>();
  const parents = new Map<string, string | null>();
  let conflicts = false;
  for (const id of new Set([...sides.into.pages.keys(), ...sides.from.pages.keys()])) {
    const decided = mergePage(input, sides, id);
    conflicts ||= decided.conflict;
    if (!decided.page) continue;
    pages.set(id, decided.page);
    parents.set(id, decided.parent);
  }
  const files = mergeFiles(input);
  const contents = mergeReusableContents(input);
  return {
    tree: {
      pages: assemble({ pages, children: childrenOf(sides, pages, parents) }),
      files: files.files,
      reusableContents: contents.reusableContents,
    },
    conflicts: conflicts || files.conflicts || contents.conflicts,
  };
}

interface Decision {
  page: TreePage | null;
  parent: string | null;
  conflict: boolean;
}

function mergePage(input: MergeInput, sides: Sides, id: string): Decision {
  const [base, into, from] = [placed(sides.base, id), placed(sides.into, id), placed(sides.from, id)];
  const take = (side: FlatTree, conflict: boolean): Decision => ({
    page: side.pages.get(id) ?? null,
    parent: side.parents.get(id) ?? null,
    conflict,
  });
  if (equal(into, from) || equal(from, base)) return take(sides.into, false);
  if (equal(into, base)) return take(sides.from, false);
  // An edit is never lost to a deletion on the other side.
  if (!from) return take(sides.into, true);
  if (!into) return take(sides.from, true);
  const page = sides.into.pages.get(id);
  return {
    page: page ? { ...page, ...joined(input, { base, into, from }), updatedAt: input.now } : null,
    parent: base && from.parent === base.parent ? into.parent : from.parent,
    conflict: true,
  };
}

function joined(input: MergeInput, page: { base: Placed | null; into: Placed; from: Placed }): PageFields {
  const { base, into, from } = page;
  const fields: Record<string, unknown> = { ...into.fields };
  for (const name of new Set([...Object.keys(into.fields), ...Object.keys(from.fields)]) as Set<keyof PageFields>) {
    const changed = !base || canonicalJson(from.fields[name]) !== canonicalJson(base.fields[name]);
    if (!changed) continue;
    if (from.fields[name] === undefined) delete fields[name];
    else fields[name] = from.fields[name];
  }
  const texts = [base?.fields.documentId, into.fields.documentId, from.fields.documentId];
  if (new Set(texts).size === texts.length) {
    const text = input.joinTexts(from.fields.documentId, into.fields.documentId);
    if (text === undefined) delete fields['documentId'];
    else fields['documentId'] = text;
  }
  return fields as unknown as PageFields;
}

function placed(flat: FlatTree, id: string): Placed | null {
  const page = flat.pages.get(id);
  return page ? { fields: fieldsOf(page), parent: flat.parents.get(id) ?? null } : null;
}

function equal(a: Placed | null, b: Placed | null): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Children in order. A page whose parent is gone, that would hold itself, or stand too deep, comes to the root. */
function childrenOf(
  sides: Sides,
  pages: ReadonlyMap<string, TreePage>,
  parents: Map<string, string | null>,
): Map<string | null, string[]> {
  for (const id of pages.keys()) if (!reachesRoot(id, pages, parents)) parents.set(id, null);
  const children = new Map<string | null, string[]>();
  const grouped = groupBy(pages.keys(), (id) => parents.get(id) ?? null);
  for (const [parent, members] of grouped) {
    const here = new Set(members);
    const ordered = orderOf(sides, parent).filter((id) => here.has(id));
    children.set(parent, [...new Set([...ordered, ...here])]);
  }
  return children;
}

function orderOf(sides: Sides, parent: string | null): string[] {
  const [base = [], into = [], from = []] = [sides.base, sides.into, sides.from].map((s) => s.children.get(parent));
  return isReordered(base, from) ? mergeOrder(into, from) : mergeOrder(from, into);
}

/** What both have stands in another order: pages that came or went alone change none. */
function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const [known, left] = [new Set(before), new Set(after)];
  return before.filter((id) => left.has(id)).join() !== after.filter((id) => known.has(id)).join();
}

function reachesRoot(id: string, pages: ReadonlyMap<string, TreePage>, parents: Map<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) {
    if (seen.has(at) || !pages.has(at) || seen.size === MOST_LEVELS) return false;
    seen.add(at);
  }
  return true;
}
