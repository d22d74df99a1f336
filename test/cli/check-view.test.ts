// What people read of a check that found very much.
import { expect, it } from 'vitest';
import type { CheckReport } from '../../src/app.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { checkView } from '../../src/cli/views/check.ts';

const LOOK = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };

it('cli/views/check shows some of thousands of damaged texts, and what else is damaged behind them: 50,000 lines went by', () => {
  const texts = Array.from({ length: 50_000 }, (_, number) => ({
    which: `t${number}`,
    problem: 'its text has another hash',
  }));
  const problems: CheckReport['problems'] = [
    ...texts.map((one) => ({ what: 'body' as const, ...one })),
    { what: 'manifest', which: 'snapshot 7', problem: 'its manifest has another hash' },
  ];
  const rest = { bodies: 50_000, bytesRead: 1, objects: 0, export: true, exportKept: null, foreign: [], live: null };
  const lines = checkView({ ...rest, passed: false, problems }, LOOK).split('\n');
  expect(lines).toHaveLength(105);
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual([
    expect.stringMatching(/^50,001 problems: /),
    expect.stringContaining('snapshot 7'),
    '… and 49,900 more: the same command with --json names them all',
  ]);
});
