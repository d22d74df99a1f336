// Steps of a restore that failed, as people read them: what failed alike is one line, since one cause may fail hundreds.
import type { StepFailure } from '../../restore/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { cutTo, oneLine } from './text.ts';
import { count, few } from './units.ts';

/** Steps of one kind that failed in the same way; never empty. */
interface Alike {
  readonly first: StepFailure;
  readonly all: StepFailure[];
}

const MOST_NAMED = 3;
const LONGEST_NAME = 30;

/** What failed itself first: what only waits for it follows from it. `--json` has each by itself. */
export function failureLines(failures: readonly StepFailure[], look: Look): string[] {
  if (failures.length === 0) return [];
  const groups = alike([...failures.filter((one) => !one.skipped), ...failures.filter((one) => one.skipped)]);
  const columns = [
    { title: 'kind', value: kindOf },
    { title: 'which', value: namesOf },
    { title: 'problem', value: problemOf },
  ];
  return ['', table(groups, columns, look), ...hintLines(groups, look)];
}

function alike(failures: readonly StepFailure[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const one of failures) {
    const name = [one.kind, one.skipped, sameWords(one.error), one.hint].join('\n');
    const group = groups.get(name);
    if (group) group.all.push(one);
    else groups.set(name, { first: one, all: [one] });
  }
  return [...groups.values()];
}

/** Without what is of the one step: the address of its request, and which other step it waits for. */
function sameWords(error: string): string {
  return error
    .replace(/(^|: )[A-Z]+ \/\S+ \((\w+)\)/, '$1$2')
    .replace(/^.+ \(step \d+\), (?=which|of which)/s, 'a step, ');
}

/** Where all of them wait for the same step, that is named. */
function problemOf({ first, all }: Alike): string {
  return all.every(({ error }) => error === first.error) ? first.error : sameWords(first.error);
}

function kindOf({ first, all }: Alike): string {
  return all.length === 1 ? first.kind : count(all.length, first.kind);
}

/** One is looked for by its key; of many, titles tell more. */
function namesOf({ first, all }: Alike): string {
  if (all.length === 1) return first.key;
  const titles = all.map(({ title }) => cutTo(title, LONGEST_NAME));
  return few(titles, MOST_NAMED);
}

/** Whole, since a table cuts them; each once, as many steps may fail of one reason. */
function hintLines(groups: readonly Alike[], look: Look): string[] {
  const about = new Map<string, Alike[]>();
  for (const group of groups) {
    const { hint } = group.first;
    if (hint !== null) about.set(hint, [...(about.get(hint) ?? []), group]);
  }
  return [...about].map(([hint, all]) => {
    const named = all.map((group) =>
      group.all.length === 1 ? `${group.first.kind} ${group.first.key}` : kindOf(group),
    );
    return oneLine(`what to do about ${few(named, MOST_NAMED)}: ${look.named(hint)}`);
  });
}
