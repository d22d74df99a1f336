// The kinds of visits by name: what each asks for, how it reads, and how it takes the answer in.
import { readAbsent, takeRoutes, takeVerdict, type RoutesVisit } from './visits/absent.ts';
import { takeCollectionAbove, type CollectionAboveVisit } from './visits/collections-above.ts';
import {
  readCollection,
  readCollectionSpaces,
  takeCollection,
  takeCollectionSpaces,
  type CollectionSpacesVisit,
  type CollectionVisit,
} from './visits/collections.ts';
import { readContent, readHolder, takeConfirmation, takeContent } from './visits/content.ts';
import type { ConfirmVisit, ContentVisit } from './visits/content.ts';
import { readDocument, takeDocument, type DocumentVisit } from './visits/documents.ts';
import { readFile, readPage, takeFile, takePage, takeUnreadPage } from './visits/entries.ts';
import type { Asked } from './failures.ts';
import { readInvite, takeInvite, type InviteVisit } from './visits/invites.ts';
import { findLinksAcross, takeLinksAcross } from './visits/links-across.ts';
import { readListing, takeListing, type ListingVisit } from './visits/listing.ts';
import type { AbsentVisit } from './visits/missing.ts';
import { readNamedCollection, takeNamedCollection, type NamedCollectionVisit } from './visits/named-collection.ts';
import { readNamedSpace, takeNamedSpace, type NamedSpaceVisit } from './visits/named-space.ts';
import type { Body } from './visits/parts.ts';
import { knownPasses } from './visits/passes.ts';
import { readPdf, takePdf, takePdfs, type PdfVisit } from './visits/pdfs.ts';
import { readRecount, takeRecount, type Recounted, type RecountVisit } from './visits/recount.ts';
import { takeComputedPages } from './visits/computed-pages.ts';
import { takeRequestDocuments } from './visits/request-documents.ts';
import { takeOrder, type OrderVisit } from './visits/space-order.ts';
import type { Entry } from './visits/tree.ts';
import { takeDeletedSpace } from './visits/vanished.ts';
import type { Walk } from './types.ts';
import { weightOf } from './weight.ts';

type Params = Readonly<Record<string, unknown>>;

/** A kind of visit: what it asks for, and how it is made; `make` reads and answers what takes the answer in. */
export interface Task {
  asks(params: Params): Asked;
  make(walk: Walk, params: Params): Promise<Answer>;
  requests(params: Params): Requests;
  /** Takes in what is known of something that could not be read; absent where that is nothing. */
  readonly takeUnread?: (walk: Walk, params: Params) => void;
  /** It sends no request, and concludes from what was read: it is left out unless all of that was. */
  readonly isConclusion: boolean;
}

/** How many requests a visit makes itself, when no answer has a second page, and how many follow from it in any case. */
export interface Requests {
  readonly own: number;
  readonly following: number;
}

/** An answer that was read and is to be taken in, and the bytes of memory that it holds until then, about. */
export interface Answer {
  readonly take: () => void;
  readonly bytes: number;
}

interface Doing<P, A> {
  readonly asks: (visit: P) => Asked;
  readonly read: (walk: Walk, visit: P) => Promise<A>;
  readonly take: (walk: Walk, visit: P, answer: A) => void;
  /** Left out where it is one. */
  readonly requests?: (visit: P) => Requests;
  readonly takeUnread?: (walk: Walk, visit: P) => void;
  readonly isConclusion?: boolean;
}

// Parameters come from the frontier, where only this room writes them.
function task<P, A>({ asks, read, take, requests = () => ONE, takeUnread, isConclusion = false }: Doing<P, A>): Task {
  return {
    isConclusion,
    ...(takeUnread ? { takeUnread: (walk, params) => takeUnread(walk, params as P) } : {}),
    asks: (params) => asks(params as P),
    requests: (params) => requests(params as P),
    make: async (walk, params) => {
      const answer = await read(walk, params as P);
      return { take: () => take(walk, params as P, answer), bytes: weightOf(answer) };
    },
  };
}

function below({ kind, path }: ListingVisit): Asked {
  return { kind, resource: Object.values(path).join('/') };
}

function own({ kind, params }: Pick<Entry, 'kind' | 'params'>): Asked {
  return { kind, resource: Object.values(params).join('/') };
}

interface Keyed {
  readonly key: string;
}

const ofSpace = ({ key }: Keyed): Asked => ({ kind: 'space', resource: key });
const none = (): Requests => ({ own: 0, following: 0 });
const silent = { read: () => Promise.resolve(null), requests: none } as const;
const ONE: Requests = { own: 1, following: 0 };
const two = (): Requests => ({ own: 2, following: 0 });

