// The texts of change requests beside those of their spaces: a page of a request under way that shows the text of its space has no
// document tree of its own, and any other has one. Which it is may change when either of the two does.
import { freeHeapFor, readableJson } from '../../base/index.ts';
import { SETTLED_STATUSES } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { paramsOf } from './key.ts';
import { SHARED_KINDS, type SharedKind } from './shared-trees.ts';
import { wordsSql } from '../database/words-sql.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { isWhole } from '../bodies/whole-bodies.ts';

// Another text has another id; texts that only look the same as Markdown may differ as document trees.
const IS_SHARED = `cv.text is pv.text and (cv.body is pv.body
  or ${jsonSql('cb.data', '$.documentId')} is ${jsonSql('pb.data', '$.documentId')})`;

// Nothing of it will be edited, so that its space may go on without it.
const settledSql = (
  key: string,
): string => `exists (select 1 from resources sq join versions sv on sv.rid = sq.rid and sv.valid_to is null
  join bodies sb on sb.bid = sv.body where sq.kind = 'change-request' and sq.key = ${key}
  and ${jsonSql('sb.data', '$.status')} in (${wordsSql(SETTLED_STATUSES)}))`;

/** True when a page of a change request under way, by its key, shows the text that the page of its space shows. */
export function sharesText(mirror: Mirror, { own, main }: { readonly own: string; readonly main: string }): boolean {
  const sql = `select 1 from resources c join versions cv on cv.rid = c.rid and cv.valid_to is null join bodies cb on cb.bid = cv.body
    join resources p on p.kind = 'page' and p.key = ? join versions pv on pv.rid = p.rid and pv.valid_to is null
    join bodies pb on pb.bid = pv.body where c.kind = 'change-request-page' and c.key = ? and cv.text is not null and ${IS_SHARED}
    and not ${settledSql('substr(c.key, 1, length(c.key) - length(c.id) - 1)')}`;
  return mirror.store.prepare(sql).get(main, own) !== undefined;
}

type Document = Readonly<Record<string, unknown>>;

interface DocumentOfText {
  /** Key of the page in its space. */
  readonly main: string;
  /** The id of the text. */
  readonly text: string;
}

/** The document tree of a text that a page of a space has, or had before it was edited; undefined when it is not held, or damaged. */
export function documentOfText(mirror: Mirror, { main, text }: DocumentOfText): Document | undefined {
  const sql = `select b.hash, b.data from resources d join versions dv on dv.rid = d.rid join bodies b on b.bid = dv.body
    where d.kind = 'page-document' and d.key = ? and ${jsonSql('b.data', '$.documentId')} = ? order by dv.vid desc limit 1`;
  return wholeDocument(mirror.store.prepare<StoredDocument>(sql).get(main, text));
}

/** The document tree beside a page that a change request holds of its own, by the number of the page; undefined when it is not held, or damaged. */
export function documentBeside(mirror: Mirror, page: number): Document | undefined {
  const sql = `select b.hash, b.data from resources p join resources d on d.kind = 'change-request-page-document' and d.key = p.key
    join versions dv on dv.rid = d.rid and dv.valid_to is null join bodies b on b.bid = dv.body where p.rid = ?`;
  return wholeDocument(mirror.store.prepare<StoredDocument>(sql).get(page));
}

interface StoredDocument {
  readonly hash: Buffer;
  readonly data: string;
}

function wholeDocument(held: StoredDocument | undefined): Document | undefined {
  if (held === undefined || !isWhole(held)) return undefined;
  freeHeapFor(held.data.length);
  return readableJson(held.data);
}

interface OwnEntry {
  readonly kind: SharedKind;
  /** Ids of the space and of the page or file. */
  readonly space: string;
  readonly id: string;
  readonly mark: string;
  /** Only what was seen before this number of a resource was given. */
  readonly before: number;
  /** Only what, or the document tree of which, is as it is since this snapshot; null for any. */
  readonly from: number | null;
}

/** What a change request holds of its own: a page or file. */
export interface HeldOwn {
  readonly rid: number;
  readonly text: number | null;
  readonly object: string | null;
  readonly size: number | null;
  /** Id of the page that it stands below. */
  readonly above: string | null;
  /** The body of its document tree. */
  readonly document: number | null;
}

const MOST_OWN = 8;

/** What change requests of a space hold of their own under an id with the mark of an entry, the latest first; not all of very many. */
export function heldAsOwn({ store }: Mirror, { kind, ...entry }: OwnEntry): HeldOwn[] {
  const { beside } = SHARED_KINDS[kind];
  // By the index of ids alone, which is in the order of the numbers: the page that all others stand below is held by each request.
  const sql = `select r.rid, v.text, v.object, v.size, a.id as above, dv.body as document
    from resources r indexed by resources_id cross join versions v on v.rid = r.rid and v.valid_to is null
    left join resources a on a.rid = v.parent
    left join resources d on d.kind = '${beside ?? ''}' and d.key = r.key left join versions dv on dv.rid = d.rid and dv.valid_to is null
    where r.id = @id and r.rid < @before and r.mark = @mark and r.kind = '${kind}' and r.space = @space
    and (@from is null or max(v.valid_from, coalesce(dv.valid_from, 0)) = @from) order by r.rid desc limit ${MOST_OWN}`;
  return store.prepare<HeldOwn>(sql).all(entry);
}

/** A page of a change request that has a document tree and should have none, or the other way round. */
export interface UnevenPage {
  readonly rid: number;
  readonly params: Readonly<Record<string, string>>;
  /** The document tree that is held, and the snapshot that read it; null when there is none. */
  readonly document: { readonly rid: number; readonly from: number } | null;
}

// In this order, from what has moved to the change requests: left to itself SQLite goes through all pages of all requests.
/** Of the pages of change requests under way whose page in the space has changed since a snapshot: those with a document tree too few or too many. */
export function unevenSince(mirror: Mirror, since: number): UnevenPage[] {
  const sql = `with moved (rid, space, id) as (
      select r.rid, r.space, r.id from versions v cross join resources r on r.rid = v.rid and r.kind = 'page' where v.valid_from > @since
      union select r.rid, r.space, r.id from versions v cross join resources r on r.rid = v.rid and r.kind = 'page' where v.valid_to > @since),
    shown as (
      select c.rid, c.key, ${IS_SHARED} as shared, (select d.rid from resources d join versions dv on dv.rid = d.rid and dv.valid_to is null
        where d.kind = 'change-request-page-document' and d.key = c.key) as document
      from moved p cross join resources q on q.space = p.space and q.kind = 'change-request'
      cross join resources c on c.kind = 'change-request-page' and c.key = q.key || '/' || p.id
      cross join versions cv on cv.rid = c.rid and cv.valid_to is null and cv.text is not null cross join bodies cb on cb.bid = cv.body
      left join versions pv on pv.rid = p.rid and pv.valid_to is null left join bodies pb on pb.bid = pv.body
      where not ${settledSql('q.key')})
    select s.rid, s.key, s.document, (select valid_from from versions where rid = s.document and valid_to is null) as "from" from shown s
    where s.shared = (s.document is not null)`;
  return mirror.store
    .prepare<{ rid: number; key: string; document: number | null; from: number | null }>(sql)
    .all({ since })
    .map(({ rid, key, document, from }) => ({
      rid,
      params: paramsOf('change-request-page', key),
      document: document === null || from === null ? null : { rid: document, from },
    }));
}
