// Fences of code as they are met line by line, also those that begin behind a bullet.

export interface Fence {
  readonly mark: string;
  /** A line left of it stands outside of the list item that the fence began, and ends both; 0 where there is none. */
  readonly column: number;
}

const BULLETS = /^(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+/;
/** Between backticks on one line stands code of that line; behind tildes may stand anything. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;

/** A line, trimmed, without the bullets that it begins with. */
export function withoutBullets(line: string): string {
  return line.replace(BULLETS, '');
}

/** The fence that a line without its bullets opens. */
export function openedFence(line: string, column: number): Fence | undefined {
  const mark = FENCE.exec(line)?.[1];
  return mark === undefined ? undefined : { mark, column };
}

export function closesFence({ mark }: Fence, line: string): boolean {
  return line.startsWith(mark) && line === mark.charAt(0).repeat(line.length);
}
