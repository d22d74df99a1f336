// Collections and spaces.
import { AppError } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import type { Collection, Space } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../types.ts';

const nothing: StepOutcome = { newId: null };

function original(context: ApplyContext, step: PlanStep): Resource {
  const found = context.reader.one(step.kind, step.key);
  if (found) return found;
  throw new AppError('DM_ARCHIVE_DAMAGED', `${step.kind} ${step.key} is not in snapshot ${context.plan.snapshot}`, {
    hint: 'Run `docmirror check`; restore from another snapshot.',
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The restored collection that holds it; undefined at the top. */
function newParent(context: ApplyContext, resource: Resource): string | undefined {
  const parent = text(resource.body['parent']);
  return parent === undefined ? undefined : context.ids.get('collection', parent);
}

export const createCollection: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const parent = newParent(context, resource);
    const body = { title: text(resource.body['title']) ?? '', ...(parent === undefined ? {} : { parent }) };
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
          one.title === resource.body['title'] && one.parent === parent && !isTaken(context, 'collection', one.id),
      );
      if (found) return { newId: found.id };
    }
    return null;
  },
};

function isTaken(context: ApplyContext, kind: 'collection' | 'space', id: string): boolean {
  return context.ids.isResult(kind, id);
}

export const updateCollection: StepWork = {
  write: async (context, step) => {
    const { body } = original(context, step);
    const description = text(body['description']);
    const level = body['defaultLevel'] as Collection['defaultLevel'] | undefined;
    const changes = {
      ...(description === undefined ? {} : { description }),
      ...(level === undefined ? {} : { defaultLevel: level }),
    };
    const path = { collectionId: context.ids.need('collection', step.key) };
    await context.client.call('updateCollection', { path, body: changes }, { signal: context.signal });
    return nothing;
  },
  // Setting the same values again does no harm.
  find: () => Promise.resolve(null),
};

export const createSpace: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const parent = newParent(context, resource);
    const emoji = text(resource.body['emoji']);
    const body = {
      title: text(resource.body['title']) ?? '',
      editMode: 'live' as const,
      ...(emoji === undefined ? {} : { emoji }),
      ...(parent === undefined ? {} : { parent }),
    };
    const path = { organizationId: context.plan.target.organization };
    try {
      const made = await context.client.call('createSpace', { path, body }, { signal: context.signal });
      return { newId: made.id };
    } catch (error) {
      throw notOffered(error) ? noStrategy(error) : error;
    }
  },
  find: async (context, step) => {
    const resource = original(context, step);
    const parent = newParent(context, resource);
    for await (const space of targetSpaces(context, parent)) {
      if (space.title === resource.body['title'] && space.parent === parent && !isTaken(context, 'space', space.id))
        return { newId: space.id };
    }
    return null;
  },
};

function notOffered(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 405 || error.status === 501);
}

function noStrategy(cause: ApiError): AppError {
  return new AppError('DM_RESTORE_FAILED', `The target offers no operation that creates a space (${cause.status})`, {
    hint: 'Restore into a platform that offers it; duplicating a donor space is not part of this version.',
    cause,
  });
}

async function* targetSpaces(context: ApplyContext, parent: string | undefined): AsyncIterable<Space> {
  const options = { signal: context.signal };
  if (parent !== undefined) {
    for await (const page of context.client.paginate(
      'listCollectionSpaces',
      { path: { collectionId: parent } },
      options,
    ))
      yield* page.items;
    return;
  }
  const organizationId = context.plan.target.organization;
  for await (const members of context.client.paginate('listMembers', { path: { organizationId } }, options)) {
    for (const member of members.items) {
      const path = { organizationId, userId: member.id };
      for await (const page of context.client.paginate('listMemberSpaces', { path }, options))
        yield* page.items.map((item) => item.space);
    }
  }
}

export const updateSpace: StepWork = {
  write: async (context, step) => {
    const { body } = original(context, step);
    const editMode = body['editMode'] as Space['editMode'];
    const level = body['defaultLevel'] as Space['defaultLevel'] | undefined;
    const changes = {
      ...(editMode === undefined ? {} : { editMode }),
      ...(level === undefined ? {} : { defaultLevel: level }),
    };
    const path = { spaceId: context.ids.need('space', step.key) };
    await context.client.call('updateSpace', { path, body: changes }, { signal: context.signal });
    return nothing;
  },
  find: () => Promise.resolve(null),
};

export { nothing, original, text };
