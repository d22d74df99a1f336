// The lines of a comparison, so that two that are not the same do not look the same.
import { count } from './words.ts';

/** What a screen obeys, or orders text by: never shown as it is. */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
/** What takes no room, or looks like a plain blank. */
const UNSEEN = /(?! )[\p{Cf}\p{M}\p{Zs}\u115f\u1160\u3164\uffa0]/gu;
const NO_ROOM = /[\p{Cf}\ufe00-\ufe0f\u034f\u115f\u1160\u3164\uffa0]/gu;

const PICTURES = 0x2400;
const LAST_WITH_PICTURE = 0x1f;

/** How much is shown before the first difference of a line that is too long to be shown whole. */
const LEAD = 80;

/**
 * Lines of a unified comparison as they are shown, each of at most so many characters and its mark: what a screen would obey by its
 * picture or number, what nobody sees by its number where two lines differ in nothing else, a long line from where it differs on.
 */
export function toldApart(lines: readonly string[], longest: number): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    const block = blockAt(lines, at);
    shown.push(
      ...(block.length === 0 ? [shownLine(lines[at] ?? '', { from: 0, longest })] : blockLines(block, longest)),
    );
    at += Math.max(1, block.length);
  }
  return shown;
}

/** Two values as `toldApart` shows two lines. */
export function valuesApart(before: string, after: string, longest: number): [before: string, after: string] {
  const [was = '', is = ''] = toldApart([`-${before}`, `+${after}`], longest);
  return [was.slice(1), is.slice(1)];
}

const isMarked = (line: string): boolean => line.startsWith('-') || line.startsWith('+');

/** Lines that go and come in one place; among them what is said of a last line without an end. */
function blockAt(lines: readonly string[], start: number): readonly string[] {
  let end = start;
  while (end < lines.length && (isMarked(lines[end] ?? '') || (end > start && lines[end]?.startsWith('\\')))) end++;
  return lines.slice(start, end);
}

function blockLines(block: readonly string[], longest: number): string[] {
  const [gone, come] = ['-', '+'].map((mark) => block.filter((line) => line.startsWith(mark)));
  const [goneLooks, comeLooks] = [gone, come].map((side) => new Set(side?.map((line) => looksOf(line.slice(1)))));
  const seen = { '-': 0, '+': 0 };
  return block.map((line) => {
    const mark = line.charAt(0);
    if (mark !== '-' && mark !== '+') return shownLine(line, { from: 0, longest });
    const other = (mark === '-' ? come : gone)?.[seen[mark]++];
    const spelled = (mark === '-' ? comeLooks : goneLooks)?.has(looksOf(line.slice(1))) === true;
    return shownLine(line, { from: startOf(line, other, longest), longest, spelled });
  });
}

/** Where a line is begun to be shown. */
function startOf(line: string, other: string | undefined, longest: number): number {
  if (other === undefined || Math.max(line.length, other.length) <= longest) return 0;
  let same = 1;
  while (same < line.length && line[same] === other[same]) same++;
  const start = same - 1 - LEAD;
  return same + LEAD <= longest ? 0 : Math.max(0, isLowSurrogate(line.charCodeAt(start + 1)) ? start - 1 : start);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

interface Showing {
  readonly from: number;
  readonly longest: number;
  readonly spelled?: boolean;
}

function shownLine(line: string, { from, longest, spelled = false }: Showing): string {
  const [mark, text] = [line.slice(0, 1), line.slice(1)];
  const end = from + longest;
  const part = text.slice(from, isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end);
  const after = text.length - from - part.length;
  const before = from === 0 ? '' : `(${count(from, 'character')} before) …`;
  return `${mark}${before}${spelled ? spelledOut(part) : signsOf(part)}${after > 0 ? `… (${count(after, 'further character')})` : ''}`;
}

/** What it looks like to somebody who reads it. */
function looksOf(text: string): string {
  return (
    text
      .replaceAll(NO_ROOM, '')
      // A plain blank is one already, and in a long line there are a million of them.
      .replaceAll(/(?! )\p{Zs}/gu, ' ')
      .trimEnd()
      .normalize('NFC')
  );
}

function signsOf(text: string): string {
  return text.replaceAll(OBEYED, (sign) => {
    const code = sign.charCodeAt(0);
    return code > LAST_WITH_PICTURE ? numberOf(sign) : String.fromCharCode(PICTURES + code);
  });
}

function spelledOut(text: string): string {
  const ended = text.replace(/(?<! ) +$/, (blanks) => numberOf(' ').repeat(blanks.length));
  return signsOf(ended.replaceAll(UNSEEN, numberOf));
}

function numberOf(sign: string): string {
  return `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
