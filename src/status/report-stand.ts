// How the documentation stands: questions to the views, the same that `docmirror query` answers.
import { AppError, isoTime } from '../base/index.ts';
import { recipeOf, runQuery, type Mirror } from '../mirror/index.ts';

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

/** How much lies in each span of ages, youngest first. */
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

/** Ages count from `now`, milliseconds since the epoch. */
export function readStand(mirror: Mirror, now: number): Stand {
  const ask = (sql: string): unknown[][] => runQuery(mirror.dataDir, sql, null).rows;
  const recipe = (name: string, limit: number): unknown[][] => ask(`select * from (${sqlOf(name)}) limit ${limit}`);
  const counted = (rows: readonly unknown[][]): Counted[] =>
    rows.map(([name, count]) => ({ name: String(name ?? 'unknown'), count: Number(count) }));
  return {
    spaces: recipe('largest-spaces', LARGEST).map(([title, pages, textBytes, fileBytes]) => ({
      title: String(title),
      pages: Number(pages),
      textBytes: Number(textBytes),
      fileBytes: Number(fileBytes),
    })),
    editAges: editAges(ask, now),
    stalePages: stalePages(ask, now),
    brokenLinksBySpace: counted(recipe('broken-links', LISTED)),
    openCommentsBySpace: counted(recipe('comment-backlog', LISTED)),
    changeRequestAges: requestAges(ask(`select days from (${sqlOf('change-request-age')})`)),
    contributors: recipe('contributors', LISTED).map(([name, ...counts]) => ({
      name: String(name ?? 'unknown'),
      count: counts.reduce<number>((sum, count) => sum + Number(count), 0),
    })),
  };
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

function editAges(ask: Ask, now: number): Ages {
  const cases = EDIT_SPANS.map(
    ({ days }, index) => `when ${EDITED} >= '${isoTime(now - days * DAY_MS)}' then ${index}`,
  );
  const rows = ask(
    `select case when ${EDITED} is null then -1 ${cases.join(' ')} else ${EDIT_SPANS.length} end as span, count(*)
     from pages p where p.type = 'document' group by span`,
  );
  const counts = new Map(rows.map(([span, count]) => [Number(span), Number(count)]));
  const named = [...EDIT_SPANS.map(({ name }) => name), 'more than 2 years'];
  const unknown = counts.get(-1) ?? 0;
  return [
    ...named.map((name, index) => ({ name, count: counts.get(index) ?? 0 })),
    ...(unknown > 0 ? [{ name: 'not known', count: unknown }] : []),
  ];
}

function stalePages(ask: Ask, now: number): StalePage[] {
  return ask(
    `select p.space, (select s.title from spaces s where s.id = p.space), p.id, p.title, ${EDITED} as edited
     from pages p where p.type = 'document' and edited < '${isoTime(now - STALE_DAYS * DAY_MS)}' order by edited limit ${LISTED}`,
  ).map(([space, spaceTitle, page, title, editedAt]) => ({
    space: String(space),
    spaceTitle: String(spaceTitle ?? space),
    page: String(page),
    title: String(title),
    editedAt: String(editedAt),
  }));
}

const REQUEST_SPANS = [
  { name: 'less than a week', days: 7 },
  { name: '1 to 4 weeks', days: 28 },
  { name: '1 to 3 months', days: 90 },
  { name: '3 to 12 months', days: 365 },
  { name: 'more than a year', days: Number.POSITIVE_INFINITY },
] as const;

function requestAges(rows: readonly unknown[][]): Ages {
  const ages = rows.map(([days]) => Number(days));
  return REQUEST_SPANS.map(({ name, days }, index) => {
    const from = REQUEST_SPANS[index - 1]?.days ?? Number.NEGATIVE_INFINITY;
    return { name, count: ages.filter((age) => age >= from && age < days).length };
  });
}
