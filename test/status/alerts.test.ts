// What Prometheus makes of the example alerts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Labels = Readonly<Record<string, string>>;

/** A summary with its labels put in: the first of those named in a pair of braces that is there. */
function shownWith(labels: Labels, summary: string): string {
  return summary.replaceAll(/\{\{ (?:or )?((?:\$labels\.\w+ ?)+)\}\}/g, (_, names: string) => {
    const found = names.match(/(?<=\$labels\.)\w+/g)?.map((name) => labels[name]);
    return found?.find((value) => value !== undefined) ?? '';
  });
}

describe('config/prometheus-alerts.yaml', () => {
  const alerts = readFileSync('config/prometheus-alerts.yaml', 'utf8').split('- alert: ').slice(1);
  const ofJobs = alerts.filter((alert) => alert.includes('expr: docmirror_job_'));
  const summaries = ofJobs.map((alert) => /summary: (.*)/.exec(alert)?.[1] ?? '');

  it.each<[string, Labels]>([
    ['as Prometheus does by itself', { job: 'docmirror', instance: 'host:8780', exported_job: 'sync' }],
    ['with honor_labels', { job: 'sync', instance: 'host:8780' }],
  ])('names the job that failed or was missed, scraped %s: it named the one that scrapes', (_, labels) => {
    expect(summaries.map((summary) => shownWith(labels, summary))).toEqual([
      'The job sync keeps failing.',
      'The job sync was due and did not run.',
    ]);
  });
});
