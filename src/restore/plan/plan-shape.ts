// What a file must hold to be a plan at all: its hash tells that it was not edited, and not who has made it.
import { isRecord } from '../../base/index.ts';
import { isKindName } from '../../contract/index.ts';
import type { Plan, PlanStep } from './plan-types.ts';

type Known = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === null || isText(value);
const isSwitch = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const listOf =
  (isOne: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isOne);
const has =
  (known: Known) =>
  (value: unknown): boolean =>
    isRecord(value) && Object.entries(known).every(([field, isRight]) => isRight(value[field]));

const ACTIONS: ReadonlySet<unknown> = new Set<PlanStep['action']>([
  'create',
  'update',
  'delete',
  'noOp',
  'unsupported',
]);

const STEP: { readonly [Field in keyof PlanStep]?: Known[string] } = {
  step: isCount,
  action: (value) => ACTIONS.has(value),
  part: isText,
  kind: (value) => typeof value === 'string' && isKindName(value),
  key: isText,
  title: isText,
  note: isText,
  needs: listOf(isCount),
  requests: isCount,
  adopts: isTextOrNone,
  bestEffort: listOf(isText),
  lost: listOf(isText),
};

const PLAN: { readonly [Field in keyof Plan]?: Known[string] } = {
  version: (value) => value === 3,
  mode: (value) => value === 'new' || value === 'in-place',
  live: (value) => value === null || has({ snapshot: isCount, manifest: isTextOrNone })(value),
  archive: isTextOrNone,
  undoes: isTextOrNone,
  nonce: isText,
  createdAt: isText,
  snapshot: isCount,
  manifest: isTextOrNone,
  origin: isText,
  organization: isText,
  target: has({ url: isText, organization: isText }),
  review: isSwitch,
  scope: isText,
  only: isRecord,
  closure: listOf(isRecord),
  people: isRecord,
  standIn: isTextOrNone,
  keepMentions: isSwitch,
  existing: isRecord,
  donor: isTextOrNone,
  preflight: listOf(isRecord),
  rights: listOf(isText),
  preconditions: listOf(isRecord),
  steps: listOf(has(STEP)),
};

/** True for what has all that every plan has. */
export function isPlan(value: unknown): value is Plan {
  return has(PLAN)(value);
}
