// What a snapshot names and does not hold.
import { isKindName, kindOf } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { idAt } from '../resource.ts';

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
