// New ids as what stands in one space, or in one of its change requests, leads to them.
import { copyKind, kindOf, type KindName } from '../../contract/index.ts';
import type { ContentSource } from '../content/import-parts.ts';
import type { Resource } from '../../mirror/index.ts';
import type { IdMap } from './id-map.ts';

/**
 * The same id may stand in several places: pages and files of two spaces may have it, and each request that holds a page of its space
 * gets one of its own. So what a change request proposes comes before anything else, and what its own space has before all other spaces.
 */
export function idsWithin(ids: IdMap, { space, changeRequest }: Within): Pick<IdMap, 'byId'> {
  const proposed = (kind: KindName | null, id: string): string | undefined =>
    kind === null || changeRequest === undefined ? undefined : ids.get(kind, `${space}/${changeRequest}/${id}`);
  return {
    byId: (kind, id, within) => {
      if (kind === 'change-request-page') return proposed(kind, id) ?? ids.byId(kind, id);
      if (kind !== 'page' && kind !== 'file') return ids.byId(kind, id);
      const holder = within ?? space;
      return (holder === space ? proposed(copyKind(kind), id) : undefined) ?? ids.byId(kind, id, holder);
    },
  };
}

/** Where links lead: by new ids, from one place. */
export interface Leading {
  readonly ids: Pick<IdMap, 'byId'>;
  /** The space that a link means which names none. */
  readonly own: string;
}

/** Where the links of what stands in a space or a change request lead. */
export function leadingWithin(ids: IdMap, within: Within): Leading {
  return { ids: idsWithin(ids, within), own: within.space };
}

/** A space, or one of its change requests. */
type Within = Pick<ContentSource, 'space' | 'changeRequest'>;

/** What a resource of a space stands in. */
export function withinOf({ kind, key }: Pick<Resource, 'kind' | 'key'>): Within {
  const [space = '', changeRequest] = key.split('/');
  const isOfRequest = kindOf(kind).params[1] === 'changeRequestId';
  return { space, ...(isOfRequest && changeRequest !== undefined ? { changeRequest } : {}) };
}
