import { toldApart, valuesApart } from '../../base/index.ts';
import { kindNames, type KindName } from '../../contract/index.ts';
import type { Difference, DifferenceDetail, FieldChange, TextChange } from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { oneLine } from './text.ts';
import { count, thousands } from './units.ts';

export interface DiffInput {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly DifferenceDetail[];
  /** Shows what changed inside each, too. */
  readonly text: boolean;
  /** What was looked at; everything without. What came or went with a space that is named has a line of its own, too. */
  readonly limit?: DiffLimit;
}

export interface DiffLimit {
  readonly kind: KindName | null;
  readonly space: string | null;
}

const NO_LIMIT: DiffLimit = { kind: null, space: null };

/** A difference, and how many of each kind came or went with it. */
type Row = DifferenceDetail & { readonly within: ReadonlyMap<KindName, number> };

export function diffView({ from, to, changes, text, limit = NO_LIMIT }: DiffInput, look: Look): string {
  const within = limitWords(limit);
  if (changes.length === 0) return `Nothing${within} differs between snapshots ${from} and ${to}.`;
  const rows = rowsOf(changes, limit.space !== null);
  const shown = text ? rows.map((row) => detailView(row, look)).join('\n\n') : listView(rows, look);
  const amount = (change: Difference['change']): string =>
    thousands(changes.filter((row) => row.change === change).length);
  const sums = `${amount('added')} added, ${amount('changed')} changed, ${amount('removed')} removed`;
  const folded = rows.length === changes.length ? '' : '\nWhat came or went with a space: --space ID lists it';
  return `${shown}\n\n${count(changes.length, 'difference')}${within} from snapshot ${from} to ${to}: ${sums}${folded}`;
}

/** What the answer is limited to, so that nobody takes it for all that differs. */
function limitWords({ kind, space }: DiffLimit): string {
  const words = [
    ...(kind === null ? [] : [`of kind ${kind}`]),
    ...(space === null ? [] : [`in space ${oneLine(space)}`]),
  ];
  return words.map((word) => ` ${word}`).join('');
}

/** Parents before children; a space that came or went takes what is in it with it, so that it is not lost among its links. */
function rowsOf(changes: readonly DifferenceDetail[], whole: boolean): Row[] {
  const rank = new Map(kindNames.map((kind, index) => [kind, index]));
  const heads = new Map<string, Map<KindName, number>>();
  for (const { kind, change, space } of changes)
    if (kind === 'space' && change !== 'changed' && space !== null && !whole)
      heads.set(`${change} ${space}`, new Map());
  const rows: Row[] = [];
  for (const change of changes) {
    const within = heads.get(`${change.change} ${change.space ?? ''}`);
    if (within && change.kind !== 'space') within.set(change.kind, (within.get(change.kind) ?? 0) + 1);
    else rows.push({ ...change, within: within ?? new Map() });
  }
  return rows.sort((a, b) => (rank.get(a.kind) ?? 0) - (rank.get(b.kind) ?? 0));
}

function listView(changes: readonly Row[], look: Look): string {
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

/** Names of what differs, the text with its numbers of lines; how much came or went with it. */
function namesOf({ change, fields, text, within }: Row): string {
  if (change !== 'changed') return withinWords(within);
  const lines = text === null ? [] : [`text +${text.added} -${text.removed}`];
  return [...fields.map(({ field }) => field), ...lines].join(', ');
}

const KINDS_NAMED = 4;

function withinWords(within: Row['within']): string {
  const all = [...within].sort(([, a], [, b]) => b - a);
  const named = all.slice(0, KINDS_NAMED).map(([kind, amount]) => count(amount, kind));
  const rest = all.slice(KINDS_NAMED).reduce((sum, [, amount]) => sum + amount, 0);
  return all.length === 0 ? '' : `with ${[...named, ...(rest === 0 ? [] : [`${thousands(rest)} more`])].join(', ')}`;
}

function paintOf(change: Difference['change'], { style }: Look): (text: string) => string {
  return { added: style.good, changed: style.warn, removed: style.bad }[change];
}

function detailView(found: Row, look: Look): string {
  const { change, kind, label, key, fields, text, within } = found;
  const head = `${paintOf(change, look)(change)} ${kind} ${look.style.bold(oneLine(label))} ${look.style.dim(oneLine(key))}`;
  const inside = within.size === 0 ? [] : [`  ${withinWords(within)}`];
  return [
    head,
    ...inside,
    ...fields.map((field) => fieldView(field, look)),
    ...(text === null ? [] : textView(text, look)),
  ].join('\n');
}

const LONGEST_VALUE = 200;

function fieldView(change: FieldChange, { style }: Look): string {
  const { field, before, after } = change;
  const word = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
  const [was, is] = valuesApart(word(before), word(after), LONGEST_VALUE);
  return `  ${field}: ${style.bad(was)} -> ${style.good(is)}`;
}

// A picture within a text can be one line of megabytes.
const LONGEST_LINE = 1000;

function textView({ lines, hidden }: TextChange, { style }: Look): string[] {
  const paint = (line: string): string => {
    const shown = `  ${line}`;
    if (line.startsWith('@@')) return style.dim(shown);
    if (line.startsWith('+')) return style.good(shown);
    return line.startsWith('-') ? style.bad(shown) : shown;
  };
  const shown = toldApart(lines, LONGEST_LINE);
  return [...shown.map(paint), ...(hidden === 0 ? [] : [style.dim(`  … ${count(hidden, 'further line')}`)])];
}
