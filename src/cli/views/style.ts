import { styleText } from 'node:util';
import type { Environment } from '../../base/index.ts';

type Paint = (text: string) => string;

/** Emphasis on a terminal, plain text elsewhere. */
export interface Style {
  bold: Paint;
  dim: Paint;
  good: Paint;
  bad: Paint;
  warn: Paint;
}

export function createStyle(coloured: boolean): Style {
  const paint =
    (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow'): Paint =>
    (text) =>
      coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    warn: paint('yellow'),
  };
}

/** Colours only where a person looks, and never with NO_COLOR. */
export function isColoured(terminal: boolean, environment: Environment): boolean {
  return terminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** The style of a snapshot's state. */
export function paintState(state: string, style: Style): string {
  if (state === 'complete') return style.good(state);
  return state === 'abandoned' || state === 'open' ? style.dim(state) : style.warn(state);
}
