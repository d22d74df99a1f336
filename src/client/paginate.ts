// Listings, page by page, with a certain end.
import { hash } from 'node:crypto';
import { isRecord, safeText } from '../base/index.ts';
import { ApiError, HINTS, type ApiErrorFacts } from './api-error.ts';
import type { PageSizes } from './page-sizes.ts';
import type { CallOptions, PageOptions, RawInput, RawPage } from './types.ts';

const MAX_PAGES = 100_000;
const MAX_EMPTY_PAGES = 1_000;
// Comparing costs; so many pages do well without it.
const PAGES_UNCOMPARED = 100;
const MAX_REPEATED_PAGES = 50;
// Of items without an id, such as links: a page may name another one a hundred times, and each of them may be a page of a listing.
const MAX_ALIKE_PAGES = 1_000;
const MAX_HALVINGS = 6;
// Larger pages take too much memory while others can be had.
const MOST_BYTES_OF_PAGE = 16 * 1024 * 1024;
const SHOWN_TOKEN = 20;
const MOST_ITEMS = 10_000;

export interface Listing {
  readonly operation: string;
  /** Path of the operation, for errors. */
  readonly path: string;
  readonly sizes: PageSizes;
  readonly read: (input: RawInput, options: CallOptions) => Promise<ListEnvelope>;
}

/** The list envelope, as far as an answer was looked at when it came. */
export interface ListEnvelope {
  readonly items: Record<string, unknown>[];
  readonly next?: unknown;
  readonly count?: unknown;
}

interface Envelope extends RawPage {
  /** Token of the following page; null on the last one. */
  next: string | null;
}

/**
 * The pages of a listing, each item once, to its end; see ApiClient.paginate for what is refused. One that counts more than it sent is
 * asked for once more: it may have been cut short, or moved on meanwhile.
 */
export async function* readPages(listing: Listing, input: RawInput, options: PageOptions): AsyncGenerator<RawPage> {
  const handedOn = new HandedOn();
  const short = yield* readInSizes(listing, { input, options, handedOn });
  if (short <= 0 || options.isCountIgnored === true) return;
  handedOn.beginAgain();
  yield* readInSizes(listing, { input, options, handedOn });
}

interface Reading {
  readonly input: RawInput;
  readonly options: PageOptions;
  readonly handedOn: HandedOn;
}

/** All pages, smaller ones where these fail; then tells how many more the last one counts than were sent: what came twice is one. */
async function* readInSizes(
  listing: Listing,
  { input, options, handedOn }: Reading,
): AsyncGenerator<RawPage, number, undefined> {
  let first: unknown = null;
  let size = options.pageSize === undefined ? undefined : listing.sizes.within(options.pageSize);
  let isRefused = false;
  for (let halvings = 0; ; halvings++) {
    const smaller = halvings >= MAX_HALVINGS ? null : listing.sizes.smallerThan(size);
    const mostBytes = smaller === null ? options.mostBytes : MOST_BYTES_OF_PAGE;
    let isFirst = true;
    let count = 0;
    try {
      for await (const page of readThrough(listing, withLimit(input, size), { ...options, mostBytes })) {
        if (isRefused && size !== undefined) listing.sizes.took(size);
        isFirst = false;
        count = page.count ?? 0;
        const items = handedOn.without(page.items);
        if (halvings === 0 || items.length > 0) yield* inPieces({ ...page, items });
      }
      return count - handedOn.sent;
    } catch (error) {
      if (options.signal?.aborted) throw error;
      first ??= error;
      if (smaller === null || !mayFitSmaller(error, options)) throw first;
      // Of a later page it may be the items that are too many, and not what was asked for.
      isRefused = isFirst && error instanceof ApiError && error.status === 400;
      // From the beginning: nothing documents what a token means with another size.
      size = smaller;
      handedOn.beginAgain();
    }
  }
}

/** A page that nobody has bounded may have more items than a function takes arguments, and whoever gathers them passes them so. */
function* inPieces(page: RawPage): Generator<RawPage> {
  yield page.items.length <= MOST_ITEMS ? page : { ...page, items: page.items.slice(0, MOST_ITEMS) };
  for (let at = MOST_ITEMS; at < page.items.length; at += MOST_ITEMS)
    yield { ...page, items: page.items.slice(at, at + MOST_ITEMS) };
}

/**
 * What of a listing was handed on before it was begun again: by id, since others may have come or gone meanwhile; by number where
 * items have none.
 */
class HandedOn {
  readonly #before = new Set<unknown>();
  readonly #now = new Set<unknown>();
  #unnamed = 0;
  #unnamedNow = 0;
  #skipped = 0;

  /** How many different ones came since it was begun; those without an id all count. */
  get sent(): number {
    return this.#now.size + this.#unnamedNow;
  }

  beginAgain(): void {
    for (const id of this.#now) this.#before.add(id);
    this.#now.clear();
    this.#skipped = this.#unnamed;
    this.#unnamedNow = 0;
  }

  without(items: Envelope['items']): Envelope['items'] {
    return items.filter((item) => (hasId(item) ? this.#isNew(item['id']) : this.#isNext()));
  }

  #isNew(id: unknown): boolean {
    this.#now.add(id);
    return !this.#before.has(id);
  }

  #isNext(): boolean {
    this.#unnamedNow += 1;
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return false;
    }
    this.#unnamed += 1;
    return true;
  }
}

