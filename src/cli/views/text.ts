// Text as a terminal shows it: its width in columns, and nothing in it that the terminal would obey.
import { charactersOf } from '../../base/index.ts';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

const PLAIN = /^[\x20-\x7e]*$/;
/** What is not plain, with the plain sign at each side, which may be one character with it. */
const OTHER = /[\x20-\x7e]?(?:[^\x20-\x7e]+[\x20-\x7e]?)+/g;

/** Text from outside on one line, without control and direction characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/\r?\n|\t/g, ' ').replaceAll(CONTROL, '');
}

/** `oneLine` for a cell, in which the ends of lines can be seen. */
export function inCell(text: string): string {
  return oneLine(text.replaceAll(/\r?\n/g, '␤'));
}

const OBEYED = /(?!\r?\n|\t)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Lines as a terminal may show them: what it would obey is written as its number, as JSON has it (`\u001b`). */
export function forTerminal(lines: string): string {
  return lines.replaceAll(OBEYED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Columns that a text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = text.length;
  for (const [run] of text.matchAll(OTHER)) {
    width -= run.length;
    for (const character of charactersOf(run)) width += widthOfOne(character);
  }
  return width;
}

function widthOfOne(segment: string): number {
  if (NOTHING.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}

/** The text cut to so many columns, the last of them an ellipsis when something was cut. */
export function cutTo(text: string, width: number): string {
  if (PLAIN.test(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  let cut = '';
  let used = 0;
  for (const character of charactersOf(text)) {
    used += widthOfOne(character);
    if (used > width) return `${cut}…`;
    if (used < width) cut += character;
  }
  return text;
}

/** The text filled up with spaces. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

/** The text in lines of so many columns; a word that is longer than a line stands in one of its own, whole, so that it can be copied. */
export function wrapTo(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
