// An undo takes away the spaces that the restore made, but for those that somebody changed since.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRecord, shiftedClock, systemClock, type ShiftedClock } from '../../src/base/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { listRestores } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { edit, furnish, insert } from '../support/content.ts';
import { inPlace, spacesUndone, type Mirrored } from '../support/in-place.ts';
import { walkedWorlds } from '../support/copied-world.ts';
import { changing, rewriting } from '../support/rewriting.ts';

const PURGED = 7 * 86_400_000 + 3_600_000;
const HOUR = 3_600_000;

let there: Mirrored;
/** Of the platform; that of Docmirror is the world's. */
let clock: ShiftedClock;
let plan: Plan;

const firstClock = shiftedClock(systemClock());
const lostWorld = walkedWorlds(
  async (world) => {
    const made = await furnish(world);
    const { api, organization: organizationId } = world;
    await api.createCustomField({ path: { organizationId }, body: { name: 'stage', type: 'text' } });
    const values = { stage: { value: 'done' } };
    await api.updateCustomFieldValues({ path: { spaceId: made.guide }, body: { values } });
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    for (const one of [firstClock, world.clock]) one.advance(PURGED);
    return { made, plan: await inPlace(world).plan() };
  },
  { clock: firstClock },
);

beforeEach(async () => {
  clock = shiftedClock(systemClock());
  clock.advance(PURGED);
  const world = await lostWorld({ clock });
  plan = world.made.plan;
  there = { world, made: world.made.made, place: inPlace(world) };
});

afterEach(() => there.world[Symbol.asyncDispose]());

/** What becomes of the space that the restore made. */
function undone(restore: string): Promise<string[]> {
  return spacesUndone(there.place, restore, plan);
}

/** Somebody adds a page to it. */
async function changeGuide(): Promise<void> {
  const { items } = await there.world.api.listCollectionSpaces({ path: { collectionId: there.made.nested } });
  const guide = items.find(({ title }) => title === 'Guide')?.id ?? '';
  await edit(there.world, guide, insert('Mine', 'Written after the restore.'));
}

/** A client whose process ends at the first call of an operation, before it is sent or after it was processed. */
function killedAt(
  operation: string,
  sent: 'unsent' | 'processed',
  answered = (_name: string, body: unknown) => body,
): ApiClient {
  const { client } = there.world;
  const call = async (name: string, input: { path?: { spaceId?: string } }, options: unknown): Promise<unknown> => {
    // Two changes of a space within one millisecond push its time ahead of the platform's clock.
    for (const one of [clock, there.world.clock]) one.advance(10);
    const isOfNews = name === 'getSpace' && input.path?.spaceId === there.made.news;
    if (name !== operation || isOfNews)
      return answered(name, await client.call(name as never, input as never, options as never));
    if (sent === 'processed') await client.call(name as never, input as never, options as never);
    throw new DOMException('killed', 'AbortError');
  };
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'call' || name === 'callRaw') return call;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Begins the restore, which is killed; its id. */
async function killed(operation: string, sent: 'unsent' | 'processed'): Promise<string> {
  await expect(there.place.apply(plan, { client: killedAt(operation, sent) })).rejects.toThrow('killed');
  return listRestores(there.world.mirror)[0]?.id ?? '';
}

/** What the way back says of the spaces that stay. */
async function saidOf(restore: string): Promise<string[]> {
  const { steps } = await there.place.undo(restore, plan);
  return steps.filter(({ kind, action }) => kind === 'space' && action === 'unsupported').map(({ note }) => note);
}

