import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import type { KindName } from '../../src/contract/index.ts';
import type { DifferenceDetail } from '../../src/mirror/index.ts';
import { errorText } from '../../src/cli/show-error.ts';
import { createStyle, isColoured } from '../../src/cli/views/style.ts';
import { diffView } from '../../src/cli/views/diff.ts';
import { table } from '../../src/cli/views/table.ts';
import { cutTo, oneLine, pad, widthOf, wrapTo } from '../../src/cli/views/text.ts';
import { bytes, count, span } from '../../src/cli/views/units.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });

describe('cli/views/text', () => {
  it.each([
    ['plain', 5],
    ['日本語', 6],
    ['é', 1],
    ['📄', 2],
    ['👩‍💻', 2],
    ['', 0],
  ])('measures %j as %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it.each(['हिन्दी', 'U\u0308ber', '👨‍👩‍👧‍👦é', 'नमस्ते 🚀'])('shows %s whole in a column that is as wide as it is', (text) => {
    expect(cutTo(text, widthOf(text))).toBe(text);
    expect(table([{ text }], [{ title: '', value: (row) => row.text }], { width: Number.POSITIVE_INFINITY })).toBe(
      `\n${text}`,
    );
    expect(cutTo(text, widthOf(text) - 1)).toMatch(/…$/);
  });

  // A text of 200,000 signs took a minute and a half, since the work grew with its square: a query of texts in a pipe showed nothing.
  it('measures and cuts a page of a hundred thousand signs and more, clusters whole at whatever place', () => {
    expect(widthOf('日本'.repeat(100_000))).toBe(400_000);
    expect(widthOf(`${'a line of plain text\u2424'.repeat(10_000)}e\u0301`)).toBe(210_001);
    for (const before of ['', 'é', '한', '👩']) {
      expect(widthOf(`${before}${'👩‍💻'.repeat(1000)}`)).toBe(2000 + widthOf(before));
      expect(cutTo(`${before}${'👩‍💻'.repeat(1000)}`, 1001)).toMatch(/(?:👩‍💻){498,500}…$/u);
    }
  });

  it('cuts to a width and never beyond it', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(widthOf(cutTo(text, width))).toBeLessThanOrEqual(width);
        expect(widthOf(pad(cutTo(text, width), width))).toBe(width);
      }),
    );
  });

  it('lets nothing through that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(oneLine('a\u001b[31mb\r\nc\u202ed')).toBe('a[31mb cd');
  });
});

