// Arabic and Hebrew among other text: in which order the parts of a line stand on paper. The rules of Unicode's bidirectional
// algorithm for letters, numbers and what stands between them, without explicit marks of direction.

const RIGHT = /[\u0590-\u065F\u066A-\u06EF\u06FA-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const PARTS = new RegExp(
  `(?<right>${RIGHT.source}+)|(?<number>[\\d\u0660-\u0669\u06F0-\u06F9]+(?:[.,:/][\\d\u0660-\u0669\u06F0-\u06F9]+)*)|(?<left>\\p{L}[\\p{L}\\p{M}\\d]*)|[^]`,
  'gu',
);
const STRONG = new RegExp(`${RIGHT.source}|\\p{L}`, 'u');
const PAIRS = '()[]{}<>«»';

type Direction = 'left' | 'right';

interface Part<T> {
  text: string;
  of: T;
  level: number;
}

export function hasRightToLeft(text: string): boolean {
  return RIGHT.test(text);
}

/** True when the first letter of a paragraph belongs to a script that is written from the right. */
export function beginsRight(text: string): boolean {
  return RIGHT.test(STRONG.exec(text)?.[0] ?? '');
}

/** The pieces of one line from left to right. Letters inside a part keep their order: fonts know theirs. */
export function inVisualOrder<T extends { text: string }>(pieces: readonly T[], isRight: boolean): T[] {
  const parts = withLevels(pieces, isRight);
  const highest = Math.max(0, ...parts.map(({ level }) => level));
  for (let level = highest; level > 0; level--) reverseFrom(parts, level);
  return parts.map(({ text, of, level }) => ({ ...of, text: level % 2 === 1 ? mirrored(text) : text }));
}

function withLevels<T extends { text: string }>(pieces: readonly T[], isRight: boolean): Part<T>[] {
  const base = isRight ? 1 : 0;
  let before: Direction = isRight ? 'right' : 'left';
  const found = pieces.flatMap((piece) =>
    [...piece.text.matchAll(PARTS)].map(({ 0: text, groups = {} }) => {
      const isNumber = groups['number'] !== undefined;
      const own: Direction | undefined = groups['right'] ? 'right' : groups['left'] ? 'left' : undefined;
      before = own ?? before;
      // A number stands in the direction of the letter before it, and is itself written from the left.
      const side = isNumber ? before : own;
      return { text, of: piece, side, level: isNumber && (isRight || before === 'right') ? 2 : levelOf(own, base) };
    }),
  );
  return found.map((part, i) => {
    if (part.side) return part;
    const outside: Direction = isRight ? 'right' : 'left';
    const left = found.findLast(({ side }, at) => at < i && side !== undefined)?.side ?? outside;
    const right = found.find(({ side }, at) => at > i && side !== undefined)?.side ?? outside;
    return { ...part, level: left === right ? levelOf(left, base) : base };
  });
}

function levelOf(direction: Direction | undefined, base: number): number {
  if (direction === undefined) return base;
  if (direction === 'right') return 1;
  return base === 0 ? 0 : 2;
}

function reverseFrom<T>(parts: Part<T>[], level: number): void {
  for (let i = 0; i < parts.length; i++) {
    const start = i;
    while ((parts[i]?.level ?? -1) >= level) i++;
    parts.splice(start, i - start, ...parts.slice(start, i).toReversed());
  }
}

function mirrored(text: string): string {
  const at = text.length === 1 ? PAIRS.indexOf(text) : -1;
  return at === -1 ? text : (PAIRS[at % 2 === 0 ? at + 1 : at - 1] ?? text);
}
