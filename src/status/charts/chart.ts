// Charts as SVG that the server draws: named and described for those who hear them, and with their numbers in a table.
import { html } from 'hono/html';
import { isoTime } from '../../base/index.ts';
import type { Html } from '../pages/layout.ts';
import { bucketsOf, ticksTo } from './scale.ts';

export interface Series {
  readonly name: string;
  /** One value for each time. */
  readonly values: readonly number[];
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

interface Mark {
  readonly at: number;
  readonly values: readonly number[];
}

/** The chart with its legend and its table; a sentence instead where there is nothing to draw. */
export function chartView(chart: Chart): Html {
  const marks = marksOf(chart);
  if (marks.length === 0) return frame(chart, html`<p class="soft">Nothing to show yet.</p>`);
  const shownMost = Math.max(...marks.map(({ values }) => (chart.look === 'bars' ? sum(values) : Math.max(...values))));
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
  const points = times.map((at, index) => ({ at, values: series.map(({ values }) => values[index] ?? 0) }));
  return bucketsOf(points, MOST_MARKS).map(({ items }) => {
    const last = items.at(-1) ?? { at: 0, values: [] };
    if (look === 'lines') return last;
    return { at: last.at, values: series.map((_, index) => sum(items.map(({ values }) => values[index] ?? 0))) };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
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

function line(plot: Plot, series: number): Html {
  const points = plot.marks.map(({ at, values }) => `${x(plot, at)},${y(plot, values[series] ?? 0)}`);
  // One night alone makes no line.
  const dots = points.length > 30 ? [] : points.map((point) => point.split(','));
  return html`<polyline class="line s${series}" points="${points.join(' ')}" />${dots.map(
      ([cx = '', cy = '']) => html`<circle class="dot s${series}" cx="${cx}" cy="${cy}" r="2.5" />`,
    )}`;
}

function bars(plot: Plot): Html[] {
  const room = (WIDTH - LEFT - RIGHT - 16) / Math.max(1, plot.marks.length);
  const width = round(Math.max(1, Math.min(18, room * 0.75)));
  return plot.marks.flatMap(({ at, values }) => {
    let below = 0;
    return values.map((value, index) => {
      const [top, bottom] = [y(plot, below + value), y(plot, below)];
      below += value;
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
              ${values.map((value) => html`<td class="number">${format(value)}</td>`)}
            </tr>`,
        )}
      </table>
    </div>
  </details>`;
}
