// Rows of mirror.db, for Kysely. The views that people query are generated apart, in views.ts.
import type { Generated } from 'kysely';
import type { SharedEntryRow, SharedTreeRow } from './shared-tables.ts';

export type SnapshotState = 'open' | 'complete' | 'partial' | 'suspect' | 'abandoned';

export interface SnapshotRow {
  id: Generated<number>;
  state: SnapshotState;
  /** `incremental` or `full`. */
  mode: 'incremental' | 'full';
  /** JSON of the scope the walk was limited to; null for everything. */
  scope: string | null;
  origin: string;
  contract_version: number;
  started_at: string;
  sealed_at: string | null;
  requests: number;
  bytes: number;
  duration_ms: number;
  resumed: number;
  /** Why it is not complete, in words; null when it is. */
  reason: string | null;
  previous_hash: string | null;
  manifest_hash: string | null;
}

export interface ResourceRow {
  rid: Generated<number>;
  kind: string;
  /** Values of its identifying path parameters, joined by '/'. Unique within the kind. */
  key: string;
  id: string;
  /** The resource below which it was listed; null at the root. */
  scope: number | null;
  /** JSON of its identifying path parameters. */
  params: string;
  /** Hash of what was compared last: the answer without its volatile parts. */
  mark: string;
  /** Id of its space, as in its path; null outside spaces. */
  space: string | null;
}

export interface VersionRow {
  vid: Generated<number>;
  rid: number;
  valid_from: number;
  /** The first snapshot in which it no longer holds; null while it does. */
  valid_to: number | null;
  body: number;
  text: number | null;
  /** SHA-256 of its bytes, for files. */
  object: string | null;
  size: number | null;
  /** Nested parent of the same kind (pages). */
  parent: number | null;
  position: number | null;
}

/** A text or the JSON of a resource, plain; each is kept once, whoever holds it. */
export interface BodyRow {
  /** Never given twice; a body keeps its number when it is superseded, or trades it with its successor. */
  bid: Generated<number>;
  /** First 16 bytes of its SHA-256. */
  hash: Buffer;
  size: number;
  /** The one resource that holds it; null when several do. */
  owner: number | null;
  /** The superseded body that is kept as its difference from this one. */
  dependent: number | null;
  data: string;
}

/** Which body has this hash; the newest of them wait in a table of the same form until they are many. */
export interface BodyHashRow {
  hash: Buffer;
  bid: number;
}

/** A body that no current version holds, compressed: alone, or as the difference from a newer one. */
export interface SupersededRow {
  bid: number;
  hash: Buffer;
  /** The body it was compressed against, plain or superseded itself; null when it stands alone. */
  base: number | null;
  /** The most steps by which others are read through it. */
  height: number;
  data: Buffer;
}

export interface TombstoneRow {
  rid: number;
  snapshot: number;
  first_missing: number;
  confirmed_at: string;
  evidence: string;
}

export interface UnreachableRow {
  rid: number;
  since: number;
  status: number | null;
  at: string;
}

export interface MissingRow {
  rid: number;
  first_missing: number;
}

export interface ShortageRow {
  scope: number;
  kind: string;
  missing: number;
  snapshot: number;
  since: string;
}

export interface RouteRow {
  rid: number;
  route: string;
  snapshot: number;
}

export interface ReadRow {
  scope: number;
  kind: string;
  mark: string;
  snapshot: number;
  at: string;
}

export interface FrontierRow {
  seq: Generated<number>;
  snapshot: number;
  stage: number;
  /** Visits of a lower place go first: 0 for listings above spaces, then space by space. */
  place: number;
  task: string;
  params: string;
  /** Task and parameters, or a hash of them where they are long: the same visit does not wait twice. */
  twin: string;
  attempts: number;
}

export interface SnapshotKindRow {
  snapshot: number;
  kind: string;
  seen: number;
  added: number;
  changed: number;
  unchanged: number;
  gone: number;
  failed: number;
  unreachable: number;
  missing: number;
}

export interface SnapshotFigureRow {
  snapshot: number;
  name: string;
  value: number;
}

export interface FailedRow {
  id: Generated<number>;
  snapshot: number;
  kind: string;
  resource: string;
  request: string;
  status: number | null;
  code: string;
  error: string;
  at: string;
}

export interface NotOfferedRow {
  snapshot: number;
  kind: string;
  request: string;
  status: number;
}

export interface RefusedRow {
  snapshot: number;
  kind: string;
  resource: string;
  scope: number | null;
  request: string;
  status: number;
}

export interface DriftRow {
  kind: string;
  path: string;
  what: 'field' | 'value';
  value: string;
  first_seen: number;
  first_seen_at: string;
  times: number;
}

export interface ShrunkRow {
  rid: number;
  since: number;
  lost: string;
  at: string;
}

export interface DrillRow {
  id: Generated<number>;
  snapshot: number;
  at: string;
  passed: number;
  requests: number;
  duration_ms: number;
  report: string;
  /** Of all that is beside it; null where something else than a drill wrote the row. */
  hash: string | null;
}

/** `unfinished`: nothing failed, and some of it was left for later. */
export type RestoreState = 'running' | 'done' | 'failed' | 'unfinished';

export interface RestoreRow {
  id: string;
  plan: string;
  plan_hash: string;
  snapshot: number;
  target: string;
  organization: string;
  state: RestoreState;
  created_at: string;
  ended_at: string | null;
  report: string | null;
}

export interface RestoreStepRow {
  restore: string;
  step: number;
  state: 'started' | 'done' | 'failed' | 'skipped';
  kind: string;
  key: string;
  new_id: string | null;
  detail: string | null;
  at: string;
}

export interface MetaRow {
  name: string;
  value: string;
}

export interface MirrorTables {
  meta: MetaRow;
  snapshots: SnapshotRow;
  snapshot_kinds: SnapshotKindRow;
  snapshot_figures: SnapshotFigureRow;
  resources: ResourceRow;
  versions: VersionRow;
  bodies: BodyRow;
  body_hashes: BodyHashRow;
  body_hashes_new: BodyHashRow;
  superseded: SupersededRow;
  tombstones: TombstoneRow;
  unreachable: UnreachableRow;
  missing: MissingRow;
  shortages: ShortageRow;
  shared_trees: SharedTreeRow;
  shared_entries: SharedEntryRow;
  routes: RouteRow;
  reads: ReadRow;
  frontier: FrontierRow;
  requests_failed: FailedRow;
  not_offered: NotOfferedRow;
  refused: RefusedRow;
  drift: DriftRow;
  shrunk: ShrunkRow;
  drills: DrillRow;
  restores: RestoreRow;
  restore_steps: RestoreStepRow;
}
