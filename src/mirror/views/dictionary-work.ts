// The tables that hold Docmirror's own records: drills, restores, search, and the dictionary itself.
import type { TableNotes } from './dictionary-row.ts';

export const workTables: TableNotes = {
  requests_failed: [
    'internal: behind `failures`',
    {
      id: 'number of the failure',
      snapshot: 'number of the snapshot',
      kind: 'kind',
      resource: 'what could not be read',
      request: 'method and path',
      status: 'HTTP status; null when there was no answer',
      code: 'stable code of the error',
      error: 'the error in words',
      at: 'time',
    },
  ],
  drills: [
    'rehearsed restores',
    {
      id: 'number of the drill',
      snapshot: 'snapshot that was restored',
      at: 'time',
      passed: '1 when everything that can come back did',
      requests: 'requests that were sent',
      duration_ms: 'milliseconds',
      report:
        'JSON of the comparison, with at most 1,000 differences; `ofNewest` is false where it was not of the newest complete snapshot, and proves nothing then',
      hash: 'hash of the rest, by which `docmirror check` knows what a drill has written',
    },
  ],
  restores: [
    'restores that were begun',
    {
      id: 'id of the restore',
      plan: 'file of the plan',
      plan_hash: 'hash of the plan',
      snapshot: 'snapshot that is restored',
      target: 'origin of the target',
      organization: 'id of the organization on the target',
      state: 'running, done, failed, or unfinished when something was left for later',
      created_at: 'time when it began',
      ended_at: 'time when it ended',
      report: 'JSON of its report',
    },
  ],
  restore_steps: [
    'the journal of restores: each write, before it is sent and after its outcome is known',
    {
      restore: 'id of the restore',
      step: 'number of the step in the plan',
      state: 'started, done, failed or skipped',
      kind: 'kind that is written',
      key: 'identifying path in the snapshot',
      new_id: 'id on the target',
      detail: 'what happened',
      at: 'time',
    },
  ],
  meta: ['internal: facts about this database', { name: 'name of the fact', value: 'the fact' }],
  pages_search: [
    'full text of pages (FTS5), of the last sealed snapshot: where pages_search match …',
    {
      title: 'title',
      description: 'description',
      markdown: 'text',
      id: 'id of the page',
      space: 'id of its space',
      path: 'path',
    },
  ],
  comments_search: [
    'full text of comments and replies (FTS5), of the last sealed snapshot',
    {
      markdown: 'text',
      posted_by: 'display name of the author',
      id: 'id on the platform, of a comment or of a reply: it stands in comments or in comment_replies',
      space: 'id of its space',
    },
  ],
  pages_search_source: [
    'internal: what pages_search indexes',
    {
      vid: 'number of the version',
      title: 'title',
      description: 'description',
      markdown: 'text',
      id: 'id',
      space: 'id of its space',
      path: 'path',
    },
  ],
  comments_search_source: [
    'internal: what comments_search indexes',
    { vid: 'number of the version', markdown: 'text', posted_by: 'author', id: 'id', space: 'id of its space' },
  ],
  docs_tables: ['this dictionary: tables and views', { name: 'its name', description: 'what it holds' }],
  docs_columns: [
    'this dictionary: columns',
    { table_name: 'table or view', name: 'its name', description: 'what it holds' },
  ],
  docs_recipes: [
    'saved reports: docmirror query --recipe NAME',
    { name: 'its name', about: 'what it tells', sql: 'its SQL' },
  ],
};
