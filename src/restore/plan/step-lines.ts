// A step of a plan as people read it.
import { isKindName, type KindName } from '../../contract/index.ts';
import { ledgerOf } from '../ledger.ts';
import type { Action, Mend, PageMend, PlanStep } from '../types.ts';

export const SIGNS: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  delete: '-',
  noOp: '=',
  unsupported: '!',
};

/** One line, with what of the object does not come back although somebody had set it; below it what is set back. */
export function stepLines(step: PlanStep): string[] {
  const note = step.note === '' ? '' : `  (${step.note})`;
  const lost = step.action === 'create' ? step.lost.filter((field) => isMissed(step.kind, field)) : [];
  const misses = lost.length === 0 ? '' : `  [without ${lost.join(', ')}]`;
  return [
    `${SIGNS[step.action]} ${step.kind} ${step.title}${note}${misses}`,
    // Which organization is told by name.
    ...(step.part === 'transfer' ? [] : fieldLines(step.mend ?? {}, '    ')),
    ...pageLines(step),
  ];
}

function fieldLines({ fields = [] }: Partial<Pick<Mend, 'fields'>>, indent: string): string[] {
  return fields.map(({ field, named, ...values }) => {
    const { from, to } = named ?? values;
    return `${indent}${field}: ${shown(from)} -> ${shown(to)}`;
  });
}

function pageLines({ pages }: PlanStep): string[] {
  if (pages === undefined) return [];
  const lines =
    (sign: string) =>
    ({ title, why, fields = [] }: PageMend) => [
      `    ${sign} ${title}  (${why.join(', ')})`,
      ...fieldLines({ fields }, '        '),
    ];
  return [
    ...pages.missing.flatMap(lines(`${SIGNS.create} page`)),
    ...pages.files.flatMap((file) => lines(`${file.why.includes('gone') ? SIGNS.create : SIGNS.update} file`)(file)),
    ...pages.changed.flatMap(lines(`${SIGNS.update} page`)),
    ...(pages.links ?? []).flatMap(lines(`${SIGNS.update} page`)),
    ...pages.added.flatMap(lines(`${SIGNS.delete} page`)),
  ];
}

const SHOWN_LENGTH = 60;

function shown(value: unknown): string {
  if (value === null || value === '') return 'none';
  const text = JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** Fields that the platform sets by itself are not missed: a new object has its own. */
export function isMissed(kind: KindName, field: string): boolean {
  const [first = '', rest] = field.split('.');
  return !(rest !== undefined && isKindName(first) ? ledgerOf(first, rest) : ledgerOf(kind, field)).given;
}
