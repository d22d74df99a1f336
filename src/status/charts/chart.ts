// Charts as SVG that the server draws: named and described for those who hear them, and with their numbers in a table.
import { html } from 'hono/html';
import { isoTime } from '../../base/index.ts';
import type { Html } from '../pages/layout.ts';
import { bucketsOf, ticksTo } from './scale.ts';

export interface Series {
  readonly name: string;
  /** One value for each time; null where it is not known, which only lines show. */
  readonly values: readonly Value[];
}

export interface Chart {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  /** Milliseconds since the epoch, ascending. */
  readonly times: readonly number[];
  /** At most four. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Lines show what stood at a time; bars what happened, and add up. */
  readonly look: 'lines' | 'bars';
}

const [WIDTH, HEIGHT] = [440, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 12, 12, 26];
const MOST_MARKS = 120;

type Value = number | null;

interface Mark {
  readonly at: number;
  readonly values: readonly Value[];
}

/** The chart with its legend and its table; a sentence instead where there is nothing to draw. */
export function chartView(chart: Chart): Html {
  const marks = marksOf(chart);
  if (marks.length === 0) return frame(chart, html`<p class="soft">Nothing to show yet.</p>`);
  const isKnown = marks.some(({ values }) => values.some((value) => value !== null));
  if (!isKnown) return frame(chart, html`<p class="soft">The platform let none of it be read.</p>`);
  const heightOf = ({ values }: Mark): number =>
    chart.look === 'bars' ? sum(values) : Math.max(...values.map((value) => value ?? 0));
  const shownMost = Math.max(...marks.map(heightOf));
  const ticks = ticksTo(shownMost);
  const plot: Plot = { marks, most: ticks.at(-1) ?? 1 };
  return frame(
    chart,
    html`${legend(chart)}
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${chart.id}-title ${chart.id}-about">
        <title id="${chart.id}-title">${chart.title}</title>
        <desc id="${chart.id}-about">${chart.about}</desc>
        ${ticks.map((tick) => gridLine(tick, plot, chart))} ${timeAxis(plot)}
        ${chart.look === 'bars' ? bars(plot) : chart.series.map((_, index) => line(plot, index))}
      </svg>
      ${table(chart, marks)}`,
  );
}

function frame({ title }: Chart, body: Html): Html {
  return html`<section class="chart">
    <h2>${title}</h2>
    ${body}
  </section>`;
}

/** Where many nights share a mark, a line shows the last of them and a bar all of them together. */
function marksOf({ times, series, look }: Chart): Mark[] {
  const points: Mark[] = times.map((at, index) => ({ at, values: series.map(({ values }) => values[index] ?? null) }));
  return bucketsOf(points, MOST_MARKS).map(({ items }) => {
    const last = items.at(-1) ?? { at: 0, values: [] };
    if (look === 'lines') return last;
    return { at: last.at, values: series.map((_, index) => sum(items.map(({ values }) => values[index] ?? null))) };
  });
}

function sum(values: readonly Value[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

interface Plot {
  readonly marks: readonly Mark[];
  readonly most: number;
}

function x(plot: Plot, at: number): number {
  const [first, last] = [plot.marks[0]?.at ?? 0, plot.marks.at(-1)?.at ?? 0];
  const share = last === first ? 0.5 : (at - first) / (last - first);
  return round(LEFT + 8 + share * (WIDTH - LEFT - RIGHT - 16));
}

function y({ most }: Plot, value: number): number {
  return round(HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function gridLine(tick: number, plot: Plot, { format }: Chart): Html {
  const height = y(plot, tick);
  return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${height}" y2="${height}" />
    <text class="tick" x="${LEFT - 6}" y="${height + 4}" text-anchor="end">${format(tick)}</text>`;
}

function timeAxis(plot: Plot): Html[] {
  const [first, last] = [plot.marks[0]?.at ?? 0, plot.marks.at(-1)?.at ?? 0];
  const day = (at: number): string => isoTime(at).slice(0, 10);
  if (day(first) === day(last)) return [dayLabel(x(plot, (first + last) / 2), day(first), 'middle')];
  return [dayLabel(LEFT, day(first), 'start'), dayLabel(WIDTH - RIGHT, day(last), 'end')];
}

function dayLabel(place: number, day: string, anchor: string): Html {
  return html`<text class="tick" x="${place}" y="${HEIGHT - 8}" text-anchor="${anchor}">${day}</text>`;
}

/** Broken where a value is not known. */
function line(plot: Plot, series: number): Html[] {
  const runs: string[][] = [[]];
  for (const { at, values } of plot.marks) {
    const value = values[series] ?? null;
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${x(plot, at)},${y(plot, value)}`);
  }
  // One night alone makes no line.
  const isAlone = (run: readonly string[]): boolean => run.length === 1;
  const dotted = plot.marks.length > 30 ? runs.filter(isAlone).flat() : runs.flat();
  return [
    ...runs
      .filter((run) => run.length > 0)
      .map((run) => html`<polyline class="line s${series}" points="${run.join(' ')}" />`),
    ...dotted.map((point) => {
      const [cx = '', cy = ''] = point.split(',');
      return html`<circle class="dot s${series}" cx="${cx}" cy="${cy}" r="2.5" />`;
    }),
  ];
}

function bars(plot: Plot): Html[] {
  return plot.marks.flatMap(({ at, values }, nth) => {
    const width = barWidth(plot, nth);
    let below = 0;
    return values.map((value, index) => {
      const [top, bottom] = [y(plot, below + (value ?? 0)), y(plot, below)];
      below += value ?? 0;
      const left = round(x(plot, at) - width / 2);
      return html`<rect
        class="bar s${index}"
        x="${left}"
        y="${top}"
        width="${width}"
        height="${round(bottom - top)}"
      />`;
    });
  });
}

/** As wide as its neighbours let it: where older nights are kept more thinly than the last ones, those stand close together. */
function barWidth(plot: Plot, nth: number): number {
  const [before, own, after] = [nth - 1, nth, nth + 1].map((one) => plot.marks[one]);
  const gaps = [before, after].flatMap((one) => (one && own ? [Math.abs(x(plot, one.at) - x(plot, own.at))] : []));
  return round(Math.max(1, Math.min(18, 0.75 * Math.min(...gaps))));
}

function legend({ series }: Chart): Html | string {
  if (series.length < 2) return '';
  return html`<p class="legend">
    ${series.map(({ name }, index) => html`<span><i class="swatch s${index}"></i>${name}</span> `)}
  </p>`;
}

function table({ series, format, look }: Chart, marks: readonly Mark[]): Html {
  return html`<details>
    <summary>Numbers</summary>
    <div class="scroll tall">
      <table>
        <tr>
          <th>${look === 'bars' ? 'Up to' : 'At'}</th>
          ${series.map(({ name }) => html`<th class="number">${name}</th>`)}
        </tr>
        ${marks.toReversed().map(
          ({ at, values }) =>
            html`<tr>
              <td>${isoTime(at).slice(0, 10)}</td>
              ${values.map((value) => html`<td class="number">${value === null ? 'not read' : format(value)}</td>`)}
            </tr>`,
        )}
      </table>
    </div>
  </details>`;
}
