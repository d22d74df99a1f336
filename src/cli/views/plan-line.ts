// Lines that both the view of a plan and that of a restore have.
import type { Look } from '../screen.ts';
import { cutTo, oneLine } from './text.ts';

/** A command works as it stands there, with what it needs to find the target. */
export function withTarget(detail: string, flags: string): string {
  return detail.replaceAll(
    /`(docmirror restore (?:plan|resume|undo) [^`]+)`/gu,
    (_, command: string) => `\`${command}${flags}\``,
  );
}

/** Why something cannot come back, and what to do about it, is read to its end. */
export function planLine(line: string, flags: string, look: Look): string {
  const text = oneLine(withTarget(line, flags));
  return paintStep(text.startsWith('!') ? text : cutTo(text, look.width), look);
}

function paintStep(line: string, { style }: Look): string {
  if (line.startsWith('+')) return style.good(line);
  if (line.startsWith('-') || line.startsWith('!')) return style.warn(line);
  return line;
}

/** Of steps that have no operation: a plan says so of each. */
export function leftOut(steps: number, isUndo: boolean): string {
  return `${steps} that ${isUndo ? (steps === 1 ? 'is not taken back' : 'are not taken back') : 'cannot come back'}`;
}
