// Steps of a random sequence: each is taken on the platform, and on the model, which says with what status it must end.
import fc from 'fast-check';
import type { AnyOperationName } from '../../src/contract/index.ts';
import {
  isLastIn,
  livingSpaces,
  putAfter,
  putLast,
  removeCollection,
  stateOf,
  withBelow,
  type Model,
} from './model.ts';
import type { Input, World } from './world.ts';

export interface Run {
  world: World;
  organizationId: string;
  people: readonly string[];
  model: Model;
}

export interface Step {
  act: keyof typeof ACTS;
  one: number;
  other: number;
}

/** What was asked, and the status that the model expects. */
interface Expected {
  operation: AnyOperationName;
  input: Input;
  status: number;
  /** Carries the change over to the model once the platform made it; gets the id that the answer has. */
  apply?: (id: string) => void;
}

type Act = (run: Run, step: Step) => Expected | null;

const DAY_MS = 86_400_000;

function pick<Value>(map: ReadonlyMap<string, Value>, which: number): [string, Value] | null {
  return [...map][which % Math.max(map.size, 1)] ?? null;
}

/** One of the map, or none at all. */
function pickOrNone(map: ReadonlyMap<string, unknown>, which: number): string | null {
  return which % 4 === 0 ? null : (pick(map, which)?.[0] ?? null);
}

/** Acts on a space: what the document's table says of one that is there, deleted or gone. */
function onSpace(act: (run: Run, step: Step, spaceId: string) => Omit<Expected, 'status'> & { status?: number }): Act {
  return (run, step) => {
    const spaceId = pick(run.model.spaces, step.one)?.[0];
    if (spaceId === undefined) return null;
    const expected = act(run, step, spaceId);
    return stateOf(run.model, spaceId) === 'there' ? { status: 200, ...expected } : { ...expected, status: 404 };
  };
}

function onRequest(
  act: (run: Run, step: Step, at: { path: { spaceId: string; changeRequestId: string }; id: string }) => Expected,
): Act {
  return (run, step) => {
    const [id, request] = pick(run.model.requests, step.one) ?? [];
    if (id === undefined || !request) return null;
    const expected = act(run, step, { path: { spaceId: request.space, changeRequestId: id }, id });
    return stateOf(run.model, request.space) === 'there' ? expected : { ...expected, status: 404 };
  };
}

const STATUSES = ['draft', 'open', 'archived'] as const;

const changeStatus = onRequest((run, { other }, { path, id }) => {
  const request = run.model.requests.get(id);
  const status = STATUSES[other % STATUSES.length] ?? 'draft';
  return {
    operation: 'updateChangeRequest',
    input: { path, body: { status } },
    status: request?.status === 'merged' ? 409 : 200,
    apply: () => run.model.requests.set(id, { space: path.spaceId, status }),
  };
});

const editable = (run: Run, id: string): boolean =>
  ['draft', 'open'].includes(run.model.requests.get(id)?.status ?? '');

function onComment(
  names: { main: AnyOperationName; request: AnyOperationName },
  act: (run: Run, id: string) => Pick<Expected, 'apply' | 'status'> & { body?: unknown },
): Act {
  return (run, step) => {
    const [id, comment] = pick(run.model.comments, step.one) ?? [];
    if (id === undefined || !comment) return null;
    const { body, ...expected } = act(run, id);
    const { space, request } = comment;
    return {
      operation: request === null ? names.main : names.request,
      input: {
        path: { spaceId: space, commentId: id, ...(request === null ? {} : { changeRequestId: request }) },
        body,
      },
      ...expected,
      ...(stateOf(run.model, space) === 'there' ? {} : { status: 404 }),
    };
  };
}

const resolve = (resolved: boolean): Act =>
  onComment({ main: 'updateComment', request: 'updateChangeRequestComment' }, ({ model }, id) => ({
    body: { resolved },
    status: 200,
    apply: () => Object.assign(model.comments.get(id) ?? {}, { open: !resolved }),
  }));

const moveSpace = onSpace(({ model }, { other }, spaceId) => {
  const parent = pickOrNone(model.collections, other);
  return {
    operation: 'moveSpace',
    input: { path: { spaceId }, body: { parent } },
    status: isLastIn(model, spaceId, parent) ? 409 : 200,
    apply: () => {
      model.spaces.set(spaceId, { parent, deleted: null });
      putLast(model, spaceId);
    },
  };
});