describe('restore/undo of a restore that was killed and never resumed', () => {
  it('takes the space away that nobody wrote into since', async () => {
    clock.advance(HOUR);
    expect(await undone(await killed('createComment', 'unsent'))).toEqual(['delete Guide']);
  });

  it.each([HOUR, -HOUR])('leaves the space that somebody wrote into since, and says so: clock %i', async (ahead) => {
    (ahead > 0 ? clock : there.world.clock).advance(HOUR);
    const restore = await killed('createComment', 'unsent');
    for (const one of [clock, there.world.clock]) one.advance(1000);
    await changeGuide();
    expect(await undone(restore)).toEqual(['unsupported Guide']);
    expect(await saidOf(restore)).toEqual([expect.stringContaining('the restore was cut off')]);
  });

  it('leaves it where the platform did not say when it made the space: it took away what somebody wrote', async () => {
    const untimed = (name: string, body: unknown): unknown =>
      name === 'createSpace' && isRecord(body) ? { ...body, updatedAt: undefined } : body;
    const client = killedAt('createComment', 'unsent', untimed);
    await expect(there.place.apply(plan, { client })).rejects.toThrow('killed');
    for (const one of [clock, there.world.clock]) one.advance(1000);
    await changeGuide();
    expect(await undone(listRestores(there.world.mirror)[0]?.id ?? '')).toEqual(['unsupported Guide']);
  });

  it('leaves the space that somebody wrote into before the restore was gone on with', async () => {
    const restore = await killed('createComment', 'unsent');
    for (const one of [clock, there.world.clock]) one.advance(1000);
    await changeGuide();
    for (const one of [clock, there.world.clock]) one.advance(60_000);
    expect((await there.place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['unsupported Guide']);
    expect(await saidOf(restore)).toEqual([expect.stringContaining('the restore was cut off')]);
  });

  it('takes the space away when only the restore itself was gone on with', async () => {
    const restore = await killed('createComment', 'unsent');
    for (const one of [clock, there.world.clock]) one.advance(60_000);
    expect((await there.place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it('names a space that may have been made when it was killed, and leaves it', async () => {
    const restore = await killed('createSpace', 'processed');
    expect(await undone(restore)).toEqual(['unsupported Guide']);
    expect(await saidOf(restore)).toEqual([expect.stringContaining('cut off while it made one of this name')]);
  });
});

describe('restore/undo of a space that was made anew', () => {
  it('takes it away where the clock of the platform is ahead of ours', async () => {
    clock.advance(HOUR);
    const { restore } = await there.place.apply(plan);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it('leaves it when somebody changed it, where the clock of the platform is behind ours', async () => {
    there.world.clock.advance(HOUR);
    const { restore } = await there.place.apply(plan);
    clock.advance(60_000);
    await changeGuide();
    expect(await undone(restore)).toEqual(['unsupported Guide']);
  });

  it('leaves it when somebody changed it before the restore was gone on with', async () => {
    const { world, place } = there;
    world.platform.faults = [{ operation: 'createComment', effect: { status: 500 } }];
    const { restore, failed } = await place.apply(plan);
    expect(failed).toBeGreaterThan(0);
    world.platform.faults = [];
    for (const one of [clock, world.clock]) one.advance(60_000);
    await changeGuide();
    for (const one of [clock, world.clock]) one.advance(60_000);
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['unsupported Guide']);
  });

  it.each(['a page', 'a comment', 'a change request'])(
    'leaves it when somebody added %s while the restore was still at work: it went with that',
    async (what) => {
      const { world, place, made } = there;
      let isThere = false;
      const answered = async (operation: string, answer: unknown): Promise<unknown> => {
        if (operation !== 'createComment' || isThere) return answer;
        isThere = true;
        for (const one of [clock, world.clock]) one.advance(1000);
        if (what === 'a page') await changeGuide();
        const { items } = await world.api.listCollectionSpaces({ path: { collectionId: made.nested } });
        const path = { spaceId: items.find(({ title }) => title === 'Guide')?.id ?? '' };
        if (what === 'a comment') await world.api.createComment({ path, body: { body: { markdown: 'It is back' } } });
        if (what === 'a change request') await world.api.createChangeRequest({ path, body: { subject: 'Mine' } });
        return answer;
      };
      const { restore, failures } = await place.apply(plan, { client: killedAt('none', 'unsent', answered) });
      expect([isThere, failures]).toEqual([true, []]);
      expect(await undone(restore)).toEqual(['unsupported Guide']);
      expect(await saidOf(restore)).toEqual([expect.stringContaining('while the restore was still at work')]);
    },
  );

  it('takes it away when only the restore itself went on with it', async () => {
    const { world, place } = there;
    world.platform.faults = [{ operation: 'createComment', effect: { status: 500 } }];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    for (const one of [clock, world.clock]) one.advance(60_000);
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });

  it('takes it away when the restore was cut off after its last write, and gone on with', async () => {
    const { place } = there;
    clock.advance(HOUR);
    const restore = await killed('getSpace', 'unsent');
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await undone(restore)).toEqual(['delete Guide']);
  });
});

describe('restore/undo where no comment counts as a change of its space', () => {
  /** What the undo makes of the space once somebody has done something there. */
  async function after(work: (spaceId: string) => Promise<unknown>): Promise<string[]> {
    const { world, made } = there;
    await using proxy = await rewriting(world);
    proxy.rewrite = changing((one) => (one['object'] === 'space' ? { ...one, updatedAt: one['createdAt'] } : one));
    const place = inPlace(world, proxy.client);
    const { restore } = await place.apply(plan);
    for (const one of [clock, world.clock]) one.advance(60_000);
    const { items } = await world.api.listCollectionSpaces({ path: { collectionId: made.nested } });
    await work(items.find(({ title }) => title === 'Guide')?.id ?? '');
    const { steps } = await place.undo(restore, plan);
    return steps.filter(({ kind }) => kind === 'space').map(({ action, note }) => `${action}: ${note}`);
  }

  const isLeft = ['unsupported: somebody changed it after the restore: it is left as it is'];
  const words = { body: { markdown: 'By somebody' } };

  it('leaves a space in which somebody has said something since: it was taken away with that', async () => {
    expect(await after((spaceId) => there.world.api.createComment({ path: { spaceId }, body: words }))).toEqual(isLeft);
  });

  it('leaves a space in which somebody has changed what a comment says: it was taken away with that', async () => {
    const change = async (spaceId: string): Promise<void> => {
      const [comment] = (await there.world.api.listComments({ path: { spaceId } })).items;
      await there.world.api.updateComment({ path: { spaceId, commentId: comment?.id ?? '' }, body: words });
    };
    expect(await after(change)).toEqual(isLeft);
  });

  it('leaves a space that somebody has given a value since, not those that have theirs of the restore', async () => {
    const { world } = there;
    const path = { organizationId: world.organization };
    await world.api.createCustomField({ path, body: { name: 'owner', type: 'text' } });
    const give = (spaceId: string) =>
      world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { owner: { value: 'Robin' } } } });
    expect(await after(give)).toEqual([
      'unsupported: custom-field-value "owner", which somebody has set since, would go with it: it is left as it is',
    ]);
  });

  it('leaves a space in which somebody has changed a value that the restore had given it: it was taken away with that', async () => {
    const change = (spaceId: string) =>
      there.world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value: 'Other' } } } });
    expect(await after(change)).toEqual([
      'unsupported: custom-field-value "stage", which somebody has set since, would go with it: it is left as it is',
    ]);
  });

  it('takes the space away in which nobody has', async () => {
    expect(await after(() => Promise.resolve())).toEqual([expect.stringMatching(/^delete: /)]);
  });
});
