// How the documentation stands: questions to the views, the same that `docmirror query` answers.
import { AppError, isoTime, type Pieces } from '../base/index.ts';
import { lastSealed, readerAt, recipeOf, runQuery, NAMED_SPACES, type Mirror } from '../mirror/index.ts';

export interface SpaceSize {
  readonly title: string;
  readonly pages: number;
  readonly textBytes: number;
  readonly fileBytes: number;
}

export interface Counted {
  readonly name: string;
  readonly count: number;
}

export interface StalePage {
  readonly space: string;
  readonly spaceTitle: string;
  readonly page: string;
  readonly title: string;
  readonly editedAt: string;
}

/** How much lies in each span of ages, youngest first; last what has no time that anybody can read, where there is any. */
export type Ages = readonly Counted[];

export interface Stand {
  readonly spaces: readonly SpaceSize[];
  /** Documents by the age of their last edit. */
  readonly editAges: Ages;
  /** Documents that were not edited for half a year, oldest first. */
  readonly stalePages: readonly StalePage[];
  readonly brokenLinksBySpace: readonly Counted[];
  readonly openCommentsBySpace: readonly Counted[];
  /** Draft and open change requests by their age. */
  readonly changeRequestAges: Ages;
  /** People by comments, replies and change requests. */
  readonly contributors: readonly Counted[];
}

const DAY_MS = 86_400_000;
const STALE_DAYS = 180;
const LARGEST = 25;
const LISTED = 15;

/** A question at a time. Ages count from `now`, milliseconds since the epoch. */
export function* readStand(mirror: Mirror, names: SpaceNames, now: number): Pieces<Stand> {
  const ask = (sql: string): unknown[][] => runQuery(mirror.dataDir, sql, null).rows;
  const recipe = (name: string, limit: number): unknown[][] => ask(`select * from (${sqlOf(name)}) limit ${limit}`);
  const spaces = recipe('largest-spaces', LARGEST).map(([title, pages, textBytes, fileBytes]) => ({
    title: String(title),
    pages: Number(pages),
    textBytes: Number(textBytes),
    fileBytes: Number(fileBytes),
  }));
  yield;
  const edits = readEdits(mirror, { ask, names }, now);
  yield;
  const brokenLinksBySpace = counted(recipe('broken-links', LISTED));
  yield;
  const openCommentsBySpace = counted(recipe('comment-backlog', LISTED));
  yield;
  const changeRequestAges = requestAges(ask(`select days from (${sqlOf('change-request-age')})`));
  yield;
  const contributors = recipe('contributors', LISTED).map(([name, ...counts]) => ({
    name: wordOr(name, 'unknown'),
    count: counts.reduce<number>((sum, count) => sum + Number(count), 0),
  }));
  return { spaces, ...edits, brokenLinksBySpace, openCommentsBySpace, changeRequestAges, contributors };
}

function counted(rows: readonly unknown[][]): Counted[] {
  return rows.map(([name, count]) => ({ name: wordOr(name, 'unknown'), count: Number(count) }));
}

/** What each space is called, by its id. */
export type SpaceNames = ReadonlyMap<string, string>;

/** The spaces of the last sealed snapshot: a title that several have has the id behind it. */
export function spaceNames({ dataDir }: Mirror): SpaceNames {
  const { rows } = runQuery(dataDir, `select id, title from ${NAMED_SPACES}`, null);
  return new Map(rows.map(([id, title]) => [String(id), wordOr(title, String(id))]));
}

export function wordOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
}

type Ask = (sql: string) => unknown[][];

function sqlOf(name: string): string {
  const sql = recipeOf(name)?.sql;
  if (sql !== undefined) return sql;
  throw new AppError('DM_INTERNAL', `There is no recipe ${name}`, {
    hint: 'This is a fault in Docmirror; please report it.',
  });
}

const EDITED = 'coalesce(p.updated_at, p.created_at)';
const EDIT_SPANS = [
  { name: 'less than a month', days: 30 },
  { name: '1 to 6 months', days: STALE_DAYS },
  { name: '6 to 12 months', days: 365 },
  { name: '1 to 2 years', days: 730 },
] as const;

/** One pass over all pages for both: it is what costs most of a report. */
function readEdits(
  mirror: Mirror,
  { ask, names }: { readonly ask: Ask; readonly names: SpaceNames },
  now: number,
): Pick<Stand, 'editAges' | 'stalePages'> {
  const before = (days: number): string => `julianday('${isoTime(now - days * DAY_MS)}')`;
  const cases = EDIT_SPANS.map(({ days }, index) => `when instant >= ${before(days)} then ${index}`);
  const rows = ask(`with edits as materialized (
      select p.space as space, p.id as id, ${EDITED} as edited, julianday(${EDITED}) as instant from pages p where p.type = 'document')
    select case when instant is null then -1 ${cases.join(' ')} else ${EDIT_SPANS.length} end as span, count(*), null, null
    from edits group by span
    union all select * from (select null, space, id, edited from edits where instant < ${before(STALE_DAYS)}
      order by instant limit ${LISTED})`);
  const counts = new Map(rows.filter(([span]) => span !== null).map(([span, count]) => [Number(span), Number(count)]));
  const stale = rows.filter(([span]) => span === null);
  const stalePages = stale.map(([, space, id, at]) => stalePage(mirror, names, [space, id, at]));
  return { editAges: toAges(counts), stalePages };
}

function toAges(counts: ReadonlyMap<number, number>): Ages {
  const named = [...EDIT_SPANS.map(({ name }) => name), 'more than 2 years'];
  return [
    ...named.map((name, index) => ({ name, count: counts.get(index) ?? 0 })),
    ...ofUnknownAge(counts.get(-1) ?? 0),
  ];
}

function stalePage(mirror: Mirror, names: SpaceNames, row: readonly unknown[]): StalePage {
  const [space = '', page = '', editedAt = ''] = row.map(String);
  const reader = readerAt(mirror, lastSealed(mirror)?.id ?? 0, { damaged: 'empty' });
  return {
    space,
    spaceTitle: names.get(space) ?? space,
    page,
    title: wordOr(reader.one('page', `${space}/${page}`)?.body['title'], page),
    editedAt,
  };
}

const REQUEST_SPANS = [
  { name: 'less than a week', days: 7 },
  { name: '1 to 4 weeks', days: 28 },
  { name: '1 to 3 months', days: 90 },
  { name: '3 to 12 months', days: 365 },
  { name: 'more than a year', days: Number.POSITIVE_INFINITY },
] as const;

function requestAges(rows: readonly unknown[][]): Ages {
  const ages = rows.flatMap(([days]) => (days === null ? [] : [Number(days)]));
  const named = REQUEST_SPANS.map(({ name, days }, index) => {
    const from = REQUEST_SPANS[index - 1]?.days ?? Number.NEGATIVE_INFINITY;
    return { name, count: ages.filter((age) => age >= from && age < days).length };
  });
  return [...named, ...ofUnknownAge(rows.length - ages.length)];
}

function ofUnknownAge(count: number): Ages {
  return count > 0 ? [{ name: 'not known', count }] : [];
}
