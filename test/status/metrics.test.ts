import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../src/base/index.ts';
import { noRuntimeState, readStatus, type RuntimeState } from '../../src/status/index.ts';
import { metricsText } from '../../src/status/metrics.ts';
import { readStored } from '../../src/status/stored.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const LIMITS = { snapshotMs: 1, drillMs: 1 };

async function linesOf(live: Partial<RuntimeState>): Promise<string[]> {
  const status = readStatus(null, 0, LIMITS);
  return (await metricsText({ status, stored: null, live: { ...noRuntimeState, ...live } })).text.split('\n');
}

describe('status/metrics', () => {
  it('counts requests by operation and status, and tells the head room of the limit', async () => {
    const requests = [
      { operation: 'getPage', status: '200', n: 7 },
      { operation: 'getPage', status: 'none', n: 1 },
    ];
    expect(await linesOf({ requests, rate: { limit: 100, remaining: 42 } })).toEqual(
      expect.arrayContaining([
        '# TYPE docmirror_requests_total counter',
        'docmirror_requests_total{operation="getPage",status="200"} 7',
        'docmirror_requests_total{operation="getPage",status="none"} 1',
        'docmirror_rate_limit_remaining 42',
        'docmirror_rate_limit 100',
      ]),
    );
    expect((await linesOf({ rate: { limit: null, remaining: 3 } })).join('\n')).not.toContain('docmirror_rate_limit 0');
  });

  it('count refusals from 0 on, so that the first refused token is an increase and rings the alert', async () => {
    const refusals = async (live: Partial<RuntimeState>): Promise<string[]> =>
      (await linesOf(live)).filter((line) => line.startsWith('docmirror_refusals_total{'));
    expect(await refusals({ requests: [] })).toEqual([
      'docmirror_refusals_total{status="401"} 0',
      'docmirror_refusals_total{status="429"} 0',
    ]);
    const requests = ['listTeams', 'listSites'].map((operation) => ({ operation, status: '429', n: 2 }));
    const [, tooMany] = await refusals({ requests });
    expect(tooMany).toBe('docmirror_refusals_total{status="429"} 4');
  });

  it('tells of each job when it runs next and ran last, and whether it failed or was missed', async () => {
    const job = { name: 'sync', running: false, next: 5000, failure: null, last: { at: 1000, ms: 2500 }, missed: 500 };
    const never = { name: 'drill', running: true, next: null, failure: null, last: null, missed: null };
    const lines = (await linesOf({ jobs: [job, never] })).filter((line) => line.startsWith('docmirror_job'));
    expect(lines).toEqual([
      'docmirror_job_running{job="sync"} 0',
      'docmirror_job_running{job="drill"} 1',
      'docmirror_job_failed{job="sync"} 0',
      'docmirror_job_failed{job="drill"} 0',
      'docmirror_job_missed{job="sync"} 1',
      'docmirror_job_missed{job="drill"} 0',
      'docmirror_job_next_timestamp_seconds{job="sync"} 5',
      'docmirror_job_next_timestamp_seconds{job="drill"} 0',
      'docmirror_job_last_timestamp_seconds{job="sync"} 1',
      'docmirror_job_last_duration_seconds{job="sync"} 2.5',
    ]);
  });

  it('tells of messages, and of the disk', async () => {
    const messages = [{ channel: 'webhook', sent: 3, failed: 1 }];
    expect(await linesOf({ messages, disk: { free: 10, size: 40 } })).toEqual(
      expect.arrayContaining([
        'docmirror_messages_total{channel="webhook",outcome="sent"} 3',
        'docmirror_messages_total{channel="webhook",outcome="failed"} 1',
        'docmirror_disk_free_bytes 10',
        'docmirror_disk_size_bytes 40',
      ]),
    );
  });

  it('counts as the database what waits beside its file, too', async () => {
    using world = await createTestMirror();
    await world.add({ spaces: [{ id: 's1', title: 'Docs' }] });
    const [file, waiting] = ['mirror.db', 'mirror.db-wal'].map((name) => statSync(join(world.dataDir, name)).size);
    expect(waiting).toBeGreaterThan(0);
    expect(readStored(world.mirror).databaseBytes).toBe((file ?? 0) + (waiting ?? 0));
  });

  it('tells how many files the disk can still take: one that was out of inodes rang no alert', async () => {
    const disk = { free: 10, size: 40, files: { free: 3, size: 90 } };
    const lines = (await linesOf({ disk })).filter((line) => line.startsWith('docmirror_disk'));
    expect(lines.slice(2)).toEqual(['docmirror_disk_free_files 3', 'docmirror_disk_size_files 90']);
  });

  it('tells how the last drill of the newest snapshot then went: one of an older snapshot passed for it', async () => {
    const fidelity = { exact: { equal: 3, fields: 4 }, lost: { equal: 0, fields: 0 } };
    const drill = { id: 2, snapshot: 7, at: isoTime(60_000), requests: 9, duration_ms: 2500, hash: '' };
    const drills = [
      { ...drill, snapshot: 1, report: '{}', passed: true, ofNewest: false },
      { ...drill, report: JSON.stringify({ fidelity }), passed: false, ofNewest: true },
    ];
    const status = { ...readStatus(null, 0, LIMITS), drills, drillOfNewest: drills[1] ?? null, drillAgeMs: 90_000 };
    const { text } = await metricsText({ status, stored: null, live: noRuntimeState });
    expect(text.split('\n').filter((line) => line.startsWith('docmirror_drill'))).toEqual([
      'docmirror_drill_age_seconds 90',
      'docmirror_drill_passed 0',
      'docmirror_drill_timestamp_seconds 60',
      'docmirror_drill_fidelity{claim="exact"} 0.75',
      'docmirror_drill_duration_seconds 2.5',
    ]);
  });
});
