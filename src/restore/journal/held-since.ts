// What an undo is to take away, and people have put something into since: it would go with it.
import { childKinds, isComment, type KindName } from '../../contract/index.ts';
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { IS_LEFT, type LaterRestores } from './later-restores.ts';
import { hasValue, keyAbove, textAt, titleOf, type Body } from '../resource.ts';
import { standsAs } from '../in-place/left-by-undo.ts';
import { madeSpaces } from './made-spaces.ts';

interface Held {
  readonly kind: KindName;
  /** Its key begins with this one. */
  readonly below: string;
  readonly isIn: (body: Body) => boolean;
}

const IN_SITE: readonly KindName[] = ['site-section', 'site-section-group', 'site-space', 'share-link'];

/** What goes with a holder. The key of what a section shows begins with that of the site; it names its section. */
export function heldBy({ kind, key, id }: Resource): Held[] {
  if (kind === 'site-section')
    return [{ kind: 'site-space', below: keyAbove(key), isIn: (body) => textAt(body, 'section') === id }];
  const held = isComment(kind) ? childKinds(kind) : kind === 'site' ? IN_SITE : [];
  return held.map((one) => ({ kind: one, below: key, isIn: () => true }));
}

interface Holding {
  readonly isOwn: (resource: Resource) => boolean;
  /** True for what the restore made and somebody has changed since. */
  readonly isChanged: (resource: Resource) => boolean;
  readonly later: LaterRestores;
  /** That were written. */
  readonly steps: readonly RestoreStep[];
  /** Holds what the restore brought back; null where that is not at hand. */
  readonly originals: SnapshotReader | null;
}

/** Why it stays, naming what is in it; null where all that is in it is the restore's own, and as the restore made it. */
export function holdsOthers(
  live: SnapshotReader,
  { isOwn, isChanged, later, steps, originals }: Holding,
): (holder: Resource) => string | null {
  const whyNot = (one: Resource): string | null => {
    if (isOwn(one)) return isChanged(one) ? wouldGo('changed') : null;
    return later.whyThere(one.kind, one.id) ?? wouldGo('added');
  };
  const originalOf = new Map(madeSpaces(steps).map(({ new_id: id, key }) => [id, key]));
  const before = (value: Resource, { id, key }: Resource): Resource | undefined =>
    originals?.one(value.kind, `${originalOf.get(id) ?? key}/${value.id}`);
  return (holder) => {
    // What came out of the bin goes back into it with its values, of which nobody can say since when it has them.
    const isOfBin = originalOf.get(holder.id) === holder.key;
    const value = holder.kind === 'space' && !isOfBin ? valueOfOthers(holder, { live, isOwn, before }) : undefined;
    if (value !== undefined) return `${value.kind} "${titleOf(value)}", ${wouldGo('set')}`;
    for (const { kind, below, isIn } of heldBy(holder))
      for (const one of live.resources(kind, below)) {
        const why = isIn(one.body) ? whyNot(one) : null;
        if (why !== null) return `${kind} "${titleOf(one)}", ${why}`;
      }
    return null;
  };
}

interface Known extends Pick<Holding, 'isOwn'> {
  readonly live: SnapshotReader;
  /** The value of the same field that the restore gave the space, or that it had before. */
  readonly before: (value: Resource, space: Resource) => Resource | undefined;
}

/** What a space has as the value of a field of its organization, and neither the restore nor the space before gave it: it goes with either. */
function valueOfOthers(space: Resource, { live, isOwn, before }: Known): Resource | undefined {
  return [...live.resources('custom-field-value', space.key)].find((one) => {
    if (!hasValue(one)) return false;
    const was = before(one, space);
    return was === undefined ? !isOwn(one) : !standsAs(one.body['value'], was.body['value'] ?? null);
  });
}

function wouldGo(how: 'changed' | 'added' | 'set'): string {
  return `which somebody has ${how} since, would go with it: ${IS_LEFT}`;
}
