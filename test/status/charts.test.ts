import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barListView } from '../../src/status/charts/bar-list.ts';
import { chartView, type Chart } from '../../src/status/charts/chart.ts';
import { bucketsOf, ticksTo } from '../../src/status/charts/scale.ts';

const DAY = 86_400_000;

function chartOf(values: readonly (number | null)[], more: Partial<Chart> = {}): Chart {
  return {
    id: 'c',
    title: 'Pages',
    about: 'How many.',
    times: values.map((_, nth) => nth * DAY),
    series: [{ name: 'pages', values }],
    format: String,
    look: 'lines',
    ...more,
  };
}

async function drawn(chart: Chart): Promise<string> {
  return String(await chartView(chart));
}

describe('status/charts/scale', () => {
  it('gives round ticks that begin at 0, ascend and reach the most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (most) => {
        const ticks = ticksTo(most);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(new Set(ticks).size).toBe(ticks.length);
      }),
    );
  });

  it('gathers items into few spans, loses none and keeps their order', () => {
    const times = fc.array(fc.integer({ min: 0, max: 1e12 }), { maxLength: 400 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 150 }), (given, most) => {
        const items = given.toSorted((a, b) => a - b).map((at, nth) => ({ at, nth }));
        const buckets = bucketsOf(items, most);
        expect(buckets.length).toBeLessThanOrEqual(most);
        expect(buckets.flatMap((bucket) => bucket.items)).toEqual(items);
      }),
    );
  });
});

describe('status/charts/chart', () => {
  it('is named and described, and has its numbers in a table', async () => {
    const svg = await drawn(chartOf([3, 5, 4]));
    expect(svg).toContain('role="img" aria-labelledby="c-title c-about"');
    expect(svg).toContain('<title id="c-title">Pages</title>');
    expect(svg).toMatch(/1970-01-02<\/td>\s*<td class="number">5</);
    expect(svg.match(/<circle/g)).toHaveLength(3);
  });

  it.each([[[]], [[0]], [[7]], [[0, 0, 0]], [[1, 1e12]], [Array.from({ length: 1000 }, (_, nth) => nth)]])(
    'draws %# without a number that is none, and no more marks than can be told apart',
    async (values) => {
      for (const look of ['lines', 'bars'] as const) {
        const svg = await drawn(chartOf(values, { look }));
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        expect((svg.match(/<rect/g) ?? []).length).toBeLessThanOrEqual(120);
        const heights = [...svg.matchAll(/height="(-?[\d.]+)"/g)].map((found) => Number(found[1]));
        expect(heights.every((height) => height >= 0)).toBe(true);
      }
    },
  );

  it('draws no bar over another where older nights are kept more thinly: the last ones hid each other', async () => {
    const times = [0, 30, 60, 61, 62, 63, 64].map((day) => day * DAY);
    const svg = await drawn(chartOf([9, 1, 2, 3, 4, 5, 6], { times, look: 'bars' }));
    const places = [...svg.matchAll(/\sx="([\d.]+)"\s+y="[\d.]+"\s+width="([\d.]+)"/g)];
    const spans = places.map(([, left, width]) => ({ from: Number(left), to: Number(left) + Number(width) }));
    expect(spans).toHaveLength(7);
    for (const [nth, { from }] of spans.entries()) expect(from).toBeGreaterThan(spans[nth - 1]?.to ?? 0);
  });

  it('adds bars up where many nights share one, and lets lines show the last', async () => {
    const values = Array.from({ length: 1000 }, () => 1);
    const cells = async (look: Chart['look']): Promise<number[]> => {
      const svg = await drawn(chartOf(values, { look }));
      return [...svg.matchAll(/<td class="number">(\d+)</g)].map((found) => Number(found[1]));
    };
    expect((await cells('bars')).reduce((sum, value) => sum + value, 0)).toBe(1000);
    expect(new Set(await cells('lines'))).toEqual(new Set([1]));
  });

  it('draws no line through what is not known, and says so in the table', async () => {
    const svg = await drawn(chartOf([1, 2, null, 4, null]));
    const lines = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points = '']) => points.split(' ').length);
    expect(lines).toEqual([2, 1]);
    expect(svg.match(/<circle/g)).toHaveLength(3);
    expect(svg.match(/not read/g)).toHaveLength(2);
    const none = await drawn(chartOf([null, null]));
    expect(none).toContain('The platform let none of it be read.');
    expect(none).not.toContain('<svg');
  });

  it('escapes names', async () => {
    const hostile = '"><script>alert(1)</script>';
    const rows = [{ name: hostile, value: 1 }];
    const bars = String(
      await barListView({ id: 'b', title: hostile, about: hostile, rows, format: String, empty: '' }),
    );
    expect(bars + (await drawn(chartOf([1, 2], { title: hostile })))).not.toContain('<script');
  });

  it.each([
    ['ドキュメント管理部門東京本社第二開発グループ', 11],
    ['DOCUMENTATION DESK MUNCHEN', 17],
    ['documentation department', 21],
  ])(
    'cuts %s at its end, to what the picture has room for: it began outside of it, without its first letters',
    async (name, most) => {
      const svg = String(
        await barListView({
          id: 'b',
          title: 'People',
          about: 'Who.',
          rows: [{ name, value: 3 }],
          format: String,
          empty: '',
        }),
      );
      const [, shown = ''] = /<text class="name"[^>]*>([^<]*)</.exec(svg) ?? [];
      expect(shown).toMatch(/…$/);
      expect(name.startsWith(shown.slice(0, -1))).toBe(true);
      expect(Array.from(shown).length).toBeLessThanOrEqual(most + 1);
      expect(Array.from(shown).length).toBeGreaterThanOrEqual(most - 3);
      expect(svg).toContain(`<title>${name}: 3</title>`);
    },
  );
});
