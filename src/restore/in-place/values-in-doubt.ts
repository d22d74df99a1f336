// Values that a custom field, as it stands, may not take: nobody can choose them any more, or it was made again as one of another type.
import { count, groupBy } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { writesValues } from '../special/retired-options.ts';
import type { PlanStep, PreflightCheck } from '../types.ts';

interface Sides {
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
  readonly organization: string;
  /** It takes a restore back: no other scope can be asked for. */
  readonly isUndo: boolean;
}

interface Doubt {
  readonly field: string;
  /** The value as people know it; null where the field is of another type. */
  readonly option: string | null;
  readonly space: string;
}

/**
 * One line for each such field, with what to do before the plan is applied. They are written all the same, beside the others: only the
 * platform's answer tells whether it takes them.
 */
export function valuesInDoubt(steps: readonly PlanStep[], sides: Sides): PreflightCheck[] {
  const settings = steps
    .filter(writesValues)
    .flatMap((step) => [...valuesOf(step, sides.reader)].map((value) => ({ step, value })));
  const doubts = [...groupBy(settings, ({ value: [field] }) => field)].map(([field, all]) => {
    const now = fieldAfter(steps, sides, field);
    return [field, now === undefined ? [] : all.flatMap((one) => doubtsOf(now, one))] as const;
  });
  return doubts
    .filter(([, all]) => all.length > 0)
    .map(([field, all]) => ({ check: `custom field ${field}`, state: 'warn', detail: detailOf(sides, all) }));
}

/** What a step sets, by the names of the fields: some of what stands, or all of a space that is made anew. */
function* valuesOf({ key, mend }: PlanStep, reader: SnapshotReader): Iterable<[string, unknown]> {
  if (mend !== undefined) for (const { field, to } of mend.fields) yield [field, to];
  else for (const { id, body } of reader.resources('custom-field-value', key)) yield [id, body['value'] ?? null];
}

interface Setting {
  readonly step: PlanStep;
  readonly value: readonly [string, unknown];
}

interface FieldAfter {
  readonly isOfType: boolean;
  /** Those that the plan itself gives back count. */
  readonly options: unknown;
}

/** A field as it stands when the plan is done; undefined where none stands now. */
function fieldAfter(steps: readonly PlanStep[], sides: Sides, field: string): FieldAfter | undefined {
  const [was, is] = [fieldOf(sides.reader, sides, field), fieldOf(sides.live, sides, field)];
  if (is === undefined) return undefined;
  const isOfType = was === undefined || was.body['type'] === is.body['type'];
  return { isOfType, options: optionsAfter(steps, is) };
}

function doubtsOf({ isOfType, options }: FieldAfter, { step, value: [field, value] }: Setting): Doubt[] {
  if (value === null) return [];
  const about = { field, space: step.title };
  if (!isOfType) return [{ ...about, option: null }];
  return notAmong(options, value).map((one) => ({ ...about, option: String(one) }));
}

/** Of a value, what is not among the options of its field; nothing where that has none. */
function notAmong(options: unknown, value: unknown): unknown[] {
  const chosen: unknown[] = Array.isArray(value) ? value : [value];
  return Array.isArray(options) ? chosen.filter((one) => !options.includes(one)) : [];
}

function fieldOf(side: SnapshotReader, { organization }: Sides, field: string): Resource | undefined {
  return side.one('custom-field', `${organization}/${field}`);
}

function optionsAfter(steps: readonly PlanStep[], { key, body }: Resource): unknown {
  const set = settingOptions(steps, key)?.mend?.fields.find(({ field }) => field === 'options');
  return set === undefined ? body['options'] : set.to;
}

/** The step that gives a field the options back that a value needs; undefined where it needs none. */
export function optionsFirst(
  steps: readonly PlanStep[],
  field: Resource | undefined,
  value: unknown,
): number | undefined {
  const isChosen = field === undefined || notAmong(field.body['options'], value).length === 0;
  return isChosen ? undefined : settingOptions(steps, field.key)?.step;
}

function settingOptions(steps: readonly PlanStep[], key: string): PlanStep | undefined {
  return steps.find(
    ({ kind, key: own, mend }) =>
      kind === 'custom-field' && own === key && mend?.fields.some(({ field }) => field === 'options') === true,
  );
}

function detailOf(sides: Sides, doubts: readonly Doubt[]): string {
  const [first] = doubts;
  if (first === undefined) return '';
  const spaces = [...new Set(doubts.map(({ space }) => space))];
  const where = `${spaces[0] ?? ''}${spaces.length > 1 ? ` and ${count(spaces.length - 1, 'more space')}` : ''}`;
  const tried = `the platform may refuse it as the value of ${where}; the others are set all the same`;
  const [was, is] = [fieldOf(sides.reader, sides, first.field), fieldOf(sides.live, sides, first.field)];
  if (first.option === null) {
    const [then, now] = [was, is].map((one) => String(one?.body['type']));
    return `made again as one of type ${now ?? ''}, and was of type ${then ?? ''}: ${tried}. To have the field of then, delete this one and plan again`;
  }
  const names = [...new Set(doubts.map(({ option }) => JSON.stringify(option)))].join(', ');
  return `${names} is no option any more: ${tried}. ${whatToDo(sides, was?.body['options'], doubts)}`;
}

function whatToDo({ organization, isUndo }: Sides, options: unknown, doubts: readonly Doubt[]): string {
  const isAmongThem = Array.isArray(options) && doubts.every(({ option }) => options.includes(option));
  const byHand = 'give the field that option by hand, and plan again';
  return isAmongThem && !isUndo
    ? `A plan in place with \`--scope organization:${organization}\` gives the field its options back, too; or ${byHand}`
    : `To have it back, ${byHand}`;
}