export const tasks: Readonly<Record<string, Task>> = {
  listing: task<ListingVisit, Awaited<ReturnType<typeof readListing>>>({
    asks: below,
    read: readListing,
    take: takeListing,
    requests: ({ kind, isNews }) => ({ own: knownPasses(kind) * (isNews === true ? 2 : 1), following: 0 }),
  }),
  content: task<ContentVisit, Awaited<ReturnType<typeof readContent>>>({
    asks: below,
    read: readContent,
    take: takeContent,
    // What was read is compared once more; of the tree of a settled request mostly all is there already.
    requests: ({ isSettled }) => ({ own: 1, following: isSettled === true ? 0 : 1 }),
  }),
  confirm: task<ConfirmVisit, Body>({ asks: below, read: readHolder, take: takeConfirmation }),
  page: task<Entry, Awaited<ReturnType<typeof readPage>>>({
    asks: own,
    read: readPage,
    take: takePage,
    takeUnread: takeUnreadPage,
  }),
  file: task<Entry, Awaited<ReturnType<typeof readFile>>>({ asks: own, read: readFile, take: takeFile }),
  document: task<DocumentVisit, Awaited<ReturnType<typeof readDocument>>>({
    asks: own,
    read: readDocument,
    take: takeDocument,
  }),
  computed: task<Keyed, null>({
    ...silent,
    asks: () => ({ kind: 'page', resource: '' }),
    take: takeComputedPages,
  }),
  links: task<Keyed, Awaited<ReturnType<typeof findLinksAcross>>>({
    asks: () => ({ kind: 'link', resource: '' }),
    read: findLinksAcross,
    take: (walk, _, spaces) => takeLinksAcross(walk, spaces),
    requests: none,
  }),
  trees: task<Keyed, null>({
    ...silent,
    asks: () => ({ kind: 'change-request-page-document', resource: '' }),
    take: takeRequestDocuments,
  }),
  pdfs: task<Keyed, null>({
    ...silent,
    asks: () => ({ kind: 'change-request-pdf', resource: '' }),
    take: takePdfs,
  }),
  pdf: task<PdfVisit, Awaited<ReturnType<typeof readPdf>>>({
    asks: own,
    read: readPdf,
    take: takePdf,
    requests: two,
  }),
  recount: task<RecountVisit, Recounted>({
    asks: below,
    read: readRecount,
    take: takeRecount,
    requests: (visit) => ({ own: knownPasses(visit.kind) + 2, following: 0 }),
  }),
  invite: task<InviteVisit, Awaited<ReturnType<typeof readInvite>>>({
    asks: own,
    read: readInvite,
    take: takeInvite,
  }),
  absent: task<AbsentVisit, Awaited<ReturnType<typeof readAbsent>>>({
    asks: own,
    read: readAbsent,
    take: takeVerdict,
  }),
  'deleted-space': task<AbsentVisit, Awaited<ReturnType<typeof readAbsent>>>({
    asks: own,
    read: readAbsent,
    take: takeDeletedSpace,
  }),
  collection: task<CollectionVisit, Awaited<ReturnType<typeof readCollection>>>({
    asks: ({ key }) => ({ kind: 'collection', resource: key }),
    read: readCollection,
    take: takeCollection,
    requests: two,
  }),
  'collection-spaces': task<CollectionSpacesVisit, Awaited<ReturnType<typeof readCollectionSpaces>>>({
    asks: ofSpace,
    read: readCollectionSpaces,
    take: takeCollectionSpaces,
  }),
  'named-collection': task<NamedCollectionVisit, Awaited<ReturnType<typeof readNamedCollection>>>({
    asks: ({ key }) => ({ kind: 'collection', resource: key }),
    read: readNamedCollection,
    take: takeNamedCollection,
  }),
  'collection-above': task<CollectionAboveVisit, Awaited<ReturnType<typeof readNamedCollection>>>({
    asks: ({ key }) => ({ kind: 'collection', resource: key }),
    read: readNamedCollection,
    take: takeCollectionAbove,
  }),
  space: task<NamedSpaceVisit, Awaited<ReturnType<typeof readNamedSpace>>>({
    asks: ofSpace,
    read: readNamedSpace,
    take: takeNamedSpace,
  }),
  routes: task<RoutesVisit, null>({ ...silent, asks: ofSpace, take: takeRoutes, isConclusion: true }),
  order: task<OrderVisit, null>({ ...silent, asks: ofSpace, take: takeOrder, isConclusion: true }),
};
