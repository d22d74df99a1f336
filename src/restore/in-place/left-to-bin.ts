// In place: places on sites that go into the bin with their spaces, and need not be taken away by themselves.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { idAt, keyAbove, textAt } from '../resource.ts';
import type { Mending } from './input.ts';

/**
 * Of what is taken away, the keys of the places without which their section would show nothing: a section goes with the last place that
 * is taken away from it, and stays where the space of that lies in the bin.
 * @param goes True for what is taken away.
 */
export function leftToBin(
  planning: Pick<Mending, 'list' | 'live' | 'reader'>,
  added: readonly Resource[],
  goes: (one: Pick<Resource, 'kind' | 'key'>) => boolean,
): ReadonlySet<string> {
  const { list, live, reader } = planning;
  const left = new Set<string>();
  for (const place of added) {
    const section = place.kind === 'site-space' ? textAt(place.body, 'section') : undefined;
    const space = idAt(place.body['space']) ?? '';
    if (section === undefined || !goes({ kind: 'space', key: space })) continue;
    if (goes({ kind: 'site-section', key: `${keyAbove(place.key)}/${section}` })) continue;
    const isMade = beside(reader, place).some(({ kind, key }) => list.creatorOf(kind, key) !== undefined);
    if (!isMade && beside(live, place).every(goes)) left.add(place.key);
  }
  return left;
}

/** Places of the same section, itself included. */
function beside(side: SnapshotReader, { kind, key, body }: Resource): Resource[] {
  const section = textAt(body, 'section');
  return [...side.resources(kind, keyAbove(key))].filter((one) => textAt(one.body, 'section') === section);
}
