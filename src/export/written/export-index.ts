// What an export knows about its own files, in a small database among them: which are there, what each was made of, who links where.
// It is worked on as a copy beside the export and takes its place with the tree, so it always tells of the tree it lies in.
import { openSqlite, type SqlStore } from '../../base/index.ts';
import type { DeferredPage, FileEntry, FileRow, FileState, Part, SpaceCounts, SpaceRow } from './index-rows.ts';
import { indexMigrations } from './index-schema.ts';

export const INDEX = '.docmirror-index.db';

/**
 * How texts are made. Raised when the same page would be written otherwise: then everything is made again, and what comes out
 * otherwise is written. Without, a page that was written wrongly would stay so until somebody edits it.
 */
export const RENDERING = 11;

// Rows come space by space, so little of it is in use at a time; four times as much makes nothing faster at 160,000 files.
const CACHE_KIB = 4096;

const UPSERT = `insert into files (path, space, part, owner, reach, sha256, size, mtime, seen, written, lost)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
on conflict (path) do update set space = excluded.space, part = excluded.part, owner = excluded.owner, reach = excluded.reach,
  sha256 = excluded.sha256, size = excluded.size, mtime = excluded.mtime, seen = excluded.seen, written = excluded.written, lost = 0`;
const PLACE = `insert into files (path, space, part, owner, reach, sha256, size, mtime, seen, written, lost)
values (@path, @space, @part, @owner, @reach, x'', -1, 0, @run, 0, 1)
on conflict (path) do update set space = excluded.space, part = excluded.part, owner = excluded.owner, reach = excluded.reach, seen = excluded.seen`;
// A row that another one takes the place of is no newcomer, nor is one that was dropped in this run.
const NOTE_NEWCOMERS = `create temp trigger note_newcomer after insert on main.files when not exists (select 1 from main.former where path = new.path)
begin insert into newcomers (path) values (new.path); end`;

/** The index of one run. Nothing in it is safe before `close`; a run that fails throws the copy away. */
export class ExportIndex implements Disposable {
  /** Number of this run; higher than that of every run before it. */
  readonly run: number;
  /** What it was written for: to be compared before anything is concluded from it. */
  readonly told: {
    readonly snapshot: string | undefined;
    readonly sums: string | undefined;
    /** What the list of sums was on disk, by `stampOf`. */
    readonly list: string | undefined;
  };
  readonly isSameRendering: boolean;
  readonly #store: SqlStore<unknown>;

  /** Opens the copy at this path, or makes a new one, for this user only or by the mask. Throws what SQLite says of a damaged file. */
  constructor(path: string, ownOnly: boolean) {
    const name = 'the index of the export';
    this.#store = openSqlite<unknown>({ path, name, migrations: indexMigrations, byMask: !ownOnly });
    try {
      this.#store.driver.pragma('locking_mode = EXCLUSIVE');
      this.#store.driver.pragma('journal_mode = OFF');
      this.#store.driver.pragma('synchronous = OFF');
      this.#store.driver.pragma(`cache_size = -${CACHE_KIB}`);
      this.run = Number(this.meta('run') ?? 0) + 1;
      this.told = { snapshot: this.meta('snapshot'), sums: this.meta('sums'), list: this.meta('list') };
      this.isSameRendering = this.meta('rendering') === String(RENDERING);
      this.#store.driver.exec('create temp table newcomers (path text primary key) without rowid');
      this.#store.driver.exec('begin; delete from former; delete from deferred');
      this.setMeta({ run: String(this.run), rendering: String(RENDERING) });
    } catch (error) {
      this.#store[Symbol.dispose]();
      throw error;
    }
  }

  meta(name: string): string | undefined {
    return this.#get<{ value: string }>('select value from meta where name = ?', name)?.value;
  }