const ACTS = {
  addCollection: ({ model, organizationId }, { one }) => {
    const parent = pickOrNone(model.collections, one);
    const body = parent === null ? {} : { parent };
    return {
      operation: 'createCollection',
      input: { path: { organizationId }, body },
      status: 201,
      apply: (id) => {
        model.collections.set(id, parent);
        putLast(model, id);
      },
    };
  },
  moveCollection: ({ model }, { one, other }) => {
    const id = pick(model.collections, one)?.[0];
    if (id === undefined) return null;
    const parent = pickOrNone(model.collections, other);
    return {
      operation: 'moveCollection',
      input: { path: { collectionId: id }, body: { parent } },
      status: isLastIn(model, id, parent) || (parent !== null && withBelow(model, id).includes(parent)) ? 409 : 200,
      apply: () => {
        model.collections.set(id, parent);
        putLast(model, id);
      },
    };
  },
  removeCollection: ({ model }, { one, other }) => {
    const id = other % 3 === 0 ? pick(model.collections, one)?.[0] : undefined;
    if (id === undefined) return null;
    return {
      operation: 'deleteCollection',
      input: { path: { collectionId: id } },
      status: 205,
      apply: () => removeCollection(model, id),
    };
  },
  addSpace: ({ model, organizationId }, { one }) => {
    const parent = pickOrNone(model.collections, one);
    const body = parent === null ? {} : { parent };
    return {
      operation: 'createSpace',
      input: { path: { organizationId }, body },
      status: 201,
      apply: (id) => {
        model.spaces.set(id, { parent, deleted: null });
        putLast(model, id);
      },
    };
  },
  moveSpace: (run, step) => {
    const { model } = run;
    const swept = pick(model.spaces, step.one)?.[1].swept;
    return swept ? null : moveSpace(run, step);
  },
  removeSpace: onSpace(({ model }, _, spaceId) => ({
    operation: 'deleteSpace',
    input: { path: { spaceId } },
    status: 205,
    apply: () => Object.assign(model.spaces.get(spaceId) ?? {}, { deleted: model.day }),
  })),
  restoreSpace: ({ model }, { one }) => {
    const spaceId = pick(model.spaces, one)?.[0];
    if (spaceId === undefined) return null;
    return {
      operation: 'restoreSpace',
      input: { path: { spaceId } },
      status: { there: 409, deleted: 200, gone: 404 }[stateOf(model, spaceId)],
      apply: () => Object.assign(model.spaces.get(spaceId) ?? {}, { deleted: null }),
    };
  },
  duplicateSpace: onSpace(({ model }, _, spaceId) => ({
    operation: 'duplicateSpace',
    input: { path: { spaceId } },
    status: 201,
    apply: (id) => {
      model.spaces.set(id, { parent: model.spaces.get(spaceId)?.parent ?? null, deleted: null });
      putAfter(model, id, spaceId);
    },
  })),
  addRequest: onSpace(({ model }, _, spaceId) => ({
    operation: 'createChangeRequest',
    input: { path: { spaceId } },
    status: 201,
    apply: (id) => model.requests.set(id, { space: spaceId, status: 'draft' }),
  })),
  changeStatus,
  edit: onRequest((run, { other }, { path, id }) => ({
    operation: 'changeContent',
    input: {
      path,
      body: { changes: [{ type: 'insert_page', title: `Page ${other}`, document: { markdown: 'text' } }] },
    },
    status: editable(run, id) ? 200 : 409,
  })),
  merge: onRequest((run, _, { path, id }) => ({
    operation: 'mergeChangeRequest',
    input: { path },
    status: editable(run, id) ? 200 : 409,
    apply: () => run.model.requests.set(id, { space: path.spaceId, status: 'merged' }),
  })),
  addComment: onSpace(({ model }, { other }, spaceId) => {
    const own = new Map([...model.requests].filter(([, one]) => one.space === spaceId));
    const request = pickOrNone(own, other);
    return {
      operation: request === null ? 'createComment' : 'createChangeRequestComment',
      input: {
        path: { spaceId, ...(request === null ? {} : { changeRequestId: request }) },
        body: { body: { markdown: 'text' } },
      },
      apply: (id) => model.comments.set(id, { space: spaceId, request, open: true, replies: 0 }),
    };
  }),
  removeComment: onComment({ main: 'deleteComment', request: 'deleteChangeRequestComment' }, ({ model }, id) => ({
    status: 205,
    apply: () => model.comments.delete(id),
  })),
  resolve: resolve(true),
  reopen: resolve(false),
  reply: onComment({ main: 'createCommentReply', request: 'createChangeRequestCommentReply' }, ({ model }, id) => ({
    body: { body: { markdown: 'reply' } },
    status: 200,
    apply: () => {
      const comment = model.comments.get(id);
      if (comment) comment.replies++;
    },
  })),
  addTeam: ({ model, people, organizationId }, { one, other }) => {
    const members = people.filter((_, i) => (other >> i) % 2 === 1);
    return {
      operation: 'createTeam',
      input: { path: { organizationId }, body: { title: `Team ${one}`, members } },
      status: 201,
      apply: (id) => model.teams.set(id, new Set(members)),
    };
  },
  removeTeam: ({ model, organizationId }, { one }) => {
    const teamId = pick(model.teams, one)?.[0];
    if (teamId === undefined) return null;
    return {
      operation: 'deleteTeam',
      input: { path: { organizationId, teamId } },
      status: 204,
      apply: () => model.teams.delete(teamId),
    };
  },
  addSite: ({ model, organizationId }, { one, other }) => {
    const spaces = livingSpaces(model).filter((_, i) => (other + i) % 3 === 0);
    if (spaces.length === 0) return null;
    return {
      operation: 'createSite',
      input: { path: { organizationId }, body: { title: `Site ${one}`, spaces } },
      status: 201,
      apply: (id) => model.sites.set(id, spaces),
    };
  },
  removeSite: ({ model, organizationId }, { one }) => {
    const siteId = pick(model.sites, one)?.[0];
    if (siteId === undefined) return null;
    return {
      operation: 'deleteSite',
      input: { path: { organizationId, siteId } },
      status: 205,
      apply: () => model.sites.delete(siteId),
    };
  },
  waitDays: ({ model, world }, { one }) => {
    const days = 1 + (one % 4);
    world.clock.advance(days * DAY_MS);
    model.day += days;
    return null;
  },
} satisfies Record<string, Act>;

export const anyStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  one: fc.nat(30),
  other: fc.nat(30),
});

/** Takes the step; throws when the platform ends it with another status than the model. */
export async function takeStep(run: Run, step: Step): Promise<void> {
  const act: Act = ACTS[step.act];
  const expected = act(run, step);
  if (!expected) return;
  const reply = await run.world.call(expected.operation, expected.input);
  if (reply.status !== expected.status) {
    const { operation, status } = expected;
    throw new Error(`${operation} answered ${reply.status}, the model says ${status}: ${JSON.stringify(reply.body)}`);
  }
  if (reply.status < 300) expected.apply?.((reply.body as { id?: string } | undefined)?.id ?? '');
}
