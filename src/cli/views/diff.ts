import { toldApart, valuesApart } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import {
  withRequests,
  type DifferenceDetail,
  type FieldChange,
  type TextChange,
  type WholeSpaces,
} from '../../mirror/index.ts';
import type { Look } from '../screen.ts';
import { tablePieces } from './table.ts';
import { oneLine } from './text.ts';
import { count, thousands } from './units.ts';

export interface DiffInput {
  readonly from: number;
  readonly to: number;
  /** Parents before children. */
  readonly changes: Iterable<DifferenceDetail>;
  /** Shows what changed inside each, too. */
  readonly text: boolean;
  /** What was looked at; everything without. What came or went with a space that is named has a line of its own, too. */
  readonly limit?: DiffLimit;
  /** Spaces that came or went: what is in them is not listed beside them, so that they are not lost among their links. */
  readonly whole?: WholeSpaces | undefined;
  /** The name of a space by its id, where several may have pages of the same name; without, none is told. */
  readonly spaceName?: ((id: string) => string) | undefined;
}

export interface DiffLimit {
  readonly kind: KindName | null;
  readonly space: string | null;
}

const NO_LIMIT: DiffLimit = { kind: null, space: null };
const NONE_WHOLE: WholeSpaces = new Map();

/** True for what came or went with a space: of that only the number is told. */
export function isWithin(
  whole: WholeSpaces,
  { kind, change, space }: Pick<DifferenceDetail, 'kind' | 'change' | 'space'>,
): boolean {
  return kind !== 'space' && whole.has(`${change} ${space ?? ''}`);
}

/** A difference, and how many of each kind came or went with it. */
type Row = DifferenceDetail & {
  readonly within: ReadonlyMap<KindName, number>;
  /** The name of the space that it stands in; null for what stands in none, and for a space itself. */
  readonly where: string | null;
};

/** The document of --json: what it is about, and every difference with all that is in it. */
export function* diffJson(about: object, changes: Iterable<DifferenceDetail>): Generator<string> {
  yield JSON.stringify({ ...about, changes: [] }).slice(0, -']}'.length);
  let before = '';
  for (const change of changes) {
    yield `${before}${JSON.stringify(change)}`;
    before = ',';
  }
  yield ']}';
}

export function* diffView(input: DiffInput, look: Look): Generator<string> {
  const { from, to, changes, text, limit = NO_LIMIT, whole = NONE_WHOLE, spaceName } = input;
  const seen = { added: 0, changed: 0, removed: 0, folded: 0, requests: 0, ofRequests: 0 };
  const goesWithRequest = withRequests();
  const all = (): number => seen.added + seen.changed + seen.removed;
  const rows = function* (): Generator<Row> {
    for (const change of changes) {
      seen[change.change] += 1;
      if (change.kind === 'change-request') seen.requests += 1;
      if (isWithin(whole, change)) seen.folded += 1;
      else if (goesWithRequest(change)) seen.ofRequests += 1;
      else
        yield {
          ...change,
          within: whole.get(`${change.change} ${change.space ?? ''}`) ?? new Map(),
          where: change.kind === 'space' || change.space === null ? null : (spaceName?.(change.space) ?? null),
        };
    }
  };
  const within = limitWords(limit);
  // Titles come even where no row does.
  for (const piece of text ? detailPieces(rows(), look) : listPieces(rows(), look)) if (all() > 0) yield piece;
  if (all() === 0) {
    yield `Nothing${within} differs between snapshots ${from} and ${to}.`;
    return;
  }
  const sums = `${thousands(seen.added)} added, ${thousands(seen.changed)} changed, ${thousands(seen.removed)} removed`;
  const folded = [
    ...(seen.folded === 0 ? [] : ['What came or went with a space: --space ID lists it']),
    ...(seen.ofRequests === 0 ? [] : [contentWords(seen)]),
  ];
  yield [`\n\n${count(all(), 'difference')}${within} from snapshot ${from} to ${to}: ${sums}`, ...folded].join('\n');
}

function contentWords({ requests, ofRequests }: { readonly requests: number; readonly ofRequests: number }): string {
  const [are, above] = [ofRequests === 1 ? 'is' : 'are', requests === 1 ? 'change request' : 'change requests'];
  return `${thousands(ofRequests)} of them ${are} content of the ${above} above: --json lists it`;
}

/** What the answer is limited to, so that nobody takes it for all that differs. */
function limitWords({ kind, space }: DiffLimit): string {
  const words = [
    ...(kind === null ? [] : [`of kind ${kind}`]),
    ...(space === null ? [] : [`in space ${oneLine(space)}`]),
  ];
  return words.map((word) => ` ${word}`).join('');
}

function listPieces(changes: Iterable<Row>, look: Look): Iterable<string> {
  return tablePieces(
    changes,
    [
      { title: 'change', value: (row) => row.change, paint: (text, row) => paintOf(row.change, look)(text) },
      { title: 'kind', value: (row) => row.kind },
      { title: 'what', value: (row) => row.label },
      { title: 'space', value: (row) => row.where, optional: true },
      { title: 'in', value: namesOf, optional: true },
      { title: 'key', value: (row) => row.key },
    ],
    look,
  );
}

/** Names of what differs, the text with its numbers of lines; how much came or went with it. */
function namesOf(row: Row): string {
  const { change, fields, text, within } = row;
  if (change !== 'changed') return newStatus(row) ?? withinWords(within);
  const lines = text === null ? [] : [`text +${text.added} -${text.removed}`];
  const names = fields.map(({ field }) => (field === 'status' ? (newStatus(row) ?? field) : field));
  return [...names, ...lines].join(', ');
}

/** Of a change request that came, went or has another status now; null for all else. */
function newStatus({ change, fields, status }: Row): string | null {
  const isNews = change !== 'changed' || fields.some(({ field }) => field === 'status');
  return (isNews ? status : undefined) ?? null;
}

const KINDS_NAMED = 4;

function withinWords(within: Row['within']): string {
  const all = [...within].sort(([, a], [, b]) => b - a);
  const named = all.slice(0, KINDS_NAMED).map(([kind, amount]) => count(amount, kind));
  const rest = all.slice(KINDS_NAMED).reduce((sum, [, amount]) => sum + amount, 0);
  return all.length === 0 ? '' : `with ${[...named, ...(rest === 0 ? [] : [`${thousands(rest)} more`])].join(', ')}`;
}

function paintOf(change: DifferenceDetail['change'], { style }: Look): (text: string) => string {
  return { added: style.good, changed: style.warn, removed: style.bad }[change];
}

function* detailPieces(changes: Iterable<Row>, look: Look): Generator<string> {
  let before = '';
  for (const change of changes) {
    yield `${before}${detailView(change, look)}`;
    before = '\n\n';
  }
}

function detailView(found: Row, look: Look): string {
  const { change, kind, label, key, fields, text, where } = found;
  const named = `${look.style.bold(oneLine(label))}${where === null ? '' : ` in ${oneLine(where)}`}`;
  const head = `${paintOf(change, look)(change)} ${kind} ${named} ${look.style.dim(oneLine(key))}`;
  const words = change === 'changed' ? '' : namesOf(found);
  const inside = words === '' ? [] : [`  ${words}`];
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
