// Views about the mirror itself: which snapshot is shown, what changed in each, what failed.
import { changes } from './change-feed.ts';
import type { ReportView } from './dictionary-row.ts';
import { freshness } from './freshness.ts';
import { lossViews } from './loss-views.ts';
import { changeRequestChanges } from './request-changes.ts';

const shown: ReportView = {
  name: 'shown_snapshot',
  description: 'the one snapshot that the views show: the last sealed one, or that of `query --at`',
  columns: [
    { name: 'id', description: 'number of the snapshot' },
    { name: 'state', description: 'complete, partial or suspect' },
    { name: 'started_at', description: 'time when its walk began; reports count ages from here' },
    { name: 'sealed_at', description: 'time when it was sealed' },
  ],
  sql: (at) => `select id, state, started_at, sealed_at from snapshots where id = ${at}`,
};

const failures: ReportView = {
  name: 'failures',
  description:
    'what a walk could not read: which request, which error; that of a walk under way or given up too, unless `query --at` names a snapshot',
  columns: [
    { name: 'id', description: 'number of the failure' },
    { name: 'snapshot', description: 'number of the snapshot' },
    { name: 'kind', description: 'kind of what could not be read' },
    { name: 'resource', description: 'its identifying path, or that of what it lies below' },
    { name: 'request', description: 'method and path of the request' },
    { name: 'status', description: 'HTTP status; null when there was no answer' },
    { name: 'code', description: 'stable code of the error, DM_…' },
    { name: 'error', description: 'the error in words' },
    { name: 'at', description: 'time' },
  ],
  // Only a number pins it: whoever asks without one may want to know what became of a walk that was never sealed.
  sql: (at) =>
    `select id, snapshot, kind, resource, request, status, code, error, at from requests_failed${typeof at === 'number' ? ` where snapshot <= ${at}` : ''}`,
};

/** Every view about the mirror itself. */
export const reportViews: readonly ReportView[] = [
  shown,
  changes,
  changeRequestChanges,
  freshness,
  failures,
  ...lossViews,
];
