// Collections and spaces.
import type { BodyOf } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { holderElsewhere } from '../in-place/transfers.ts';
import { fieldsOut, textAt } from '../resource.ts';
import type { ApplyContext } from '../types.ts';
import { created, inOrganization } from './created.ts';
import { updateEach } from './operations.ts';
import { original, setting } from './original.ts';

/** The restored collection that holds it; undefined at the top, and in place for one that stands, and stays, in another organization. */
export function newParent({ ids, live, plan }: ApplyContext, resource: Resource): string | undefined {
  const original = textAt(resource.body, 'parent');
  const parent = original === undefined ? undefined : ids.get('collection', original);
  if (parent === undefined || live === null) return parent;
  return holderElsewhere({ list: plan, live }, resource, parent) === undefined ? parent : undefined;
}

export const createCollection = created({
  path: inOrganization,
  body: (context, collection) => {
    const parent = newParent(context, collection);
    return { title: textAt(collection.body, 'title') ?? '', ...(parent === undefined ? {} : { parent }) };
  },
  knownBy: ['title', 'parent'],
});

export const updateCollection = setting((context, step) => {
  const collection = original(context, step);
  const description = textAt(collection.body, 'description');
  const level = fieldsOut<BodyOf<'updateCollection'>>(collection.body, ['defaultLevel']);
  return updateEach(context, collection, { ...level, ...(description === undefined ? {} : { description }) });
});

export const updateSpace = setting((context, step) => {
  const space = original(context, step);
  return updateEach(context, space, fieldsOut<BodyOf<'updateSpace'>>(space.body, ['editMode', 'defaultLevel']));
});
