// Setting back and taking away objects that stand.
import { AppError, isRecord } from '../../base/index.ts';
import { kindOf } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { noValue } from '../in-place/writable.ts';
import { leadingWithin, withinOf } from '../journal/id-map.ts';
import { turnedInPlace } from '../links/address-links.ts';
import { findItem } from '../listings.ts';
import { defuseMentions } from '../special/mentions.ts';
import { emojiIn, firstOf, isInBin, textAt } from '../resource.ts';
import { withLacks, withProblems } from '../with-problems.ts';
import { isGone, unlessThere } from '../answers.ts';
import type { ApplyContext, FieldMend, Plan, PlanStep } from '../types.ts';
import { newParent } from './containers.ts';
import { setEachAlone } from './each-alone.ts';
import { taken, writeValues, type FieldValues } from './field-values.ts';
import { heldNow } from './held-now.ts';
import { checkLive, checkPlace, gone, checkValues, targetPath } from './live-object.ts';
import { move, update } from './operations.ts';
import { nothing, original, setting } from './original.ts';
import { stateAside, writeFreely } from './sites/free-path.ts';
import { positionNow } from './sites/sibling-position.ts';
import { archiveRequest } from '../target/own-request.ts';
import { fieldsOf, undoneLinks } from './undone-links.ts';

/** The object as it stood when the plan was made; that of the snapshot when it did not stand. */
function objectOf(context: ApplyContext, step: PlanStep): Resource {
  return context.live?.one(step.kind, step.key) ?? original(context, step);
}

export const setFields = setting(async (context, step) => {
  const resource = objectOf(context, step);
  const texts = (step.mend?.fields ?? []).map(({ field, to }) => (field === 'body' ? markdownIn(to) : ''));
  await context.shown.readMissing(context, { own: firstOf(step.key), texts, isAnywhere: true });
  const now = withNewIds(context, step);
  const state = await stateAside(context, now, resource);
  if (state === 'mended') return nothing;
  if (state === 'gone') throw gone(step);
  const fields = Object.fromEntries((now.mend?.fields ?? []).flatMap((field) => sent(context.plan, step, field)));
  const send = (body: object, newId?: string): Promise<unknown> => update(context, { ...resource, newId }, body);
  let answer: unknown;
  const outcome = await setEachAlone(fields, async (body) => {
    answer = await writeFreely(context, resource, { step, body, send });
  });
  return withProblems(outcome, staying(step, answer));
});

/** Only who gave a reaction takes it away: the platform answers with those that are still there. */
function staying({ mend }: PlanStep, answer: unknown): string[] {
  const field = mend?.fields.find((one) => one.field === 'addedReactions');
  if (field === undefined || !isRecord(answer)) return [];
  const [was, is] = [listOf(field.to), emojiIn(answer)];
  const left = listOf(field.from).filter((one) => !was.includes(one) && is.includes(one));
  if (left.length === 0) return [];
  return [
    `${left.join(', ')} ${left.length === 1 ? 'stays' : 'stay'}: others reacted with it, and only they can take it away`,
  ];
}

/** With the ids of what was made anew, in texts too: an earlier try of the step has set these. */
function withNewIds({ ids, addresses, shown }: ApplyContext, step: PlanStep): PlanStep {
  const turning = { ...leadingWithin(ids, withinOf(step)), addresses, shown, isAnywhere: true };
  const valueOf = ({ field, to }: FieldMend): unknown => {
    if (field === 'defaultTeam' && typeof to === 'string') return ids.byId('team', to) ?? to;
    if (field !== 'body' || !isRecord(to)) return to;
    return { markdown: turnedInPlace(markdownIn(to), turning) };
  };
  const { mend } = step;
  if (mend === undefined) return step;
  return { ...step, mend: { ...mend, fields: mend.fields.map((one) => ({ ...one, to: valueOf(one) })) } };
}

function markdownIn(value: unknown): string {
  return isRecord(value) ? (textAt(value, 'markdown') ?? '') : '';
}

