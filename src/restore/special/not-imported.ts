// What an import does not keep of pages: titles that a table of contents cannot hold, and what groups and links show beside title, place and
// address, since they stand in it alone.
import type { Outlined, SnapshotReader } from '../../mirror/index.ts';
import { beyondImport, isFileless, isLostTitle, titleIn } from './page-fields.ts';
import { firstOf } from '../resource.ts';

interface NotImported {
  readonly titled: readonly Outlined[];
  /** Groups and links. */
  readonly shown: readonly Outlined[];
}

/** Pages of a space that have such; of single pages, those alone. */
export function notImported(
  reader: SnapshotReader,
  { space, only }: { readonly space: string; readonly only: ReadonlySet<string> | null },
): NotImported {
  const pages = [...reader.outline('page', space)].filter(({ key, holds }) => holds && (only?.has(key) ?? true));
  return {
    titled: pages.filter(({ body }) => isLostTitle(titleIn(body))),
    shown: pages.filter(({ body }) => beyondImport(body).length > 0),
  };
}

/** The same of a change request. It begins with the groups and links of its space, and with what those show. */
export function proposedNotImported(reader: SnapshotReader, request: string): NotImported {
  const pages = [...reader.outline('change-request-page', request)].filter(({ holds }) => holds);
  const showsInSpace = (id: string): boolean => {
    const stands = reader.one('page', `${firstOf(request)}/${id}`);
    return stands !== undefined && beyondImport(stands.body).length > 0;
  };
  return {
    titled: pages.filter(({ body }) => isLostTitle(titleIn(body))),
    shown: pages.filter(({ id, body }) => isFileless(body) && (beyondImport(body).length > 0 || showsInSpace(id))),
  };
}
