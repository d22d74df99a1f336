// A plan as an artefact: written whole with its own hash, refused when it is not what was written.
import { readFile, stat } from 'node:fs/promises';
import { AppError, canonicalJson, codeOf, readableJson, sha256, writeFileAtomic } from '../../base/index.ts';
import type { Action, Plan, PlanSummary } from '../types.ts';
import { isPlan } from './plan-shape.ts';

/** Writes the plan; the file can be read by people and is checked when it is used. */
export async function writePlan(plan: Plan, file: string): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify({ hash: planHash(plan), plan }, null, 2)}\n`);
}

/** By which a plan that was edited is refused, and one that was applied is known again. */
export function planHash(plan: Plan): string {
  return hashOf(plan);
}

function hashOf(plan: unknown): string {
  return sha256(canonicalJson(plan));
}

/** Reads a plan back. Throws DM_PLAN_DAMAGED when it is not exactly what was written, DM_USAGE when there is none. */
export async function readPlan(file: string): Promise<Plan> {
  let text: string;
  try {
    await demandFile(file);
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
  const parsed = readableJson(text);
  const plan = parsed?.['plan'];
  if (parsed === undefined) throw damaged(file, 'it is no JSON of a plan, or not all of it');
  if (plan === undefined || parsed['hash'] !== hashOf(plan)) throw damaged(file, 'its hash does not fit');
  if (isPlan(plan)) return plan;
  throw damaged(file, 'its hash fits, but not its form: most likely another version of Docmirror wrote it');
}

/** A pipe that nobody writes into would be waited for without end, and a device may have none. */
async function demandFile(file: string): Promise<void> {
  const found = await stat(file);
  if (!found.isFile() && !found.isDirectory())
    throw new Error('it is a pipe or a device, which a resume could not read again');
}

function unreadable(file: string, cause: unknown): AppError {
  const isMissing = codeOf(cause) === 'ENOENT';
  const why = isMissing ? 'there is no such file' : (cause as Error).message;
  return new AppError('DM_USAGE', `The plan ${file} cannot be read: ${why}`, {
    hint: `${isMissing ? 'Correct the path' : 'Name the file of a plan, and give this user permission to read it'}, or make one with \`docmirror restore plan --out FILE\`. Nothing was written.`,
    cause,
  });
}

function damaged(file: string, why: string): AppError {
  return new AppError('DM_PLAN_DAMAGED', `The plan ${file} is not what was written: ${why}`, {
    hint: 'Do not edit plans. Make a new one with `docmirror restore plan`. Nothing was written.',
  });
}

// What a write or read costs on a platform near by; the rate limit decides on others.
const MS_PER_REQUEST = 25;
// The import that tells, and whether the place itself is there.
const REFUSED_IMPORT = 2;
// Whether an import leaves what stands: looked for, begun, looked at, imported into, looked at, archived.
const TRIED_IMPORT = 7;
// The same where nothing stands: imported once more.
const TRIED_ANEW = 9;

/** Counts by action, and what applying is expected to cost. */
export function planSummary(plan: Plan): PlanSummary {
  const actions: Record<Action, number> = { create: 0, update: 0, delete: 0, noOp: 0, unsupported: 0 };
  let requests = 0;
  let byEdits = 0;
  for (const step of plan.steps) {
    actions[step.action] += 1;
    requests += step.requests;
    byEdits += step.byEdits ?? step.requests;
  }
  const isImporting = plan.steps.some((step) => step.byEdits !== undefined);
  const requestsWithoutImport = byEdits + (isImporting ? REFUSED_IMPORT : 0);
  requests += trialRequests(plan);
  return { snapshot: plan.snapshot, actions, requests, requestsWithoutImport, estimatedMs: requests * MS_PER_REQUEST };
}

/** Something is imported where pages stand by then, of spaces that are made. */
function trialRequests({ steps, review }: Plan): number {
  const contents = steps.filter(({ part, mend }) => part === 'content' && mend === undefined);
  const spaces = contents.filter(({ kind }) => kind === 'revision');
  const [first] = spaces;
  if (first === undefined || review) return 0;
  if (first.imports !== undefined) return TRIED_ANEW;
  const isOver =
    contents.length > spaces.length ||
    spaces.some(({ imports }) => imports !== undefined) ||
    steps.some(({ part }) => part === 'links');
  return isOver ? TRIED_IMPORT : 0;
}
