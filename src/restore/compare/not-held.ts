// What a snapshot says and no restore can make true: it names what it does not hold, or something below itself.
import { isKindName, kindOf } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { idAt, textAt } from '../resource.ts';

/** A reference to what the snapshot does not hold, as where the token was refused it, leads nowhere that a restore could make. */
export function namesWhatIsNotHeld(original: SnapshotReader, { kind, body }: Resource, field: string): boolean {
  const { refs = {}, embeds = {} } = kindOf(kind);
  const named = refs[field] ?? embeds[field];
  if (named === undefined || !isKindName(named)) return false;
  const value = body[field];
  const ids = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    typeof one === 'string' ? one : idAt(one),
  );
  return ids.some((id) => id !== undefined && original.keysOf(named, id).length === 0);
}

/** True for a collection that stands below itself, as a platform may say by mistake: in one place that loop does not come back. */
export function isBelowItself(original: SnapshotReader, { kind, id, body }: Resource): boolean {
  if (kind !== 'collection') return false;
  const seen = new Set<string>();
  let above = textAt(body, 'parent');
  while (above !== undefined && above !== id && !seen.has(above)) {
    seen.add(above);
    above = textAt(original.one(kind, above)?.body, 'parent');
  }
  return above === id;
}