/** All pages with one size. */
async function* readThrough(listing: Listing, input: RawInput, options: PageOptions): AsyncGenerator<RawPage> {
  const { priority, signal, mostBytes } = options;
  const tokens = new Set<string>();
  let token: string | null = null;
  const repetition = new Repetition();
  let empty = 0;
  let sent = 0;
  for (let pages = 0; ; pages++) {
    if (pages >= (options.maxPages ?? MAX_PAGES)) throw endless(listing, `has more than ${pages} pages`);
    const answer = await listing.read(withPage(input, token), { priority, signal, mostBytes });
    sent += answer.items.length;
    const envelope = envelopeOf(listing, answer, sent);
    empty = envelope.items.length === 0 ? empty + 1 : 0;
    if (empty >= MAX_EMPTY_PAGES) throw endless(listing, `sent ${empty} pages without items in a row`);
    const { next, items, ...page }: Envelope = envelope;
    const repeated = pages < PAGES_UNCOMPARED ? 0 : repetition.after(items);
    if (repeated >= (items.every(hasId) ? MAX_REPEATED_PAGES : MAX_ALIKE_PAGES))
      throw endless(listing, `sent ${repeated} pages in a row with items that it had sent before`);
    // Checked before the page is handed on: items of a listing that goes round are no answer.
    if (next !== null && tokens.has(next)) throw loop(listing, next);
    yield { ...page, items };
    if (next === null) return;
    tokens.add(next);
    token = next;
  }
}

/** Tells a listing that begins again under tokens that are always new. */
class Repetition {
  readonly #seen = new Set<string>();
  #row = 0;

  /** How many pages in a row are like earlier ones; those without items neither count nor end it. */
  after(items: Envelope['items']): number {
    if (items.length === 0) return this.#row;
    const page = hash('sha256', JSON.stringify(items), 'base64url');
    this.#row = this.#seen.has(page) ? this.#row + 1 : 0;
    this.#seen.add(page);
    return this.#row;
  }
}

function hasId({ id }: Envelope['items'][number]): boolean {
  return typeof id === 'string';
}

function withLimit(input: RawInput, size: number | undefined): RawInput {
  return size === undefined ? input : { ...input, query: { ...input.query, limit: size } };
}

// Some servers fail on pages that grow too big; the same items in smaller pages go through.
function mayFitSmaller(error: unknown, { isSizeTaken = false }: PageOptions): boolean {
  if (!(error instanceof ApiError) || (isSizeTaken && error.status === 400)) return false;
  const { status, code } = error;
  if (code === 'DM_TIMEOUT' || (code === 'DM_BAD_RESPONSE' && error.cause !== undefined)) return true;
  // With a status, it broke off amid the answer.
  if (code === 'DM_UNREACHABLE') return status !== null;
  return status === 400 || status === 413 || (status !== null && status >= 500 && status !== 501);
}

function withPage(input: RawInput, token: string | null): RawInput {
  return token === null ? input : { ...input, query: { ...input.query, page: token } };
}

/** @param sent How many items the listing has sent with this answer. */
function envelopeOf(listing: Listing, answer: ListEnvelope, sent: number): Envelope {
  const count = typeof answer.count === 'number' ? answer.count : undefined;
  const page: Envelope = {
    items: answer.items,
    next: nextOf(listing, answer.next, count !== undefined && sent >= count),
  };
  if (count !== undefined) page.count = count;
  return page;
}

/** @param isAll Whether the listing has sent as many items as it counts: a `next` without a token is its end then, and only then. */
function nextOf(listing: Listing, next: unknown, isAll: boolean): string | null {
  if (next === undefined || next === null) return null;
  if (isRecord(next) && typeof next.page === 'string' && next.page !== '') return next.page;
  if (isRecord(next) && (next.page ?? '') === '' && isAll) return null;
  const what = 'answered a page whose `next` has no page token; expected the list envelope';
  throw new ApiError('DM_BAD_RESPONSE', { what, hint: HINTS.DM_BAD_RESPONSE }, factsOf(listing));
}

function endless(listing: Listing, what: string): ApiError {
  const text = { what: `${what}; expected it to end`, hint: HINTS.DM_PAGING_ENDLESS };
  return new ApiError('DM_PAGING_ENDLESS', text, factsOf(listing));
}

function loop(listing: Listing, token: string): ApiError {
  const shown = safeText(token.slice(0, SHOWN_TOKEN));
  const text = {
    what: `repeated the page token ${JSON.stringify(shown)}; expected a new one or none`,
    hint: HINTS.DM_PAGING_LOOP,
  };
  return new ApiError('DM_PAGING_LOOP', text, factsOf(listing));
}

function factsOf({ operation, path }: Listing): ApiErrorFacts {
  return { status: 200, operation, method: 'GET', target: path, attempts: 1, retryable: false, sent: false };
}
