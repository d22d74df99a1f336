import type { Difference, DifferenceDetail, FieldChange, TextChange } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { cutTo, oneLine } from './text.ts';
import { count } from './units.ts';

export interface DiffInput {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly DifferenceDetail[];
  /** Shows what changed inside each, too. */
  readonly text: boolean;
}

export function diffView({ from, to, changes, text }: DiffInput, look: Look): string {
  if (changes.length === 0) return `Nothing differs between snapshots ${from} and ${to}.`;
  const shown = text ? changes.map((change) => detailView(change, look)).join('\n\n') : listView(changes, look);
  const amount = (change: Difference['change']): number => changes.filter((row) => row.change === change).length;
  const sums = `${amount('added')} added, ${amount('changed')} changed, ${amount('removed')} removed`;
  return `${shown}\n\n${count(changes.length, 'difference')} from snapshot ${from} to ${to}: ${sums}`;
}

function listView(changes: readonly DifferenceDetail[], look: Look): string {
  return table(
    changes,
    [
      { title: 'change', value: (row) => row.change, paint: (text, row) => paintOf(row.change, look)(text) },
      { title: 'kind', value: (row) => row.kind },
      { title: 'what', value: (row) => row.label },
      { title: 'in', value: namesOf, optional: true },
      { title: 'key', value: (row) => row.key },
    ],
    look,
  );
}

/** Names of what differs, the text with its numbers of lines. */
function namesOf({ change, fields, text }: DifferenceDetail): string {
  if (change !== 'changed') return '';
  const lines = text === null ? [] : [`text +${text.added} -${text.removed}`];
  return [...fields.map(({ field }) => field), ...lines].join(', ');
}

function paintOf(change: Difference['change'], { style }: Look): (text: string) => string {
  return { added: style.good, changed: style.warn, removed: style.bad }[change];
}

function detailView(found: DifferenceDetail, look: Look): string {
  const { change, kind, label, key, fields, text } = found;
  const head = `${paintOf(change, look)(change)} ${kind} ${look.style.bold(oneLine(label))} ${look.style.dim(oneLine(key))}`;
  return [head, ...fields.map((field) => fieldView(field, look)), ...(text === null ? [] : textView(text, look))].join(
    '\n',
  );
}

const LONGEST_VALUE = 200;

function fieldView(change: FieldChange, { style }: Look): string {
  const value = (side: 'before' | 'after'): string =>
    side in change ? cutTo(oneLine(JSON.stringify(change[side])), LONGEST_VALUE) : 'nothing';
  return `  ${change.field}: ${style.bad(value('before'))} -> ${style.good(value('after'))}`;
}

function textView({ lines, hidden }: TextChange, { style }: Look): string[] {
  const paint = (line: string): string => {
    const shown = `  ${oneLine(line)}`;
    if (line.startsWith('@@')) return style.dim(shown);
    if (line.startsWith('+')) return style.good(shown);
    return line.startsWith('-') ? style.bad(shown) : shown;
  };
  return [...lines.map(paint), ...(hidden === 0 ? [] : [style.dim(`  … ${count(hidden, 'further line')}`)])];
}
