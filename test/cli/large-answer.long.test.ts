// Answers that are larger than what the program may hold: written as they come, and never half of one that looks whole.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, runCli, runWithin, startCli, type Ended } from '../support/cli.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

let made: TestMirror;
let env: Record<string, string>;

beforeAll(async () => {
  made = await createTestMirror();
  env = { DOCMIRROR_DATA_DIR: made.dataDir };
  await made.add({ spaces: [] });
});

afterAll(() => made[Symbol.dispose]());

const MEGABYTES = 64;
const ROWS = 60_000;

/** Rows of a kilobyte, numbered from 1; the third column is `last`. */
function numbered(rows: number, last = `'end'`): string {
  return `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${rows})
    select x, printf('%1000s', x) as wide, ${last} as last from n`;
}

function inLittleMemory(...args: string[]): Promise<Ended> {
  return runWithin(MEGABYTES, args, { env });
}

describe('cli/commands/query, with a large answer', () => {
  it('writes JSON that is larger than its memory as the one document that it always was', async () => {
    const answered = await inLittleMemory('query', '--json', numbered(ROWS));
    expect([answered.code, answered.stderr]).toEqual([0, '']);
    const rows = documentOf<{ x: number; wide: string; last: string }[]>(answered);
    expect(rows).toHaveLength(ROWS);
    expect(rows.at(-1)).toEqual({ x: ROWS, wide: String(ROWS).padStart(1000), last: 'end' });
    const line = (x: number): string => `{"x":${x},"wide":"${String(x).padStart(1000)}","last":"end"}`;
    expect(answered.stdout === `[${rows.map((_, i) => line(i + 1)).join(',')}]\n`).toBe(true);
  });

  it('writes CSV that is larger than its memory, each row once', async () => {
    const { code, stdout } = await inLittleMemory('query', '--csv', numbered(ROWS));
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length, lines[0]]).toEqual([0, ROWS + 1, 'x,wide,last']);
    expect(lines.slice(1).every((line, i) => line.startsWith(`${i + 1},`))).toBe(true);
    expect(lines.at(-1)).toBe(`${ROWS},${String(ROWS).padStart(1000)},end`);
  });

  it('writes a table that is larger than its memory, and what is wider than the first rows, or than any column, whole', async () => {
    const last = `iif(x > ${ROWS} - 2, 'wider than any before', 'end')`;
    const sql = numbered(ROWS, last).replace('select x, printf', `select ${last} as before, printf`);
    const { code, stdout } = await inLittleMemory('query', sql);
    const lines = stdout.split('\n');
    const cell = (x: number): string => String(x).padStart(1000);
    expect([code, lines.length]).toEqual([0, ROWS + 3]);
    expect(lines.slice(0, 2)).toEqual([`before  ${'wide'.padEnd(120)}  last`, `end     ${cell(1)}  end`]);
    const words = 'wider than any before';
    expect(lines.slice(-4)).toEqual([
      `${words}  ${cell(ROWS - 1)}  ${words}`,
      `${words}  ${cell(ROWS)}  ${words}`,
      '60,000 rows',
      '',
    ]);
  });

  it.each([[['--json']], [['--csv']], [[]]])('ends quietly once its reader has gone away (%j)', async (form) => {
    const endless = numbered(Number.MAX_SAFE_INTEGER);
    const running = startCli(['query', ...form, endless], { env });
    running.child.stdout?.once('data', () => running.child.stdout?.destroy());
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, '']);
  });

  // More than is written at once.
  const broken = numbered(20_000, `iif(x = 19_999, json('broken'), 'end')`);
  const told =
    /^docmirror: The SQL could not be run: malformed JSON \(DM_SQL_INVALID\)\n.*\n {2}on stdout: only a part of the answer, which breaks off there\n$/;

  it('leaves JSON open where the query fails after a part of it was written', async () => {
    const { code, stdout, stderr } = await runCli(['query', '--json', broken], { env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(told)]);
    expect(stdout).toMatch(/^\[\{"x":1,.*"end"\}$/);
    expect(() => JSON.parse(stdout) as unknown).toThrow(SyntaxError);
  });

  it('ends CSV in a quotation mark that is never closed where the query fails', async () => {
    const { code, stdout, stderr } = await runCli(['query', '--csv', broken], { env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(told)]);
    expect(stdout.split('\n').at(-1)).toBe('"docmirror: the answer breaks off here');
  });

  it('answers with the error alone where nothing was written before it', async () => {
    const small = numbered(100, `iif(x = 99, json('broken'), 'end')`);
    const failed = await runCli(['query', '--json', small], { env });
    expect([failed.code, documentOf(failed)]).toMatchObject([2, { error: { code: 'DM_SQL_INVALID' } }]);
    expect(failed.stderr).not.toContain('on stdout');
    expect(await runCli(['query', '--csv', small], { env })).toMatchObject({ code: 2, stdout: '' });
  });

  it('leaves JSON open where it is interrupted, and has not come to its end by itself', async () => {
    const running = startCli(['query', '--json', numbered(Number.MAX_SAFE_INTEGER)], { env });
    await running.until(/"end"/);
    const { stdout } = await running.interrupt();
    expect(running.child.signalCode).toBe('SIGINT');
    expect(() => JSON.parse(stdout) as unknown).toThrow(SyntaxError);
  });
});