/** A field as the operation takes it: reactions are added and removed, texts call nobody, no value is an empty text. */
function sent(
  { keepMentions }: Pick<Plan, 'keepMentions'>,
  { kind }: PlanStep,
  { field, from, to }: FieldMend,
): [string, unknown][] {
  if (field === 'addedReactions') {
    const [was, is] = [listOf(to), listOf(from)];
    return [
      ['addedReactions', was.filter((one) => !is.includes(one))],
      ['removedReactions', is.filter((one) => !was.includes(one))],
    ];
  }
  if (field === 'body' && isRecord(to)) {
    const markdown = textAt(to, 'markdown') ?? '';
    return [[field, { markdown: keepMentions ? markdown : defuseMentions(markdown) }]];
  }
  return [[field, to ?? noValue(kind, field)]];
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

type Value = FieldValues[string]['value'];

/** Values are told by the names of their fields, which stay. One that the platform takes no more is left, and named. */
export const setValuesBack = setting(async (context, step) => {
  const unmade = new Set(fieldsOf(undoneLinks(context, step)));
  const set = (step.mend?.fields ?? []).filter(({ field, to }) => to !== null && !unmade.has(field));
  const made = Object.fromEntries(set.map(({ field }) => [`${step.key}/${field}`, field]));
  const outcome = { newId: null, map: { 'custom-field-value': made } };
  if ((await checkValues(context, step)) === 'mended') return outcome;
  // By entries, since a field may be named `__proto__`.
  const values = Object.fromEntries(set.map(({ field, to }) => [field, { value: to as Value }]));
  const { names, problems } = await writeValues(context, context.ids.need('space', step.key), values);
  return withLacks({ newId: null, map: { 'custom-field-value': taken(made, names) } }, problems);
});

/** To where it stood. What stands there already is not moved, so that a conflict is one: the platform's own word is the failure. */
export const putBack = setting(async (context, step) => {
  const resource = original(context, step);
  const wanted = newParent(context, resource);
  const state = await checkPlace(context, step, { resource, wanted });
  if (state === 'mended') return nothing;
  if (state === 'gone') throw gone(step);
  const position = await positionNow(context, resource, wanted);
  await move(context, resource, { parent: wanted ?? null, ...(position === undefined ? {} : { position }) });
  return nothing;
});

/** Behind the one that it stood behind. What stands there already is answered as a conflict. */
export const putInOrder = setting(async (context, step) => {
  const resource = original(context, step);
  const position = await positionNow(context, resource, newParent(context, resource));
  if (position !== undefined) await unlessThere(() => move(context, resource, { position }));
});

export const removeObject = setting(async (context, step) => {
  const resource = objectOf(context, step);
  const state = await stateAside(context, asGoing(step), resource);
  if (state !== 'ready') return nothing;
  if (step.kind === 'change-request') {
    const path = targetPath(context, resource, 'updateChangeRequest') as { spaceId: string; changeRequestId: string };
    await archiveRequest(context, path);
    return nothing;
  }
  const { remove } = kindOf(step.kind);
  if (remove === undefined) throw new Error(`no operation deletes ${step.kind}`);
  if (step.kind === 'collection') await demandEmpty(context, step);
  const held = await heldNow(context, resource);
  if (held !== null) throw stillHolds(step, held);
  try {
    await context.client.callRaw(remove, { path: targetPath(context, resource, remove) });
  } catch (error) {
    // It went meanwhile, or by an answer that was lost; where it still stands, the platform does not offer the operation.
    if (!isGone(error) || (await checkLive(context, asGoing(step), resource)) !== 'gone') throw error;
  }
  return nothing;
});

/** A change request that is archived is as far away as it goes: an earlier try has done that. */
function asGoing(step: PlanStep): PlanStep {
  if (step.kind !== 'change-request') return step;
  const { expects = null } = step.mend ?? {};
  return { ...step, mend: { expects, fields: [{ field: 'status', from: null, to: 'archived' }] } };
}

/** A collection takes everything in it along: it is taken away only once it is empty. */
async function demandEmpty(context: ApplyContext, step: PlanStep): Promise<void> {
  const inside = await findInside(context, context.ids.need('collection', step.key));
  if (inside === undefined) return;
  throw new AppError('DM_OBJECT_DRIFTED', `collection ${step.title} still holds ${inside}`, {
    hint: 'It is left as it is, since deleting it would delete that too. Move it out, then plan again.',
  });
}

function stillHolds({ kind, title }: PlanStep, held: string): AppError {
  return new AppError('DM_OBJECT_DRIFTED', `${kind} ${title} holds ${held}, which somebody has added since`, {
    hint: 'It is left as it is, since deleting it would delete that too. Make a new plan to see what it is now.',
  });
}

async function findInside({ client, plan }: ApplyContext, collectionId: string): Promise<string | undefined> {
  const space = await findItem(
    client.paginate('listCollectionSpaces', { path: { collectionId } }),
    (one) => !isInBin({ ...one }),
  );
  if (space) return `space ${space.title} (${space.id})`;
  const path = { organizationId: plan.target.organization };
  const nested = await findItem(client.paginate('listCollections', { path }), ({ parent }) => parent === collectionId);
  return nested && `collection ${nested.title} (${nested.id})`;
}
