// Where in a Markdown text links can stand: the lines of each block, told apart by how they are read.
import { createMarkdownParser, type MarkdownToken } from './markdown-parser.ts';

/** A stretch of the text, as offsets. `definitions` are lines that belong to no visible block. */
export interface Region {
  kind: 'inline' | 'html' | 'definitions';
  start: number;
  end: number;
}

/** The regions of a text in order; code blocks are in none of them. */
export function linkRegions(text: string): Region[] {
  const offsets = lineOffsets(text);
  const offset = (line: number): number => offsets[line] ?? text.length;
  const covered = new Set<number>();
  const regions: Region[] = [];
  for (const token of BLOCK_PARSER.parse(text, {})) {
    const kind = kindOf(token);
    if (!token.map || kind === undefined) continue;
    const [from, to] = token.map;
    for (let line = from; line < to; line++) covered.add(line);
    // One by one: a call takes only so many arguments, and a long text has more regions.
    if (kind === 'row') for (const cell of cells(text, offset(from), offset(to))) regions.push(cell);
    else if (kind !== 'code') regions.push({ kind, start: offset(from), end: offset(to) });
  }
  return [...regions, ...uncovered(offsets.length, covered, offset)].sort((a, b) => a.start - b.start);
}

// Making a parser costs more than reading a page with it; nothing changes it afterwards.
const BLOCK_PARSER = createBlockParser();

function createBlockParser(): ReturnType<typeof createMarkdownParser> {
  const parser = createMarkdownParser();
  parser.core.ruler.enableOnly(['normalize', 'block']);
  return parser;
}

/** A link target as Markdown reads it: escapes and entities resolved. */
export function unescapeTarget(raw: string): string {
  return BLOCK_PARSER.utils.unescapeAll(raw);
}

function kindOf(token: MarkdownToken): 'inline' | 'html' | 'code' | 'row' | undefined {
  switch (token.type) {
    case 'inline':
      return 'inline';
    case 'html_block':
      return 'html';
    case 'fence':
    case 'code_block':
      return 'code';
    case 'tr_open':
      return 'row';
    default:
      return undefined;
  }
}

// A code span cannot leave its cell, so each cell is a region of its own.
function cells(text: string, start: number, end: number): Region[] {
  const regions: Region[] = [];
  let from = start;
  for (let at = start; at <= end; at++) {
    const isBorder = text[at] === '|' && text[at - 1] !== '\\';
    if (at < end && !isBorder) continue;
    regions.push({ kind: 'inline', start: from, end: at });
    from = at + 1;
  }
  return regions;
}

function uncovered(lines: number, covered: ReadonlySet<number>, offset: (line: number) => number): Region[] {
  const regions: Region[] = [];
  for (let line = 0; line < lines; line++) {
    if (covered.has(line)) continue;
    const last = regions.at(-1);
    const [start, end] = [offset(line), offset(line + 1)];
    if (last?.end === start) last.end = end;
    else regions.push({ kind: 'definitions', start, end });
  }
  return regions;
}

/** Where lines begin, as the parser counts them: a carriage return alone ends one, too. */
function lineOffsets(text: string): number[] {
  const offsets = [0];
  if (text.includes('\r')) for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) offsets.push(index + end.length);
  else for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) offsets.push(at + 1);
  return offsets;
}
