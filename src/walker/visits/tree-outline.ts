// A tree of a revision as its entries, parents first, without what each of them holds: a tree may be of thousands.
import { isRecord } from '../../base/index.ts';
import { itemsOf } from '../../client/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import type { SharedKind } from '../../mirror/index.ts';
import type { ReadAgain } from './counted.ts';
import { entryMark } from './file-mark.ts';
import { idIn, type Body } from './parts.ts';
import { hasText, isUntold } from './page-text.ts';

/** One part of a revision, such as its pages, on its way into the mirror. */
export interface Part extends ReadAgain {
  readonly kind: KindName;
  /** Number of the revision's resource. */
  readonly revision: number;
  readonly params: Readonly<Record<string, string>>;
  /** True where all of the revision was read before, and nobody edits it. */
  readonly stands?: boolean;
}

/** An entry of a tree, without what it holds: a tree may be of thousands. */
export interface Node {
  readonly id: string | undefined;
  /** Id of the page that it stands below. */
  readonly above: string | null;
  readonly position: number;
  readonly mark: string;
  readonly documentId: string | null;
  readonly isEmpty: boolean;
}

interface Told extends Pick<Node, 'id' | 'above' | 'position'> {
  /** The entry without those below it. */
  readonly own: Body;
}

/** Every entry of a tree, parents first. */
export function* entriesOf(kind: SharedKind, entries: unknown): Generator<Told> {
  const { read } = kindOf(kind);
  const nested = read.from === 'part' ? read.nested : undefined;
  const levels: { entries: unknown; above: string | null }[] = [{ entries, above: null }];
  for (const level of levels) {
    let position = 0;
    for (const item of itemsOf(level.entries)) {
      const { [nested ?? '']: below, ...own } = isRecord(item) ? item : {};
      const id = idIn(kind, own);
      yield { id, above: level.above, position: position++, own };
      if (id !== undefined && below !== undefined) levels.push({ entries: below, above: id });
    }
  }
}

export function outlineOf(kind: SharedKind, entries: unknown): Node[] {
  return Array.from(entriesOf(kind, entries), ({ own, ...place }) => ({
    ...place,
    mark: entryMark(kind, own),
    documentId: typeof own['documentId'] === 'string' ? own['documentId'] : null,
    isEmpty: !hasText(own) && !isUntold(own),
  }));
}
