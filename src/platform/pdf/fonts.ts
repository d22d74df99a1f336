// Fonts with the letters of most scripts, from a package: the fonts that every PDF reader has know only Latin.
import { createRequire } from 'node:module';
import path from 'node:path';

export type FontName = 'text' | 'text-bold' | 'text-italic' | 'text-bold-italic' | 'mono' | 'mono-bold';

const FILES: Readonly<Record<FontName, string>> = {
  text: 'DejaVuSans.ttf',
  'text-bold': 'DejaVuSans-Bold.ttf',
  'text-italic': 'DejaVuSans-Oblique.ttf',
  'text-bold-italic': 'DejaVuSans-BoldOblique.ttf',
  mono: 'DejaVuSansMono.ttf',
  'mono-bold': 'DejaVuSansMono-Bold.ttf',
};

/** Makes the fonts known to a document; only those that it uses are put into the file. */
export function registerFonts(pdf: PDFKit.PDFDocument): void {
  const require = createRequire(import.meta.url);
  const folder = path.dirname(require.resolve('dejavu-fonts-ttf/package.json'));
  for (const [name, file] of Object.entries(FILES)) pdf.registerFont(name, path.join(folder, 'ttf', file));
}

export function fontOf(marks: ReadonlySet<string>): FontName {
  const isBold = marks.has('bold');
  if (marks.has('code')) return isBold ? 'mono-bold' : 'mono';
  if (marks.has('italic')) return isBold ? 'text-bold-italic' : 'text-italic';
  return isBold ? 'text-bold' : 'text';
}
