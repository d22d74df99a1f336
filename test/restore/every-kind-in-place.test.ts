// Whatever kind comes back at all: a plan in place names one that is gone from what stands.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KindName } from '../../src/contract/index.ts';
import { readerAt, type Resource, type SnapshotReader } from '../../src/mirror/index.ts';
import { IdMap } from '../../src/restore/journal/id-map.ts';
import { askedFor, selectionOf } from '../../src/restore/plan.ts';
import { SiblingOrders } from '../../src/restore/in-place/sibling-orders.ts';
import { stepsInPlace } from '../../src/restore/in-place/steps.ts';
import { RESTORED_KINDS } from '../../src/restore/restored-kinds.ts';
import { readTarget, type TargetState } from '../../src/restore/target.ts';
import type { PlanStep } from '../../src/restore/types.ts';
import { walkedWholeWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { planTree } from '../support/plan-tree.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let reader: SnapshotReader;
let target: TargetState;

beforeAll(async () => {
  world = await walkedWholeWorld();
  reader = readerAt(world.mirror, 1);
  target = await readTarget(world.client, world.organization);
});

afterAll(() => world[Symbol.asyncDispose]());

function firstOf(kind: KindName): Resource {
  const [one] = reader.resources(kind);
  if (!one) throw new Error(`the organization has no ${kind}`);
  return one;
}

/** What stands, without one. */
function without(one: Resource): SnapshotReader {
  return Object.assign(Object.create(reader) as SnapshotReader, {
    one: (kind: KindName, key: string) => (kind === one.kind && key === one.key ? undefined : reader.one(kind, key)),
  });
}

function stepsFor(one: Resource): PlanStep[] {
  const asked = { mirror: world.mirror, scope: null, where: null };
  const input = {
    ...inPlace(world).settings,
    ...asked,
    snapshot: 1,
    live: 1,
    targetUrl: world.platform.url,
    review: false,
    choices: { missing: true, changed: true, added: false },
  };
  const live = without(one);
  const orders = new SiblingOrders({ wanted: reader, live, mayMove: () => true });
  return stepsInPlace({
    input,
    reader,
    live,
    selection: selectionOf({}, reader, askedFor(asked, reader)),
    target,
    divergence: { missing: [one], changed: [], added: [], untold: [], standIns: [], orders },
    bin: new Map(),
    heirs: new IdMap(),
  });
}

/** Never missing by itself, or told by something else. */
const TOLD_OTHERWISE: readonly KindName[] = [
  'organization',
  'revision',
  'change-request-revision',
  'change-request-page',
  'change-request-file',
];

it.each(RESTORED_KINDS.filter((kind) => !TOLD_OTHERWISE.includes(kind)))(
  'restore/in-place names a %s that is gone: what nobody had planned for was left out, as if nothing were missing',
  (kind) => {
    const one = firstOf(kind);
    expect(JSON.stringify(stepsFor(one))).toContain(one.id);
  },
);

it('restore/in-place says of somebody who has left that they must be invited again: the plan was empty', async () => {
  const { organization, platform, api } = world;
  const person = { displayName: 'Ash', email: 'ash@example.com', organization, role: 'edit' } as const;
  const { id: userId } = platform.createUser(person);
  const { snapshot } = await world.sync();
  await api.deleteMember({ path: { organizationId: organization, userId } });
  const plan = await inPlace(world).plan({ snapshot: snapshot.id });
  expect(planTree(plan)).toEqual(['! member Ash  (no operation takes people in: invite them again)']);
});
