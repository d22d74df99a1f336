// The operations that the contract declares for a kind, done to what stands on the target for an object of the snapshot.
import { kindOf, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { newParams } from '../compare/find-restored.ts';
import type { ApplyContext, StepOutcome } from '../types.ts';
import { setEachAlone } from './each-alone.ts';
import { pathBy, readLive } from './live-object.ts';

export interface Target extends Resource {
  /** Where it is not noted yet, or is that of another one of the kind beside it. */
  readonly newId?: string | undefined;
}

/** Sets fields in one write. */
export function update(context: ApplyContext, target: Target, body: object): Promise<unknown> {
  return write(context, target, { by: 'update', body });
}

/** Sets what it can of the fields and names the others. */
export function updateEach(context: ApplyContext, target: Target, fields: object): Promise<StepOutcome> {
  return setEachAlone(
    fields,
    (some) => update(context, target, some),
    () => readLive(context, target),
  );
}

/** Moves it among its siblings, or into something else. */
export function move(context: ApplyContext, target: Target, body: object): Promise<unknown> {
  return write(context, target, { by: 'move', body });
}

interface Write {
  readonly by: 'update' | 'move';
  readonly body: object;
}

function write({ client, ids }: ApplyContext, target: Target, { by, body }: Write): Promise<unknown> {
  const operation = kindOf(target.kind)[by];
  if (operation === undefined) throw new Error(`the contract has no operation to ${by} a ${target.kind}`);
  return client.callRaw(operation, { path: pathBy(target, operation, newParams(ids, target, target.newId)), body });
}

/** A neighbour of the kind, as operations that move take it. */
export function neighbour(kind: KindName, id: string): object {
  return { type: kind, [kind.replaceAll(/-\w/g, ([, letter = '']) => letter.toUpperCase())]: id };
}