  setMeta(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values))
      this.#run('insert or replace into meta (name, value) values (?, ?)', name, value);
  }

  space(id: string): SpaceRow | undefined {
    return this.#get('select num, path, layout, documents, files from spaces where id = ?', id);
  }

  /** Gives a space its place; answers its number. */
  placeSpace(id: string, path: string): number {
    this.#run(
      'insert into spaces (id, path) values (?, ?) on conflict (id) do update set path = excluded.path',
      id,
      path,
    );
    return this.space(id)?.num ?? 0;
  }

  settleSpace(num: number, layout: string, counts: SpaceCounts): void {
    const { documents, files, missing } = counts;
    this.#run(
      'update spaces set layout = ?, documents = ?, files = ?, missing = ? where num = ?',
      layout,
      documents,
      files,
      missing,
      num,
    );
  }

  setRequests(num: number, requests: number): void {
    this.#run('update spaces set requests = ? where num = ?', requests, num);
  }

  /** Drops the spaces that are not among these; answers whether there were any. */
  dropSpaces(kept: ReadonlySet<string>): boolean {
    const gone = this.#all<{ num: number; id: string }>('select num, id from spaces').filter(({ id }) => !kept.has(id));
    for (const { num } of gone) {
      this.#run('insert or ignore into former select path from files where space = ?', num);
      this.#run('delete from files where space = ?', num);
      this.#run('delete from spaces where num = ?', num);
    }
    return gone.length > 0;
  }

  file(path: string): FileRow | undefined {
    return this.#get('select * from files where path = ?', path);
  }

  /** Records a file with what is on disk of it. */
  put({ path, space, part, owner, reach, sha256, size, mtime, seen, written }: Omit<FileRow, 'lost'>): void {
    this.#run(UPSERT, path, space, part, owner, reach, sha256, size, mtime, seen, written);
  }

  /** Says where a page will lie whose text waits for the places of others. */
  place(entry: FileEntry): void {
    this.#run(PLACE, { ...entry, run: this.run });
    this.#run('insert or ignore into deferred (path) values (?)', entry.path);
  }

  /** A file stays as it is. */
  keep(path: string): void {
    this.#run('update files set seen = ? where path = ?', this.run, path);
  }

  markLost(paths: readonly string[]): void {
    for (const path of paths) this.#run('update files set lost = 1 where path = ?', path);
  }

  /** A file's time on disk, where it could only be copied. */
  setTime(path: string, mtime: number): void {
    this.#run('update files set mtime = ? where path = ?', mtime, path);
  }

  /** Drops what this run did not come by in a part of a space. */
  sweep(space: number, part: Part): void {
    const where = 'from files where space = ? and part = ? and seen <> ?';
    this.#run(`insert or ignore into former select path ${where}`, space, part, this.run);
    this.#run(`delete ${where}`, space, part, this.run);
  }

  /** Where what has this id lies; undefined for what has no file. */
  pathOf(space: string, owner: string): string | undefined {
    return this.#get<{ path: string }>(
      'select f.path from spaces s join files f on f.space = s.num and f.part = 0 and f.owner = ? where s.id = ?',
      owner,
      space,
    )?.path;
  }

  /** Lets all pages that link beyond their space wait for their links, or only those with this owner. */
  deferBeyond(owner: string | null = null): void {
    const sql = `insert or ignore into deferred (path) select path from files
      where reach = 2 and part = 0 and written <> ? and owner = coalesce(?, owner)`;
    this.#run(sql, this.run, owner);
  }

  /** The next pages that wait, in the order of `seq`. */
  deferred(after: number, limit: number): DeferredPage[] {
    const sql = `select d.seq, d.path, f.space as num, s.id as space, f.owner from deferred d join files f on f.path = d.path
      join spaces s on s.num = f.space where d.seq > ? order by d.seq limit ?`;
    return this.#all(sql, after, limit);
  }

  /** Ids of spaces with change requests that link beyond the space. */
  spacesWithRequestsBeyond(): string[] {
    const sql = 'select distinct s.id from files f join spaces s on s.num = f.space where f.reach = 2 and f.part = 1';
    return this.#all<{ id: string }>(sql).map(({ id }) => id);
  }

  /** Hashes in the order of their paths, byte by byte. */
  hashesAfter(path: string, limit: number): { path: string; sha256: string }[] {
    const sql = 'select path, lower(hex(sha256)) as sha256 from files where path > ? order by path limit ?';
    return this.#all(sql, path, limit);
  }

  /** What should be on disk, in the order of paths. */
  statesAfter(path: string, limit: number): FileState[] {
    const sql = 'select path, space, size, mtime from files where path > ? order by path limit ?';
    // Every file is asked for every night, and an object for each takes twice the time.
    return this.#store.prepare<FileState>(sql).raw().all(path, limit);
  }

  /** Files that this run did not write, in the order of their paths. */
  keptAfter(path: string, limit: number): { path: string }[] {
    return this.#all(
      'select path from files where path > ? and written <> ? order by path limit ?',
      path,
      this.run,
      limit,
    );
  }

  /** Notes paths of an export whose own index is not there. */
  addFormer(paths: readonly string[]): void {
    for (const path of paths) this.#run('insert or ignore into former (path) values (?)', path);
  }

  /** Notes a path of an export before the last one, unless the last one had it. */
  addFormerly(path: string): void {
    if (this.file(path) === undefined) this.addFormer([path]);
  }

  /** From here on `newcomers` knows what this run adds. All that the last export had must be known by then. */
  noteNewcomers(): void {
    this.#store.driver.exec(NOTE_NEWCOMERS);
  }

  /** Paths of this run that the last export did not have; none where nothing was noted. */
  newcomersAfter(path: string, limit: number): { path: string; sha256: Buffer }[] {
    const sql = `select f.path, f.sha256 from temp.newcomers n join files f on f.path = n.path where n.path > ? order by n.path limit ?`;
    return this.#all(sql, path, limit);
  }

  /** True for a path that this export or the last one has written. */
  isOurs(path: string): boolean {
    const sql = 'select 1 from files where path = @path union all select 1 from former where path = @path limit 1';
    return this.#get(sql, { path }) !== undefined;
  }

  /** True for a folder, with `/` at its end, in which this export or the last one has written something. */
  isOurFolder(folder: string): boolean {
    const within = 'path > @folder and path < @after';
    const sql = `select 1 from files where ${within} union all select 1 from former where ${within} limit 1`;
    return this.#get(sql, { folder, after: `${folder.slice(0, -1)}0` }) !== undefined;
  }

  /** Names of the files and folders, these with `/` at their end, that this export or the last one has written in a folder. */
  *namesIn(folder: string): Generator<string> {
    const sql = `select min(path) as path from
      (select min(path) as path from files where path > @after union all select min(path) from former where path > @after)`;
    for (let after = folder; ;) {
      const { path } = this.#get<{ path: string | null }>(sql, { after }) ?? { path: null };
      if (path === null || !path.startsWith(folder)) return;
      const [name = '', ...below] = path.slice(folder.length).split('/');
      yield below.length > 0 ? `${name}/` : name;
      // The sign behind `/`.
      after = below.length > 0 ? `${folder}${name}0` : path;
    }
  }

  totals(): SpaceCounts & {
    spaces: number;
    requests: number;
    all: number;
    pages: number;
    bytes: number;
    removed: number;
  } {
    const spaces = this.#get<SpaceCounts & { spaces: number; requests: number }>(
      `select count(*) as spaces, total(documents) as documents, total(files) as files, total(missing) as missing,
        total(requests) as requests from spaces`,
    );
    const files = this.#get<{ all: number; bytes: number; pages: number }>(
      `select count(*) as "all", total(size) as bytes, total(part = 0 and owner like 'page/%') as pages from files`,
    );
    const removed = this.#get<{ removed: number }>(
      'select count(*) as removed from former where path not in (select path from files)',
    );
    const none = { spaces: 0, documents: 0, files: 0, missing: 0, requests: 0, all: 0, bytes: 0, pages: 0, removed: 0 };
    return { ...none, ...spaces, ...files, ...removed };
  }

  /** Writes all of it; it can be moved to its place afterwards. */
  close(): void {
    this.#store.driver.exec('delete from former; delete from deferred; commit');
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }

  #run(sql: string, ...values: unknown[]): void {
    this.#store.prepare(sql).run(...values);
  }

  #get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#store.prepare<Row>(sql).get(...values);
  }

  #all<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#store.prepare<Row>(sql).all(...values);
  }
}
