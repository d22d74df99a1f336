// Fonts with the letters of most scripts, from packages: the fonts that every PDF reader has know only Latin.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readFont, type FontFile } from './sfnt.ts';

export type FontName = 'text' | 'text-bold' | 'text-italic' | 'text-bold-italic' | 'mono' | 'mono-bold' | 'wide';

const DEJAVU: Readonly<Record<Exclude<FontName, 'wide'>, string>> = {
  text: 'DejaVuSans.ttf',
  'text-bold': 'DejaVuSans-Bold.ttf',
  'text-italic': 'DejaVuSans-Oblique.ttf',
  'text-bold-italic': 'DejaVuSans-BoldOblique.ttf',
  mono: 'DejaVuSansMono.ttf',
  'mono-bold': 'DejaVuSansMono-Bold.ttf',
};

/** What stands in for a letter that the font has not; `wide` is coarse, and knows Chinese, Japanese, Korean, Thai, Hindi and more. */
const INSTEAD: Readonly<Record<FontName, readonly FontName[]>> = {
  text: ['wide'],
  'text-bold': ['text', 'wide'],
  'text-italic': ['text', 'wide'],
  'text-bold-italic': ['text-bold', 'text', 'wide'],
  mono: ['text', 'wide'],
  'mono-bold': ['mono', 'text', 'wide'],
  wide: ['text'],
};

/** The fonts of one document; only those that it uses are read, and of them only the letters that it uses are put into it. */
export interface Fonts {
  /** The font to draw a character with where `wanted` is meant; undefined when none has it. */
  fontFor(wanted: FontName, codePoint: number): FontName | undefined;
  /** Makes a font the current one of the document, at a size. */
  use(font: FontName, size: number): void;
  /** From the baseline to the top, as a share of the size. */
  ascent(font: FontName): number;
}

export function createFonts(pdf: PDFKit.PDFDocument): Fonts {
  const read = new Map<FontName, FontFile>();
  const load = (name: FontName): FontFile => {
    const known = read.get(name);
    if (known) return known;
    const font = readFont(readFileSync(fileOf(name)));
    read.set(name, font);
    pdf.registerFont(name, font.bytes);
    return font;
  };
  return {
    fontFor: (wanted, codePoint) => [wanted, ...INSTEAD[wanted]].find((name) => load(name).has(codePoint)),
    use: (name, size) => {
      load(name);
      pdf.font(name).fontSize(size);
    },
    ascent: (name) => load(name).ascent,
  };
}

function fileOf(name: FontName): string {
  const require = createRequire(import.meta.url);
  if (name === 'wide') return require.resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff');
  return path.join(path.dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf', DEJAVU[name]);
}

export function fontOf(marks: ReadonlySet<string>): FontName {
  const isBold = marks.has('bold');
  if (marks.has('code')) return isBold ? 'mono-bold' : 'mono';
  if (marks.has('italic')) return isBold ? 'text-bold-italic' : 'text-italic';
  return isBold ? 'text-bold' : 'text';
}

/** The bold one of a font. */
export function boldOf(font: FontName): FontName {
  if (font === 'text') return 'text-bold';
  if (font === 'text-italic') return 'text-bold-italic';
  return font === 'mono' ? 'mono-bold' : font;
}
