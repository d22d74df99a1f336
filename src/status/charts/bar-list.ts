// Values by name as bars that lie one below the other, each with its number.
import { html } from 'hono/html';
import { charactersOf } from '../../base/index.ts';
import type { Html } from '../pages/layout.ts';

export interface BarList {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly rows: readonly { readonly name: string; readonly value: number; readonly note?: string }[];
  readonly format: (value: number) => string;
  /** What stands there when there is no row. */
  readonly empty: string;
}

const [WIDTH, ROW, NAMES, NUMBERS] = [440, 24, 170, 70];
/** Between the edge and the bars. What is longer would begin outside of the picture, without its first letters. */
const ROOM = NAMES - 8;

// What a letter takes at most in the fonts that a browser may choose: signs of East Asia and emoji, capitals with what is as broad, others.
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|[\u{20000}-\u{3fffd}]/u;
const BROAD = /[\p{Lu}mw@%]/u;
const [WIDE_LETTER, BROAD_LETTER, LETTER, ELLIPSIS] = [13, 9, 7, 10];

export function barListView({ id, title, about, rows, format, empty }: BarList): Html {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const bars = rows.map(({ name, value, note }, index) => {
    const middle = index * ROW + ROW / 2;
    const width = Math.max(value > 0 ? 1 : 0, Math.round((value / most) * (WIDTH - NAMES - NUMBERS)));
    return html`<g>
      <title>${name}: ${format(value)}${note === undefined ? '' : `, ${note}`}</title>
      <text class="name" x="${ROOM}" y="${middle + 4}" text-anchor="end">${cut(name)}</text>
      <rect class="bar s0" x="${NAMES}" y="${middle - 7}" width="${width}" height="14" rx="2" />
      <text class="tick" x="${NAMES + width + 6}" y="${middle + 4}">${format(value)}</text>
    </g>`;
  });
  return html`<section class="chart">
    <h2>${title}</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">${empty}</p>`
        : html`<svg viewBox="0 0 ${WIDTH} ${rows.length * ROW}" role="img" aria-labelledby="${id}-title ${id}-about">
            <title id="${id}-title">${title}</title>
            <desc id="${id}-about">${about}</desc>
            ${bars}
          </svg>`
    }
    <p class="soft">${about}</p>
  </section>`;
}

function cut(name: string): string {
  let taken = 0;
  let kept = '';
  // By characters as people count them, so that none is cut in half.
  for (const letter of charactersOf(name)) {
    taken += widthOf(letter);
    if (taken > ROOM) return `${kept}…`;
    if (taken <= ROOM - ELLIPSIS) kept += letter;
  }
  return name;
}

function widthOf(letter: string): number {
  if (WIDE.test(letter)) return WIDE_LETTER;
  return BROAD.test(letter) ? BROAD_LETTER : LETTER;
}