describe('cli/views/table', () => {
  it('lets no title, which may be the alias of a column, move the cursor or break the line', () => {
    const column = { title: 'a\u001b[2J\nb\u202ec', value: () => 1 };
    expect(table([0], [column], { width: 80 })).toBe('a[2J␤bc\n1');
  });

  const columns = [
    { title: 'name', value: (row: string[]) => row[0] ?? '' },
    { title: 'long', value: (row: string[]) => row[1] ?? '' },
    { title: 'n', align: 'right' as const, value: (row: string[]) => row[1]?.length ?? 0 },
  ];

  it('fits the terminal, whatever the rows hold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText)), fc.integer({ min: 30, max: 120 }), (rows, width) => {
        for (const line of table(rows, columns, { width }).split('\n')) {
          expect(widthOf(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it('shows the ends of lines, and leaves out columns that have no place', () => {
    expect(table([['a\nb', 'c\r\nd']], columns, { width: 80 }).split('\n')[1]).toBe('a␤b   c␤d   4');
    const many = Array.from({ length: 20 }, (_, i) => ({ title: `title ${i}`, value: () => 'x'.repeat(30) }));
    const lines = table([0], many, { width: 80 }).split('\n');
    expect(lines[2]).toBe('… 10 further columns do not fit here; a pipe and --json show all');
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  it('says of one column that it does not fit: it said "1 further columns do"', () => {
    const eleven = Array.from({ length: 11 }, (_, i) => ({ title: `title ${i}`, value: () => 'x'.repeat(30) }));
    expect(table([0], eleven, { width: 80 }).split('\n')[2]).toMatch(/^… 1 further column does not fit here;/);
  });

  it('cuts kept columns last', () => {
    const two = [
      { title: 'kept', keep: true, value: () => 'x'.repeat(20) },
      { title: 'cut', value: () => 'y'.repeat(30) },
    ];
    expect(table([0], two, { width: 30 }).split('\n')[1]).toBe(`${'x'.repeat(20)}  ${'y'.repeat(7)}…`);
    // Where there is nothing else to cut.
    const wide = [
      { title: 'kept', keep: true, value: () => 'x'.repeat(40) },
      { title: 'cut', value: () => 'yyy' },
    ];
    expect(table([0], wide, { width: 30 }).split('\n')[1]).toBe(`${'x'.repeat(24)}…  yyy`);
  });

  it('cuts nothing where nobody looks', () => {
    const long = 'x'.repeat(500);
    expect(table([[long, long]], columns, { width: Number.POSITIVE_INFINITY })).toContain(`${long}  ${long}  500`);
  });

  it('fills up no line to the length of the longest title: in a pipe one of 2,000 signs pushed the keys of all rows out of sight', () => {
    const lines = table(
      [
        ['x'.repeat(2000), 'a'],
        ['b', 'c'],
      ],
      columns,
      { width: Number.POSITIVE_INFINITY },
    ).split('\n');
    expect(lines[1]).toBe(`${'x'.repeat(2000)}  a     1`);
    expect(lines[2]).toBe(`${'b'.padEnd(120)}  c     1`);
  });

  it('shows explanations whole on a terminal, in lines of their own: 80 columns told half of why a snapshot is kept', () => {
    const reasons = [
      { title: 'n', value: () => 7 },
      { title: 'why', wraps: true, value: () => 'it is the newest complete one' },
    ];
    expect(table([0], reasons, { width: 24 })).toBe('n  why\n7  it is the newest\n   complete one');
    expect(table([0], reasons, { width: 20 })).toBe('n  why\n7  it is the newest…');
    expect(wrapTo(`see ${'x'.repeat(30)} now`, 20)).toEqual(['see', 'x'.repeat(30), 'now']);
    expect(table([0], reasons, { width: Number.POSITIVE_INFINITY })).toContain('7  it is the newest complete one');
  });
});

describe('cli/views/style', () => {
  it('paints only on a terminal, and never with NO_COLOR', () => {
    expect(isColoured(true, {})).toBe(true);
    expect(isColoured(false, {})).toBe(false);
    expect(isColoured(true, { NO_COLOR: '1' })).toBe(false);
    expect(isColoured(true, { TERM: 'dumb' })).toBe(false);
    expect(createStyle(false).bad('x')).toBe('x');
    expect(createStyle(true).bad('x')).toContain('\u001b[31m');
  });
});

describe('cli/views/units', () => {
  it('writes numbers as people read them', () => {
    expect([bytes(999), bytes(1400), bytes(250_000_000)]).toEqual(['999 bytes', '1.4 KB', '250 MB']);
    expect([span(850), span(12_340), span(250_000), span(11_100_000), span(180_000_000)]).toEqual([
      '850 ms',
      '12.3 s',
      '4 min 10 s',
      '3 h 5 min',
      '2 d 2 h',
    ]);
    expect([count(2, 'day'), count(3, 'entry'), count(2, 'openapi-spec-contents')]).toEqual([
      '2 days',
      '3 entries',
      '2 openapi-spec-contents',
    ]);
    expect([count(1, 'page'), count(1200, 'page'), count(0, 'comment reply')]).toEqual([
      '1 page',
      '1,200 pages',
      '0 comment replies',
    ]);
  });
});

describe('cli/views/diff', () => {
  const changes = [
    {
      kind: 'space' as const,
      key: 's2',
      change: 'added' as const,
      label: 'Notes',
      space: 's2',
      fields: [],
      text: null,
    },
    {
      kind: 'page' as const,
      key: 's1/p1',
      change: 'changed' as const,
      label: 'Start\u001b[31m',
      space: 's1',
      fields: [
        { field: 'title', before: 'Begin', after: 'Start' },
        { field: 'emoji', before: 'x' },
      ],
      text: { added: 1, removed: 1, lines: ['@@ -1,2 +1,2 @@', '-old\u001b[0m', '+new', ' same'], hidden: 3 },
    },
  ];
  const look = { width: Number.POSITIVE_INFINITY, style: createStyle(false), named: String };

  const shownOf = (input: Omit<Parameters<typeof diffView>[0], 'from' | 'to'>, on = look): string =>
    [...diffView({ from: 1, to: 2, ...input }, on)].join('');

  it('names what changed inside, each on one line', () => {
    expect(shownOf({ changes, text: false }).split('\n')).toEqual([
      'change   kind   what       in                        key',
      'added    space  Notes                                s2',
      'changed  page   Start[31m  title, emoji, text +1 -1  s1/p1',
      '',
      '2 differences from snapshot 1 to 2: 1 added, 1 changed, 0 removed',
    ]);
  });

  it('lists thousands of rewritten pages without a word of what stands in them', () => {
    const fields = [{ field: 'title' }, { field: 'emoji' }];
    const text = { added: 1, removed: 1, lines: [], hidden: 0 };
    const listed = changes.map((one) => (one.change === 'changed' ? { ...one, fields, text } : one));
    const list = (all: readonly DifferenceDetail[]): string => shownOf({ changes: all, text: false });
    expect(list(listed)).toBe(list(changes));
  });

  it('does not lose a deleted space among its hundreds of links', () => {
    const gone = (kind: KindName, key: string, label: string): DifferenceDetail => ({
      kind,
      key,
      change: 'removed',
      label,
      space: 's3',
      fields: [],
      text: null,
    });
    const links = Array.from({ length: 300 }, (_, i) => gone('link', `s3/l${i}`, `l${i}`));
    const all = [gone('space', 's3', 'Guides'), ...changes, gone('page', 's3/p1', 'Plan'), ...links];
    const whole = new Map([
      [
        'removed s3',
        new Map<KindName, number>([
          ['link', 300],
          ['page', 1],
        ]),
      ],
    ]);
    const lines = shownOf({ changes: all, text: false, whole }).split('\n');
    expect(lines.filter((line) => line.startsWith('removed'))).toEqual([
      expect.stringMatching(/^removed {2}space {2}Guides +with 300 links, 1 page +s3$/),
    ]);
    expect(lines).toHaveLength(7);
    expect(lines.at(-2)).toBe('304 differences from snapshot 1 to 2: 1 added, 1 changed, 302 removed');
    const inside = shownOf({ changes: all, text: false, limit: { kind: null, space: 's3' } });
    expect(inside.split('\n').filter((line) => line.startsWith('removed'))).toHaveLength(302);
  });

  it.each([
    [1, 1, '1 of them is content of the change request above'],
    [1, 3, '3 of them are content of the change request above'],
    [2, 2, '2 of them are content of the change requests above'],
  ])(
    'counts what goes with %i change requests: of one page it said "1 of them are content"',
    (requests, pages, said) => {
      const added = (kind: KindName, key: string): DifferenceDetail => ({
        kind,
        key,
        change: 'added',
        label: key,
        space: 's1',
        fields: [],
        text: null,
      });
      const all = Array.from({ length: requests }, (_, i) => added('change-request', `s1/r${i}`));
      const content = Array.from({ length: pages }, (_, i) => added('change-request-page', `s1/r0/p${i}`));
      const lines = shownOf({ changes: [...all, ...content], text: false }).split('\n');
      expect(lines.at(-1)).toBe(`${said}: --json lists it`);
    },
  );

  it('shows lines that differ as different, and of one of megabytes its beginning', () => {
    const lines = ['@@ -1,2 +1,2 @@', '-\tkept\r', '+ kept', '-x', `+${'y'.repeat(5_000_000)}`];
    const all = changes.slice(1).map((one) => ({ ...one, text: { added: 2, removed: 2, lines, hidden: 0 } }));
    const shown = shownOf({ changes: all, text: true }).split('\n');
    expect(shown.slice(4, 7)).toEqual(['  -␉kept␍', '  + kept', '  -x']);
    expect(shown[7]).toBe(`  +${'y'.repeat(1000)}… (4,999,000 further characters)`);
  });

  it('shows fields and lines, and paints them only on a terminal', () => {
    const plain = shownOf({ changes, text: true });
    expect(plain.split('\n').slice(2, 10)).toEqual([
      'changed page Start[31m s1/p1',
      '  title: "Begin" -> "Start"',
      '  emoji: "x" -> nothing',
      '  @@ -1,2 +1,2 @@',
      '  -old␛[0m',
      '  +new',
      '   same',
      '  … 3 further lines',
    ]);
    const painted = shownOf({ changes, text: true }, { ...look, style: createStyle(true) });
    expect(painted).toContain('\u001b[32m  +new');
    expect(plain).not.toContain('\u001b');
  });
});

describe('cli/show-error', () => {
  it('says what and what to do on two lines, without secrets', () => {
    const error = new AppError('DM_UNREACHABLE', 'Lost https://me:word@docs.example/x?signature=abc\nhere', {
      hint: 'Look\nthere.',
    });
    expect(errorText(error)).toBe(
      'docmirror: Lost https://docs.example/x?signature=hidden here (DM_UNREACHABLE)\n  what to do: Look there.\n',
    );
  });
});
