// Which pages of a change request are its own: those that are not the same in the space.
import type { Resource, SnapshotReader } from '../mirror/index.ts';

/** Pages of a change request that differ from the space's page of the same id, or that the space does not have. */
export function* changedPages(reader: SnapshotReader, request: Resource): IterableIterator<Resource> {
  const space = request.params['spaceId'] ?? '';
  for (const page of reader.resources('change-request-page', request.key)) {
    const main = reader.one('page', `${space}/${page.id}`);
    if (!main || !isSame(main, page)) yield page;
  }
}

const SHOWN = [
  'title',
  'description',
  'emoji',
  'icon',
  'slug',
  'path',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'type',
] as const;

function isSame(main: Resource, page: Resource): boolean {
  return main.text === page.text && SHOWN.every((field) => main.body[field] === page.body[field]);
}
