// Collections and spaces.
import type { Collection, Space } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import type { ApplyContext, MakingWork, StepWork } from '../types.ts';
import { setEachAlone } from './each-alone.ts';
import { original } from './original.ts';

/** The restored collection that holds it; undefined at the top. */
export function newParent(context: ApplyContext, resource: Resource): string | undefined {
  const parent = textAt(resource.body, 'parent');
  return parent === undefined ? undefined : context.ids.get('collection', parent);
}

export const createCollection: MakingWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const parent = newParent(context, resource);
    const body = { title: textAt(resource.body, 'title') ?? '', ...(parent === undefined ? {} : { parent }) };
    const path = { organizationId: context.plan.target.organization };
    const made = await context.client.call('createCollection', { path, body }, { signal: context.signal });
    return { newId: made.id };
  },
  find: async (context, step) => {
    const resource = original(context, step);
    const parent = newParent(context, resource);
    const path = { organizationId: context.plan.target.organization };
    for await (const page of context.client.paginate('listCollections', { path }, { signal: context.signal })) {
      const found = page.items.find(
        (one: Collection) =>
          one.title === resource.body['title'] &&
          (one.parent ?? undefined) === parent &&
          !context.ids.isTaken('collection', one.id),
      );
      if (found) return { newId: found.id };
    }
    return null;
  },
};

export const updateCollection: StepWork = {
  write: async (context, step) => {
    const { body: held } = original(context, step);
    const description = textAt(held, 'description');
    const level = held['defaultLevel'] as Collection['defaultLevel'] | undefined;
    const changes = {
      ...(description === undefined ? {} : { description }),
      ...(level === undefined ? {} : { defaultLevel: level }),
    };
    const path = { collectionId: context.ids.need('collection', step.key) };
    return setEachAlone(changes, (body) =>
      context.client.call('updateCollection', { path, body }, { signal: context.signal }),
    );
  },
  // Setting the same values again does no harm.
  find: null,
};

export const updateSpace: StepWork = {
  write: async (context, step) => {
    const { body: held } = original(context, step);
    const editMode = held['editMode'] as Space['editMode'];
    const level = held['defaultLevel'] as Space['defaultLevel'] | undefined;
    const changes = {
      ...(editMode === undefined ? {} : { editMode }),
      ...(level === undefined ? {} : { defaultLevel: level }),
    };
    const path = { spaceId: context.ids.need('space', step.key) };
    return setEachAlone(changes, (body) =>
      context.client.call('updateSpace', { path, body }, { signal: context.signal }),
    );
  },
  find: null,
};
