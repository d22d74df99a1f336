// The blocks that documents have beyond CommonMark: tags such as `{% hint %}…{% endhint %}`, `<details>`, and formulas.
import type MarkdownIt from 'markdown-it';
import type { StateBlock, StateInline } from 'markdown-it';
import { closesFence, openedFence, withoutBullets, type Fence } from './fences.ts';

type Parser = InstanceType<typeof MarkdownIt>;

/** What an opening tag says; `value` is a text that stands without a name: `{% include "…" %}`. */
export interface BlockTag {
  name: string;
  value?: string;
  attributes: Record<string, string>;
}

const TAG = /^\{%\s*(@?[a-z][\w/-]*)((?:\s[^]*)?)%\}$/i;

/** How attributes are read: as the platform writes them, `title="a \"b\""`, else as people do who end a path by hand: `title="C:\"`. */
const READINGS = [
  {
    attribute: /^\s+(?:([\w-]+)=)?(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|([^\s"'=]+))/,
    unescape: (value: string) => value.replaceAll(/\\(["\\])/g, '$1'),
  },
  {
    attribute: /^\s+(?:([\w-]+)=)?(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))/,
    unescape: (value: string) => value,
  },
] as const;

const DETAILS = /^<details(\s+open)?>\s*(<summary>.*)?$/i;
const SUMMARY = /^<summary>(.*)<\/summary>$/i;
const INLINE_MATH = /\$\$([^$\n]+)\$\$/y;
const INTERRUPTS = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };

/** Teaches a parser the blocks. Tokens: `tag_open` and `tag` (meta.tag: BlockTag), `details_open`, `summary_open`, `math`. */
export function addBlockRules(parser: Parser): void {
  parser.block.ruler.before('fence', 'block_tag', asRule(blockTag), INTERRUPTS);
  parser.block.ruler.before('html_block', 'details', asRule(details), INTERRUPTS);
  parser.block.ruler.before('fence', 'math_block', asRule(mathBlock));
  parser.inline.ruler.before('escape', 'math_inline', mathInline);
}

interface Lines {
  start: number;
  /** The line after the last one. */
  end: number;
}

type BlockRule = (state: StateBlock, lines: Lines, silent: boolean) => boolean;

function asRule(
  rule: BlockRule,
): (state: StateBlock, ...where: [start: number, end: number, silent: boolean]) => boolean {
  return (state, ...[start, end, silent]) => rule(state, { start, end }, silent);
}

/** An opening tag that stands alone on its line; undefined for everything else. */
function readTag(line: string): BlockTag | undefined {
  const found = TAG.exec(line.trim());
  if (!found) return undefined;
  const [, name = '', given = ''] = found;
  for (const reading of READINGS) {
    const tag = tagOf(name, given, reading);
    if (tag) return tag;
  }
  return undefined;
}

function tagOf(name: string, given: string, { attribute, unescape }: (typeof READINGS)[number]): BlockTag | undefined {
  const tag: BlockTag = { name, attributes: {} };
  let rest = given.trimEnd();
  while (rest !== '') {
    const part = attribute.exec(rest);
    if (!part) return undefined;
    const value = part[2] === undefined ? (part[3] ?? part[4] ?? '') : unescape(part[2]);
    if (part[1] !== undefined) tag.attributes[part[1]] = value;
    else tag.value = value;
    rest = rest.slice(part[0].length);
  }
  return tag;
}

function lineAt(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}

function isCode(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= 4;
}

function blockTag(state: StateBlock, { start, end }: Lines, silent: boolean): boolean {
  const text = lineAt(state, start);
  if (!text.startsWith('{%') || isCode(state, start)) return false;
  const tag = readTag(text);
  if (!tag || tag.name.startsWith('end')) return false;
  if (silent) return true;
  const close = closingTag(state, { start, end }, tag);
  if (close === undefined) {
    state.push('tag', '', 0).meta = { tag };
    state.line = start + 1;
    return true;
  }
  state.push('tag_open', '', 1).meta = { tag };
  readInside(state, start + 1, close);
  state.push('tag_close', '', -1);
  state.line = close + 1;
  return true;
}

function closingTag(state: StateBlock, lines: Lines, { name }: BlockTag): number | undefined {
  // Most tags that nobody closes have no end anywhere, so there is no need to look at every line that follows each of them.
  if (lastEndOf(state, name) < (state.eMarks[lines.start] ?? 0)) return undefined;
  return closingLine(state, lines, (line) => {
    if (readTag(line)?.name === name) return 1;
    return line.replaceAll(/\s/g, '') === `{%end${name}%}` ? -1 : 0;
  });
}

/** Where the last word that could end the tag stands, sought once for each text; -1 for none. */
function lastEndOf({ env, src }: StateBlock, name: string): number {
  const ends = ((env as { ends?: Map<string, number> }).ends ??= new Map());
  const found = ends.get(name) ?? src.lastIndexOf(`end${name}`);
  ends.set(name, found);
  return found;
}

function details(state: StateBlock, { start, end }: Lines, silent: boolean): boolean {
  const opening = DETAILS.exec(lineAt(state, start));
  if (!opening || isCode(state, start)) return false;
  let first = start;
  let title = opening[2];
  while (title === undefined && ++first < end) title = lineAt(state, first) || undefined;
  const summary = SUMMARY.exec(title ?? '')?.[1];
  const close = closingLine(state, { start, end }, (line) =>
    /^<details\b/i.test(line) ? 1 : /^<\/details>$/i.test(line) ? -1 : 0,
  );
  if (summary === undefined || close === undefined || first >= close) return false;
  if (silent) return true;
  state.push('details_open', '', 1).meta = { open: opening[1] !== undefined };
  state.push('summary_open', '', 1);
  const line = state.push('inline', '', 0);
  line.content = summary.trim();
  line.map = [first, first + 1];
  line.children = [];
  state.push('summary_close', '', -1);
  readInside(state, first + 1, close);
  state.push('details_close', '', -1);
  state.line = close + 1;
  return true;
}

function mathBlock(state: StateBlock, { start, end }: Lines, silent: boolean): boolean {
  const text = lineAt(state, start);
  if (!text.startsWith('$$') || isCode(state, start)) return false;
  const single = /^\$\$((?:(?!\$\$).)*)\$\$$/.exec(text)?.[1];
  let close = start;
  if (single !== undefined && isOfTag(single.trim())) return false;
  if (single === undefined) {
    if (text !== '$$') return false;
    const found = closingLine(state, { start, end }, (line) => (line === '$$' ? -1 : 0));
    if (found === undefined || holdsTags(state, start + 1, found)) return false;
    close = found;
  }
  if (silent) return true;
  const lines = state.getLines(start + 1, close, state.blkIndent, false);
  state.push('math', '', 0).content = single ?? lines;
  state.line = close + 1;
  return true;
}

/** Lines of tags are not of a formula: what is around it would count them where it looks for its own end. */
function holdsTags(state: StateBlock, from: number, to: number): boolean {
  for (let line = from; line < to; line++) if (isOfTag(withoutBullets(lineAt(state, line)))) return true;
  return false;
}

function isOfTag(line: string): boolean {
  return /^<\/?details\b/i.test(line) || readTag(line) !== undefined;
}

function mathInline(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('$$', state.pos)) return false;
  INLINE_MATH.lastIndex = state.pos;
  const found = INLINE_MATH.exec(state.src);
  if (!found || state.pos + found[0].length > state.posMax) return false;
  if (!silent) state.push('math_inline', '', 0).content = found[1] ?? '';
  state.pos += found[0].length;
  return true;
}

// Nobody nests blocks so deep, and the parser itself drops what stands a hundred deep: each further one is as good as never closed. Of
// thousands that are not, each would else be looked for among all the lines behind it.
const MOST_OPEN = 50;

/** The line at which what was opened closes again; code inside is not looked at. */
function closingLine(state: StateBlock, { start, end }: Lines, step: (line: string) => number): number | undefined {
  // For each that is open, the column left of which it ends unclosed, because the list around it does.
  const open = [state.blkIndent];
  let fence: Fence | undefined;
  for (let line = start + 1; line < end; line++) {
    const text = lineAt(state, line);
    if (text === '') continue;
    const column = state.sCount[line] ?? 0;
    if (column < state.blkIndent) return undefined;
    if (fence && column >= fence.column) {
      if (closesFence(fence, text)) fence = undefined;
      continue;
    }
    const inside = withoutBullets(text);
    const bullets = text.length - inside.length;
    const within = bullets > 0 ? column + bullets : 0;
    if ((fence = openedFence(inside, within))) continue;
    while ((open.at(-1) ?? 0) > column) open.pop();
    const change = step(inside);
    if (change > 0) open.push(Math.max(within, open.at(-1) ?? 0));
    if (open.length > MOST_OPEN) return undefined;
    if (change < 0 && bullets === 0) open.pop();
    if (open.length === 0) return line;
  }
  return undefined;
}

function readInside(state: StateBlock, from: number, to: number): void {
  const { lineMax, parentType } = state;
  state.lineMax = to;
  state.parentType = 'root';
  state.md.block.tokenize(state, from, to);
  state.lineMax = lineMax;
  state.parentType = parentType;
}
