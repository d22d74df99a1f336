// The brake on mass change: too much gone or rewritten since the last snapshot that was good, or a field that is gone from all that
// had it, makes a snapshot suspect, and every one after it too, until a complete one is like the good one again or a person has accepted the change.
import { count, thousands } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { hashSql } from '../bodies/body-hash.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import type { SnapshotRow } from '../database/tables.ts';
import { SHARED } from '../observe/shared-trees.ts';
import { FEWEST_WITHOUT, lostFields } from './lost-fields.ts';

/** Both the share and the count must be passed; shares are 0 to 1. */
export interface Brake {
  readonly deletedShare: number;
  readonly deletedCount: number;
  readonly rewrittenShare: number;
  readonly rewrittenCount: number;
}

interface Ended {
  readonly kind: KindName;
  readonly gone: number;
  readonly rewritten: number;
  /** Of the gone ones, those that the token was refused, which a person said is meant. */
  readonly refused: number;
}

// What held at the good snapshot and has ended since: gone when nothing holds in its place now and that is proved, which it is not
// of a tree that only waits to be read anew; rewritten when something else stands there now: one page that goes moves all that stand
// behind it, and a text that is read at last takes the place of none; what went and came back as it was stands there again. Costs what
// changed since.
// A superseded text that comes back is another row of the same hash.
const isOtherSql = (column: 'body' | 'text'): string =>
  `now.${column} is not v.${column} and ${hashSql(`now.${column}`)} is not ${hashSql(`v.${column}`)}`;

const ENDED = `select r.kind as kind,
  count(distinct case when now.vid is null and exists (
    select 1 from tombstones t where t.rid = r.rid and t.snapshot > @good and t.snapshot <= @id) then r.rid end) as gone,
  count(distinct case when now.vid is null and exists (select 1 from tombstones t
    where t.rid = r.rid and t.snapshot > @good and t.snapshot <= @id and t.evidence ->> '$.accepted' = 1) then r.rid end) as refused,
  count(distinct case when now.vid is not null and (v.text is not null or now.text is null)
    and (${isOtherSql('body')} or ${isOtherSql('text')}) then r.rid end) as rewritten
from versions v join resources r on r.rid = v.rid left join versions now on now.rid = v.rid and now.valid_to is null
where v.valid_to > @good and v.valid_to <= @id and v.valid_from <= @good group by r.kind order by r.kind`;

const CONTENT: ReadonlySet<KindName> = new Set(['collection', 'space', 'page', 'change-request', 'comment']);

/** Why a snapshot is suspect, in words; empty when nothing is unusual. */
export function brakeReasons(mirror: Mirror, id: number, brake: Brake): string[] {
  const good = lastGood(mirror);
  if (good === null) return [];
  const since = id - good > 1 ? ` since snapshot ${good}` : ' at once';
  return (
    mirror.store.driver
      .prepare<[{ good: number; id: number }], Ended>(ENDED)
      .all({ good, id })
      // With what the platform derives nothing is lost: one page that links no more takes hundreds of links with it.
      .filter(({ kind }) => kindOf(kind).derived !== true)
      .flatMap((ended) => [
        ...(lostWhole(mirror, ended, { good, since }) ?? tooMuch(mirror, ended, { good, since, brake })),
        ...lostOf(mirror, ended, { good, id, since }),
      ])
  );
}

/**
 * What closes the brake however little it is: a whole organization that nobody said is refused, or of content that is refused, all. To a
 * token of another account, or of one that has left an organization, the platform may say what it says where that was deleted.
 */
function lostWhole(
  mirror: Mirror,
  { kind, gone, refused }: Ended,
  { good, since }: Pick<Measure, 'good' | 'since'>,
): string[] | null {
  const isAllRefused = CONTENT.has(kind) && refused > 0 && countHeld(mirror, kind) === 0;
  // Who says that a refusal is meant hardly means all of it.
  if (isAllRefused) return [`no ${kind} is left${since}, since the token is refused them`];
  if (kind !== 'organization' || gone === 0) return null;
  if (countHeld(mirror, kind) === 0) return [`${NONE_LEFT}${since}`];
  return gone > refused ? [`${gone} of ${count(heldAt(mirror, kind, good), kind)} gone${since}`] : null;
}

const NONE_LEFT = 'no organization is left';

/** Whether a snapshot is suspect since nothing is left of what a restore in place could write into. */
export function isWithoutOrganization({ state, reason }: Pick<SnapshotRow, 'state' | 'reason'>): boolean {
  return state === 'suspect' && reason?.includes(NONE_LEFT) === true;
}

interface Measure {
  readonly brake: Brake;
  /** The snapshot to measure by, and the words for since when. */
  readonly good: number;
  readonly since: string;
}

function tooMuch(mirror: Mirror, { kind, gone, rewritten }: Ended, { brake, good, since }: Measure): string[] {
  if (Math.max(gone, rewritten) < Math.min(brake.deletedCount, brake.rewrittenCount)) return [];
  const before = heldAt(mirror, kind, good);
  const isText = kind === 'page' || kind === 'comment';
  const isMuchGone = gone >= brake.deletedCount && gone >= before * brake.deletedShare;
  const isMuchRewritten = isText && rewritten >= brake.rewrittenCount && rewritten >= before * brake.rewrittenShare;
  return [
    ...(isMuchGone ? [`${thousands(gone)} of ${count(before, kind)} gone${since}`] : []),
    ...(isMuchRewritten ? [`${thousands(rewritten)} of ${count(before, kind)} rewritten${since}`] : []),
  ];
}

function lostOf(
  mirror: Mirror,
  { kind, rewritten }: Ended,
  { since, ...span }: { good: number; id: number; since: string },
): string[] {
  const lost = rewritten < FEWEST_WITHOUT ? null : lostFields(mirror, kind, span);
  return lost === null ? [] : [`${lost}${since}`];
}

/**
 * The snapshot that later ones are measured by: the last complete one, or the last that a person accepted. Of a mirror that never
 * had either, because something in it can never be read, the last that was not suspect.
 */
export function lastGood(mirror: Mirror): number | null {
  return (
    mirror.store
      .prepare<{ id: number | null }>(
        `select coalesce(max(id) filter (where state = 'complete' or id in (select snapshot from accepted)),
           max(id) filter (where state = 'partial')) as id from snapshots`,
      )
      .get()?.id ?? null
  );
}

function countHeld(mirror: Mirror, kind: string): number {
  return heldAt(mirror, kind, Number.MAX_SAFE_INTEGER);
}

function heldAt(mirror: Mirror, kind: string, snapshot: number): number {
  const shared = SHARED.filter((one) => one.kind === kind).map(
    ({ tree, number }) =>
      `+ (select coalesce(sum(s.${number}), 0) from shared_trees s where s.kind = '${tree}' and ${holdsAtSql('s', '@snapshot')})`,
  );
  const sql = `select count(*) ${shared.join(' ')} as n from resources r join versions v on v.rid = r.rid
    where r.kind = @kind and ${holdsAtSql('v', '@snapshot')}`;
  return mirror.store.prepare<{ n: number }>(sql).get({ kind, snapshot })?.n ?? 0;
}
