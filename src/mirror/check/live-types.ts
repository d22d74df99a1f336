// What a look at the platform asks of it, and what it is answered.
import type { PagedOperationName } from '../../contract/index.ts';
import type { Resource } from '../reading/reader.ts';

export type LiveBody = Readonly<Record<string, unknown>>;

/** What could not be read, and why. */
interface Unread {
  readonly is: 'unread';
  readonly why: string;
  /** True where nothing answers any more: asking for others would only wait. */
  readonly isLast?: boolean;
}

/** What the platform answered when it was asked for one resource. */
export type LiveAnswer = { readonly is: 'there'; readonly body: LiveBody } | { readonly is: 'gone' } | Unread;

export type ReadLive = (resource: Pick<Resource, 'kind' | 'params'>) => Promise<LiveAnswer>;

/** A listing, to be read to its end once by each of the filters. */
export interface LiveListing {
  readonly operation: PagedOperationName;
  readonly params: Readonly<Record<string, string>>;
  readonly filters: readonly Readonly<Record<string, string>>[];
}

export type ListLive = (
  listing: LiveListing,
) => Promise<{ readonly is: 'listed'; readonly items: readonly LiveBody[] } | Unread>;

export interface LivePlatform {
  readonly read: ReadLive;
  /** Asked only of what is not found, whether its listing still shows it. */
  readonly list: ListLive;
}
