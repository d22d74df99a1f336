// The tables under the views, for people who look closer. Their shape is Docmirror's own and may change; the views stay.
import type { DictionaryRow, TableNotes } from './dictionary-row.ts';
import { workTables } from './dictionary-work.ts';

const tables: TableNotes = {
  snapshots: [
    'one row for each walk',
    {
      id: 'number of the snapshot',
      state: 'open, complete, partial, suspect or abandoned; computed, never set by hand',
      mode: 'incremental, or full: everything was read again',
      scope: 'JSON of what the walk was limited to; null for everything',
      origin: 'origin of the platform',
      contract_version: 'version of the contract that it was read by',
      started_at: 'time when the walk began',
      sealed_at: 'time when it was sealed or given up',
      requests: 'requests that were sent',
      bytes: 'bytes that were received',
      duration_ms: 'milliseconds of work',
      resumed: 'how often it was continued after a cut',
      reason: 'why it is not complete; null when it is',
      previous_hash: 'hash of the manifest before',
      manifest_hash: 'hash of its manifest, which covers what began and ended in it',
    },
  ],
  snapshot_kinds: [
    'counts of each snapshot by kind; its state follows from them',
    {
      snapshot: 'number of the snapshot',
      kind: 'kind',
      seen: 'resources that were seen; what was deleted before the walk was over is not among them',
      added: 'of those, new or back again',
      changed: 'of those, different from before',
      unchanged: 'of those, the same as before',
      gone: 'resources that got a tombstone',
      failed: 'reads that failed',
      unreachable: 'resources that the token may no longer see',
      missing: 'resources that are no longer listed, with nothing that proves or denies that they are gone',
    },
  ],
  snapshot_figures: [
    'sums of each snapshot, for charts over time; what is 0 may be absent',
    {
      snapshot: 'number of the snapshot',
      name: 'held:KIND for what there was of a kind; links:broken, comments:open, change-requests:open; bytes:text, bytes:files, bytes:database, bytes:objects and count:objects; forgotten:added, forgotten:changed and forgotten:gone for what moved in snapshots that were forgotten since the one before',
      value: 'the sum',
    },
  ],
  shared_trees: [
    'internal: change requests that are merged or archived, and show pages and files as their spaces did',
    {
      tid: 'number of the tree',
      rid: 'number of the revision of the change request',
      kind: 'kind that it is of: change-request-page or change-request-file',
      series: 'number of the first tree of that kind in the same space',
      valid_from: 'first snapshot that shows it',
      valid_to: 'first snapshot that no longer does; null while it holds',
      mark: 'hash of the whole tree as it was read',
      hash: 'hash of its entries, with what stands in them',
      amount: 'how many pages or files are shared',
      documents: 'how many of them have a document tree',
    },
  ],
  shared_entries: [
    'internal: the pages and files of such trees; the views show them as those of the change request',
    {
      series: 'number of the first tree of the same kind in the same space',
      first: 'number of the first tree of the series that has it',
      last: 'number of the last; all between have it too',
      rid: 'number of the page or file of the space',
      parent: 'number of the page that it stands below',
      position: 'place among its siblings, from 0',
      body: 'number of its JSON',
      text: 'number of its text',
      document: 'number of the JSON of its document tree',
      object: 'hash of its bytes',
      size: 'number of its bytes',
    },
  ],
  resources: [
    'internal: everything that was ever seen',
    {
      rid: 'number of the resource',
      kind: 'kind',
      key: 'identifying path within the kind',
      id: 'id on the platform',
      scope: 'number of the resource below which it was listed',
      params: 'JSON of its identifying path parameters',
      mark: 'hash of what was compared last',
      space: 'id of its space; null outside spaces',
    },
  ],
  versions: [
    'internal: the states of resources',
    {
      vid: 'number of the version',
      rid: 'number of the resource',
      valid_from: 'first snapshot with it',
      valid_to: 'first snapshot without it; null while it holds',
      body: 'number of its JSON',
      text: 'number of its text',
      object: 'hash of its bytes',
      size: 'size of its bytes',
      parent: 'number of the parent page',
      position: 'place among its siblings',
    },
  ],
  bodies: [
    'internal: JSON and texts, each kept once, plain',
    {
      bid: 'number of the body',
      hash: 'first bytes of its SHA-256',
      size: 'bytes',
      owner: 'number of the one resource that holds it; null when several do',
      dependent: 'number of the superseded body that is kept as its difference from this one',
      data: 'the text',
    },
  ],
  body_hashes: [
    'internal: by which hash each plain body is found',
    { hash: 'first bytes of its SHA-256', bid: 'number of the body' },
  ],
  body_hashes_new: [
    'internal: the same for those that came last, until they are many',
    { hash: 'first bytes of its SHA-256', bid: 'number of the body' },
  ],
  superseded: [
    'internal: JSON and texts that nothing holds now, compressed',
    {
      bid: 'number of the body',
      hash: 'first bytes of its SHA-256',
      base: 'number of the body it differs from; null when it stands alone',
      height: 'most steps by which others are read through it',
      data: 'the compressed text',
    },
  ],
  tombstones: [
    'what is gone, with the evidence; with `query --at`, what that snapshot and those before it found',
    {
      rid: 'number of the resource',
      snapshot: 'first kept snapshot without it: the one that found it gone, while that is kept',
      first_missing: 'first snapshot whose listing lacked it',
      confirmed_at: 'time',
      evidence:
        'JSON: the listing, how many it listed, the direct read and its status, when it was deleted where that was said',
    },
  ],
  unreachable: [
    'what the token may no longer see; its last version still holds',
    { rid: 'number of the resource', since: 'first snapshot of it', status: 'HTTP status', at: 'time' },
  ],
  missing: [
    'what a listing lacks and nothing was concluded from yet',
    { rid: 'number of the resource', first_missing: 'first snapshot whose listing lacked it' },
  ],
  shortages: [
    'listings that show fewer than their parent counts, they count themselves or other answers show, or something twice; after half a day without more it is taken for how the platform lists',
    {
      scope:
        'number of the resource below which it lists, or of what is not listed; 0 for the listing of organizations',
      kind: 'kind that it lists, `KIND, repeated` for what it shows twice, `KIND, by its own count` for what it counts itself, `KIND, named` for what others name, `KIND, unlisted` for what is there all the same',
      missing: 'how many fewer it shows, or how many twice',
      snapshot: 'snapshot that found it last',
      since: 'time since when it has not grown, but for what walks found gone',
    },
  ],
  shrunk: [
    'resources on which the token has lost rights; nothing below them is taken for gone',
    { rid: 'number of the resource', since: 'first snapshot of it', lost: 'rights that were lost', at: 'time' },
  ],
  routes: [
    'by which routes each space and invite was found',
    {
      rid: 'number of the space or invite',
      route: 'kind of what showed it; "configured" where it is named, "direct" where it was asked for by itself',
      snapshot: 'last snapshot that found it so',
    },
  ],
  reads: [
    'internal: up to where each listing was read',
    {
      scope: 'number of the resource below which it lists',
      kind: 'kind that it lists',
      mark: 'hash of the counters that stood then; "to read again" where the next walk reads it whatever they say',
      snapshot: 'snapshot that last read it to its end',
      at: 'time',
    },
  ],
  frontier: [
    'internal: what an open walk still has to visit',
    {
      seq: 'number of the visit',
      snapshot: 'number of the open snapshot',
      stage: 'lower ones go first',
      place: 'within a stage, lower ones go first',
      task: 'what is to be done',
      params: 'JSON of its parameters',
      twin: 'task and parameters, or their hash: nothing waits twice',
      attempts: 'how often it was tried',
    },
  ],
  not_offered: [
    'what the platform says it does not offer',
    { snapshot: 'number of the snapshot', kind: 'kind', request: 'method and path', status: 'HTTP status' },
  ],
  refused: [
    'what the platform refuses to the token (403 or 402), which `sync --accept-rights` said is meant',
    {
      snapshot: 'number of the snapshot',
      kind: 'kind',
      resource: 'key of the resource, or of the one whose children were asked for',
      scope: 'number of the resource below which it was asked for; null where there is none',
      request: 'method and address',
      status: 'HTTP status',
    },
  ],
  drift: [
    'what the platform sent that the contract does not know; it is kept with the bodies; with `query --at`, what was seen by then',
    {
      kind: 'kind',
      path: 'place in the body',
      what: 'field (an unknown one) or value (of a known one)',
      value: 'the value, shortened',
      first_seen: 'first snapshot with it',
      first_seen_at: 'time when it was seen first',
      times:
        'in how many versions it was seen until now; null with `query --at` of an earlier snapshot than the last sealed one',
    },
  ],
  accepted: [
    'suspect snapshots that a person took for right, and partial ones that lack only what a person said cannot be read',
    { snapshot: 'number', reason: 'why', at: 'when a person said so' },
  ],
  pins: ['snapshots that retention keeps whatever it says', { snapshot: 'number', reason: 'why', at: 'time' }],
};

/** The tables, and those of restores and of search beside them. */
export function tableRows(): DictionaryRow[] {
  return Object.entries({ ...tables, ...workTables }).map(([name, [description, columns]]) => ({
    name,
    description,
    columns: Object.entries(columns).map(([column, note]) => ({ name: column, description: note })),
  }));
}
