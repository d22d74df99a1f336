// Creating what has a listing to be found in: one declaration for each kind.
import type { AnyOperationName, PagedOperationName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import type { Body } from '../resource.ts';
import type { ApplyContext, MakingWork, StepOutcome } from '../types.ts';
import { original } from './original.ts';

export interface Creation {
  readonly create: AnyOperationName;
  readonly list: PagedOperationName;
  /** Field of the answer that holds the new id. */
  readonly id: string;
  /** Path parameters of both operations. */
  path(context: ApplyContext, resource: Resource): Readonly<Record<string, string>>;
  body(context: ApplyContext, resource: Resource): Body;
  /** Fields by which what an earlier try made is known again. */
  readonly knownBy: readonly string[];
  /** New ids that the answer tells besides. */
  map?(context: ApplyContext, resource: Resource, answer: Body): NonNullable<StepOutcome['map']>;
}

/** The work of creating; an earlier try is found by the fields that tell it, among what is nobody else's. */
export function created(creation: Creation): MakingWork {
  const outcome = (context: ApplyContext, resource: Resource, answer: Body): StepOutcome => ({
    // A name that we have given stands in no answer that tells the id alone.
    newId: String(answer[creation.id] ?? creation.body(context, resource)[creation.id]),
    ...(creation.map ? { map: creation.map(context, resource, answer) } : {}),
  });
  return {
    write: async (context, step) => {
      const resource = original(context, step);
      const input = { path: creation.path(context, resource), body: creation.body(context, resource) };
      const answer = await context.client.callRaw(creation.create, input, { signal: context.signal });
      return outcome(context, resource, answer as Body);
    },
    find: async (context, step) => {
      const resource = original(context, step);
      const wanted = creation.body(context, resource);
      const input = { path: creation.path(context, resource) };
      for await (const page of context.client.paginateRaw(creation.list, input, { signal: context.signal })) {
        const found = page.items.find(
          (one) =>
            creation.knownBy.every((field) => one[field] === wanted[field]) &&
            !context.ids.isTaken(step.kind, String(one[creation.id])),
        );
        if (found) return outcome(context, resource, found);
      }
      return null;
    },
  };
}

/** The path of everything that stands in the target organization. */
export function inOrganization({ plan }: ApplyContext): { organizationId: string } {
  return { organizationId: plan.target.organization };
}
