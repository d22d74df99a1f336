// The organizations of which a snapshot holds something. One that the token is not shown, as where it sees a space as a guest, is known by
// what names it alone.
import type { SnapshotReader } from '../../mirror/index.ts';
import { textAt, titleOf } from '../resource.ts';

export interface Source {
  readonly id: string;
  /** Null for one that the snapshot does not hold itself. */
  readonly title: string | null;
}

/** Those that it holds first. */
export function sourcesOf(reader: SnapshotReader): Source[] {
  const held = [...reader.resources('organization')].map((one): Source => ({ id: one.id, title: titleOf(one) }));
  const named = new Set<string>();
  for (const kind of ['collection', 'space'] as const)
    for (const { body, holds } of reader.outline(kind)) {
      const organization = textAt(body, 'organization');
      if (holds && organization !== undefined) named.add(organization);
    }
  for (const { id } of held) named.delete(id);
  return [...held, ...[...named].toSorted().map((id) => ({ id, title: null }))];
}
