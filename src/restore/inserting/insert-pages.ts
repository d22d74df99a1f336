// Pages inserted into a change request, those above before those below, since each is made below a page that has its id.
import { count } from '../../base/index.ts';
import { MOST_CHANGES, PAGE_FLAGS, PAGE_TEXTS, type Page, type Revision } from '../../contract/index.ts';
import type { Untaken } from '../journal/untaken.ts';
import { textAt } from '../resource.ts';
import { isLostTitle, titleIn } from '../special/page-fields.ts';
import { flatten } from '../special/page-places.ts';
import { contentAfter, contentOf } from '../target/content-there.ts';
import { markdownSent } from '../steps/pages/headings.ts';
import { MOST_TEXT, sendChanges, type ContentChange } from '../target/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { adoptPages, newIdsOf, textMeant, titleSent, type PageInsertion, type WantedPage } from './page-insertion.ts';
import { sendByHalves } from './refusals.ts';
import { NoWayIn } from './target-import.ts';
import { writeTexts } from './write-texts.ts';

interface Inserted {
  /** What stands there then. */
  readonly made: Revision;
  /** What did not come as it was, and why, but for pages that did not come at all. */
  readonly lacks: readonly string[];
  /** Those: what stood below them came below the nearest page above that did. */
  readonly untaken: readonly Untaken[];
}

/** Inserts those that are not there yet, each with its text, and notes their new ids at once. Goes on where an earlier try was cut off. */
export async function insertPages(context: ApplyContext, wanted: PageInsertion): Promise<Inserted> {
  const { path } = wanted;
  const untaken = new Map<string, Untaken>();
  let insertion = wanted;
  const sent = new Map<string, string>();
  const lacks: string[] = [];
  let made = await contentOf(context, path);
  const send = async (batch: readonly Next[]): Promise<void> => {
    const changes = batch.map(({ change }) => change);
    const revision = await sendChanges(context, path, changes);
    if (revision === null) throw new NoWayIn();
    const isAll = (now: Revision): boolean => {
      adoptPages(context, insertion, now.pages);
      return batch.every(({ kind, key }) => context.ids.get(kind, key) !== undefined);
    };
    made = await contentAfter(context, { into: path, revision, isAll });
    if (!isAll(made)) lacks.push(...batch.flatMap((one) => notShown(context, one)));
  };
  adoptPages(context, insertion, made.pages);
  const onRefused = (one: Next, { message: why }: Error): void => void untaken.set(one.id, untakenPage(one, why));
  for (let next = nextOf(context, insertion, sent); next.length > 0; next = nextOf(context, insertion, sent)) {
    for (const { key, change } of next) sent.set(key, change.document.markdown);
    lacks.push(...(await sendByHalves(next, { send, nameOf, plainer: PLAINER, onRefused })));
    insertion = { ...wanted, wanted: raised(wanted.wanted, untaken) };
    adoptPages(context, insertion, made.pages);
  }
  const { refused, untitled } = await settleTexts(context, insertion, sent);
  // Of an earlier try, which had set their titles: what goes on from here must know that they are gone.
  const isPlain = ({ id, title }: Page): boolean => !untitled.has(id) || !isLostTitle(title);
  const isSettled = (now: Revision): boolean => flatten(now.pages).every(isPlain);
  if (!isSettled(made)) made = await contentAfter(context, { into: path, revision: '', isAll: isSettled });
  return { made, lacks: [...lacks, ...refused, ...below(context, insertion, sent)], untaken: [...untaken.values()] };
}

function nameOf({ change }: Next): string {
  return `page ${change.title ?? ''}`;
}

// A target may refuse an address, an emoji, a description and the like, or the text.
const PLAINER = [
  { of: (one: Next) => withTextAlone(one, one.change.document.markdown), how: 'its title and text alone' },
  { of: (one: Next) => withTextAlone(one, ''), how: 'its title alone' },
] as const;

function withTextAlone({ change, ...page }: Next, markdown: string): Next {
  const { type, title, into } = change;
  return {
    ...page,
    change: {
      type,
      document: { markdown },
      ...(title === undefined ? {} : { title }),
      ...(typeof into === 'string' ? { into } : {}),
    },
  };
}

function untakenPage({ id, change: { title = '' } }: Next, why: string): Untaken {
  return { kind: 'page', id, title, what: 'all', why };
}

