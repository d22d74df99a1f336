// Runs of text as lines of a width: which letters stand where, and in which font.
import { charactersOf } from '../../base/index.ts';
import { beginsRight, hasRightToLeft, inVisualOrder } from './direction.ts';
import type { FontName, Fonts } from './fonts.ts';
import type { Run } from './runs.ts';
import { wordsOf } from './words.ts';

/** Text in one font. */
export interface Piece {
  text: string;
  font: FontName;
  run: Run;
}

export interface Line {
  pieces: Piece[];
  /** Written from the right, and therefore set to the right. */
  isRight: boolean;
}

export interface Measure {
  fonts: Fonts;
  widthOf(piece: Pick<Piece, 'text' | 'font'>): number;
}

/** What is drawn for a character that no font has. */
const MISSING = '□';
// Joins, variations and skin colours change the look of the character before them; where that is missing, so are they.
const JOINER = '\u200D';
const MODIFIER = /^(?:\u200D|\uFE0E|\uFE0F|\p{Emoji_Modifier})$/u;
// More of them than any writing puts on one letter: placing each beside all others takes minutes for tens of thousands.
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

/** The lines of a paragraph; `\n` in a run ends one. */
export function layoutRuns(measure: Measure, runs: readonly Run[], width: number): Line[] {
  return paragraphsOf(runs).flatMap((paragraph) => {
    const text = paragraph.map((run) => run.text).join('');
    const lines = fill(measure, piecesOfWords(measure.fonts, paragraph, text), width);
    const isRight = beginsRight(text);
    const order = hasRightToLeft(text) ? (line: Piece[]) => inVisualOrder(line, isRight) : joined;
    return lines.map((line) => ({ pieces: order(withoutEnd(line)), isRight }));
  });
}

function paragraphsOf(runs: readonly Run[]): Run[][] {
  const paragraphs: Run[][] = [[]];
  for (const run of runs) {
    run.text.split('\n').forEach((text, i) => {
      if (i > 0) paragraphs.push([]);
      if (text !== '') paragraphs.at(-1)?.push({ ...run, text });
    });
  }
  return paragraphs;
}

/** Each word as its pieces: a word may be bold in part, or hold letters of two fonts. */
function piecesOfWords(fonts: Fonts, runs: readonly Run[], text: string): Piece[][] {
  const left = runs.map((run) => ({ run, text: run.text }));
  return wordsOf(text).map((word) => {
    const pieces: Piece[] = [];
    for (let rest = word.length; rest > 0;) {
      const [first] = left;
      if (!first) break;
      const part = first.text.slice(0, rest);
      rest -= part.length;
      first.text = first.text.slice(part.length);
      if (first.text === '') left.shift();
      pieces.push(...inFonts(fonts, first.run, part.replaceAll(SURPLUS_MARKS, '')));
    }
    return pieces;
  });
}

function inFonts(fonts: Fonts, run: Run, text: string): Piece[] {
  const pieces: Piece[] = [];
  let isMissing = false;
  let before = '';
  for (const character of text) {
    const last = pieces.at(-1);
    const isJoined = before === JOINER || MODIFIER.test(character);
    before = character;
    if (isMissing && isJoined) continue;
    const found = fonts.fontFor(run.font, character.codePointAt(0) ?? 0);
    if (found === undefined && MODIFIER.test(character)) continue;
    isMissing = found === undefined;
    const [font, shown] = found === undefined ? (['text', MISSING] as const) : [found, character];
    if (last?.font === font) last.text += shown;
    else pieces.push({ text: shown, font, run });
  }
  return pieces;
}

function fill(measure: Measure, words: readonly Piece[][], width: number): Piece[][] {
  const lines: Piece[][] = [[]];
  let used = 0;
  const add = (pieces: readonly Piece[], { whole, shown }: Widths): void => {
    if (used > 0 && used + shown > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(...pieces);
    used += whole;
  };
  for (const word of words) {
    const widths = widthsOf(measure, word);
    if (widths.shown <= width) add(word, widths);
    else
      for (const piece of word)
        for (const text of charactersOf(piece.text)) {
          const character = [{ ...piece, text }];
          add(character, widthsOf(measure, character));
        }
  }
  return lines;
}

interface Widths {
  whole: number;
  /** Without the blanks behind it. */
  shown: number;
}

/** Shaping a word is what costs; blanks are the same again and again. */
function widthsOf(measure: Measure, pieces: readonly Piece[]): Widths {
  const whole = pieces.reduce((sum, piece) => sum + measure.widthOf(piece), 0);
  const last = pieces.at(-1);
  const blanks = last?.text.slice(last.text.trimEnd().length) ?? '';
  const behind = last === undefined || blanks === '' ? 0 : measure.widthOf({ text: blanks, font: last.font });
  return { whole, shown: whole - behind };
}

function withoutEnd(pieces: readonly Piece[]): Piece[] {
  const last = pieces.at(-1);
  return last ? [...pieces.slice(0, -1), { ...last, text: last.text.trimEnd() }] : [];
}

/** Neighbours that look alike as one, so that a reader can select and search the line. */
function joined(pieces: readonly Piece[]): Piece[] {
  const line: Piece[] = [];
  for (const piece of pieces) {
    const last = line.at(-1);
    if (last && last.font === piece.font && sameLook(last.run, piece.run)) last.text += piece.text;
    else line.push({ ...piece });
  }
  return line;
}

function sameLook(a: Run, b: Run): boolean {
  return a.link === b.link && a.strike === b.strike && a.isCode === b.isCode;
}
