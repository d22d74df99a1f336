// What stands in a space of the target, or in one of its change requests; after an import, too, which may show a moment later.
import type { Revision } from '../../contract/index.ts';
import { unlessGone } from '../answers.ts';
import { isInBin, lastEdit } from '../resource.ts';
import { flatten } from '../special/page-places.ts';
import type { ApplyContext } from '../types.ts';

/** A space of the target, or one of its change requests: where content stands, and goes. */
export interface ContentPath {
  readonly spaceId: string;
  readonly changeRequestId?: string;
}

export type RequestPath = Required<ContentPath>;

export function isRequest(path: ContentPath): path is RequestPath {
  return path.changeRequestId !== undefined;
}

export function contentOf({ client }: Pick<ApplyContext, 'client'>, path: ContentPath): Promise<Revision> {
  return isRequest(path) ? client.call('getChangeRequestRevision', { path }) : client.call('getRevision', { path });
}

/** False for what is gone, and for what lies in the bin. */
export async function isThere({ client }: Pick<ApplyContext, 'client'>, path: ContentPath): Promise<boolean> {
  const asked = isRequest(path) ? client.call('getChangeRequest', { path }) : client.call('getSpace', { path });
  const body = await unlessGone<object>(asked);
  return body !== undefined && !isInBin({ ...body });
}

/** When each page was last edited, by its id; empty for one that is as an import made it. */
export function editsIn({ pages }: Pick<Revision, 'pages'>): Map<string, string> {
  return new Map(flatten(pages).map((page) => [page.id, lastEdit({ ...page })]));
}

/** Of its pages and files. */
export function idsIn({ pages, files }: Revision): Set<string> {
  return new Set([...flatten(pages), ...files].map(({ id }) => id));
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

interface Imported {
  readonly into: ContentPath;
  /** That the import has made, by its answer. */
  readonly revision: string;
  /** True where it shows everything that went in. */
  readonly isAll: (made: Revision) => boolean;
}

/**
 * Reads what an import has made. A platform of several machines goes on to show the state before it for some seconds: while another
 * revision stands there, or nothing at all, and something is lacking, it is read again, for eight seconds at most. A platform that imports
 * when it has answered names the revision from before it.
 */
export async function contentAfter(context: ApplyContext, { into, revision, isAll }: Imported): Promise<Revision> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const made = await contentOf(context, into);
    const isMade = made.id === revision && idsIn(made).size > 0;
    if (isMade || waitMs > LONGEST_WAIT_MS || isAll(made)) return made;
    await context.clock.sleep(waitMs, context.signal);
  }
}