/** Those below a page that did not come go below the nearest one above that did. */
function raised(wanted: readonly WantedPage[], untaken: ReadonlyMap<string, Untaken>): readonly WantedPage[] {
  if (untaken.size === 0) return wanted;
  const parents = new Map(wanted.map(({ id, above }) => [id, above]));
  const climb = (above: string | null): string | null => {
    let at = above;
    while (at !== null && untaken.has(at)) at = parents.get(at) ?? null;
    return at;
  };
  return wanted.map((page) => ({ ...page, above: climb(page.above) }));
}

function notShown({ ids }: ApplyContext, one: Next): string[] {
  return ids.get(one.kind, one.key) === undefined ? [`${nameOf(one)} was inserted and is shown nowhere`] : [];
}

/** Pages that were not even sent, as what they stand below did not come. */
function below({ ids }: ApplyContext, { wanted }: PageInsertion, sent: ReadonlyMap<string, string>): string[] {
  const left = wanted.filter(({ kind, key }) => ids.get(kind, key) === undefined && !sent.has(key));
  return left.length === 0 ? [] : [`${count(left.length, 'page')} below what did not come: not inserted`];
}

type Insert = Extract<ContentChange, { type: 'insert_page' }>;

interface Next extends Pick<WantedPage, 'kind' | 'key' | 'id'> {
  readonly change: Insert;
}

/** As many as one batch holds of those whose page above stands. What was sent and is shown nowhere is not sent again. */
function nextOf(context: ApplyContext, insertion: PageInsertion, sent: ReadonlyMap<string, string>): Next[] {
  const newIdOf = newIdsOf(context, insertion);
  const next: Next[] = [];
  let size = 0;
  for (const page of insertion.wanted) {
    if (context.ids.get(page.kind, page.key) !== undefined || sent.has(page.key)) continue;
    const into = page.above === null ? null : newIdOf(page.above);
    if (into === undefined) continue;
    const change = insertOf(context, page, into);
    size += change.document.markdown.length;
    if (next.length > 0 && (next.length === MOST_CHANGES || size > MOST_TEXT)) break;
    next.push({ kind: page.kind, key: page.key, id: page.id, change });
  }
  return next;
}

const LONGEST_SLUG = 100;

function insertOf(context: ApplyContext, page: WantedPage, into: string | null): Insert {
  const { body } = page;
  const title = titleSent(body);
  const slug = textAt(body, 'slug') ?? '';
  const texts = PAGE_TEXTS.map((field) => [field, textAt(body, field) ?? ''] as const).filter(
    ([, text]) => text !== '',
  );
  const flags = PAGE_FLAGS.filter((flag) => body[flag] === true).map((flag) => [flag, true] as const);
  return {
    type: 'insert_page',
    title,
    document: { markdown: markdownSent(context.headings, { title, markdown: textMeant(context, page) }) },
    ...(slug === '' || slug.length > LONGEST_SLUG ? {} : { slug }),
    ...(Object.fromEntries([...texts, ...flags]) as Partial<Insert>),
    ...(into === null ? {} : { into }),
  };
}

interface Settled {
  readonly refused: readonly string[];
  /** Ids of pages that have a title of one line by that, which is not theirs. */
  readonly untitled: ReadonlySet<string>;
}

/** Texts whose links lead to what has got its id only since, and those of an earlier try, of which nobody knows; then their headings. */
async function settleTexts(
  context: ApplyContext,
  { path, wanted, edited }: PageInsertion,
  sent: ReadonlyMap<string, string>,
): Promise<Settled> {
  const texts: ContentChange[] = [];
  const anew: ContentChange[] = [];
  const untitled = new Set<string>();
  for (const page of wanted) {
    const id = context.ids.get(page.kind, page.key);
    if (id === undefined || edited?.has(id) === true) continue;
    const title = titleSent(page.body);
    const markdown = textMeant(context, page);
    const change = { type: 'update_page', page: id, title, document: { markdown } } as const;
    texts.push(change);
    if (markdownSent(context.headings, { title, markdown }) === sent.get(page.key)) continue;
    anew.push(change);
    if (isLostTitle(titleIn(page.body))) untitled.add(id);
  }
  return { refused: await writeTexts(context, path, { anew, all: texts }), untitled };
}
