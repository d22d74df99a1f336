// A token of less than an administrator: what it may not read, and a person said is meant, does not keep every night from being whole.
import { describe, expect, it } from 'vitest';
import { checkMirror, isRefusedIn, lastComplete, listSnapshots, refusedIn } from '../../src/mirror/index.ts';
import type { Role } from '../../src/contract/index.ts';
import type { FaultPlan } from '../../src/platform/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { walkedWorlds, type CopiedWorld } from '../support/copied-world.ts';
import {
  furnishedWorld,
  walkedWholeWorld,
  walkedWorld,
  wholeWorld,
  furnishWhole,
  type Whole,
} from '../support/furnished.ts';
import { askingReplica } from '../support/replica.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { withdrawnSpace } from '../support/withdrawn-space.ts';
import { TestWorld } from '../support/world.ts';

/** With a member besides, who may be the one that walks. */
function addBackup(world: TestWorld, role: Role): Backup {
  const person = { displayName: 'Backup', email: 'backup@example.com', organization: world.organization };
  const { id, token } = world.platform.createUser({ ...person, role });
  return { id, token };
}

interface Backup {
  readonly id: string;
  readonly token: string;
}

/** A world that is walked by a member with a role that may be another later. */
async function seenBy(role: Role) {
  const world = await wholeWorld();
  return asSeen(world, addBackup(world, role));
}

/** The same of a member who may only read, after a first walk and the word that this is meant. */
async function acceptedReader() {
  const world = await acceptedWorld();
  return asSeen(world, world.made.backup);
}

const acceptedWorld = walkedWorlds(async (world) => {
  const made = await furnishWhole(world);
  const backup = addBackup(world, 'read');
  await using client = world.clientOf({ url: world.platform.url, token: backup.token });
  await world.sync({ client, acceptRights: true });
  return { ...made, backup };
});

function asSeen(world: CopiedWorld<Whole>, backup: Backup) {
  const client = world.clientOf({ url: world.platform.url, token: backup.token });
  const path = { organizationId: world.organization, userId: backup.id };
  const become = async (next: Role): Promise<void> =>
    void (await world.api.updateMember({ path, body: { role: next } }));
  const dispose = async (): Promise<void> => {
    await client[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { world, made: world.made, become, walk: { client }, [Symbol.asyncDispose]: dispose };
}

const REFUSED_KINDS = ['invite', 'saml-provider', 'share-link', 'share-link'];

const kindsRefused = ({ mirror }: TestWorld, snapshot: number): string[] =>
  refusedIn(mirror, snapshot).map(({ kind }) => kind);

const tombstones = ({ mirror }: TestWorld): unknown[] =>
  rowsOf(
    mirror,
    `select r.kind, t.evidence ->> 'accepted' as accepted, t.evidence ->> '$.direct.status' as status
    from tombstones t join resources r using (rid) where r.scope is null or r.kind in ('share-link', 'saml-provider', 'invite', 'space')`,
  );

describe('walker/refusals', () => {
  it('is complete with a token that may only read, once a person said that this is meant: it was partial every night, for good', async () => {
    await using all = await seenBy('read');
    const { world, walk } = all;
    const first = await world.sync(walk);
    expect([first.snapshot.state, first.refused]).toEqual(['partial', []]);
    expect((await world.sync(walk)).snapshot.state).toBe('partial');
    const accepted = await world.sync({ ...walk, acceptRights: true });
    expect([accepted.snapshot.state, accepted.snapshot.reason, accepted.refused.map(({ kind }) => kind)]).toEqual([
      'complete',
      null,
      REFUSED_KINDS,
    ]);
    for (const mode of ['incremental', 'full'] as const) {
      const { snapshot, failures } = await world.sync({ ...walk, mode });
      expect([snapshot.state, failures, kindsRefused(world, snapshot.id)]).toEqual(['complete', [], REFUSED_KINDS]);
    }
    expect(lastComplete(world.mirror)?.id).toBe(listSnapshots(world.mirror).at(-1)?.id);
  });

  it('is complete with a new site, whose share links are refused as all others are', async () => {
    await using all = await acceptedReader();
    const { world, walk } = all;
    await world.api.createSite({ path: { organizationId: world.organization }, body: { title: 'Another' } as never });
    const { snapshot } = await world.sync(walk);
    expect([snapshot.state, kindsRefused(world, snapshot.id)]).toEqual(['complete', [...REFUSED_KINDS, 'share-link']]);
  });

  it('takes a refusal of what it could read until now for a failure, whatever else is refused', async () => {
    await using all = await acceptedReader();
    const { world, walk } = all;
    world.platform.faults = [{ operation: 'listTeams', effect: { status: 403 } }];
    const { snapshot, failures } = await world.sync({ ...walk, mode: 'full' });
    expect([snapshot.state, failures.map(({ kind }) => kind)]).toEqual(['partial', ['team']]);
    expect(tombstones(world)).toEqual([]);
  });

  it('keeps what was accepted over a night in which the platform failed there in another way', async () => {
    await using all = await acceptedReader();
    const { world, walk } = all;
    world.platform.faults = [{ operation: 'listSamlProviders', effect: { status: 500 } }];
    expect((await world.sync(walk)).snapshot.state).toBe('partial');
    world.platform.faults = [];
    const { snapshot } = await world.sync(walk);
    expect([snapshot.state, kindsRefused(world, snapshot.id)]).toEqual(['complete', REFUSED_KINDS]);
  });

  it('reads what it is given the right to, and fails when that is taken away again', async () => {
    await using all = await acceptedReader();
    const { world, become, walk } = all;
    await become('admin');
    const { snapshot, kinds } = await world.sync({ ...walk, mode: 'full' });
    expect([snapshot.state, kindsRefused(world, snapshot.id), kinds['saml-provider']?.added]).toEqual([
      'complete',
      [],
      1,
    ]);
    await become('read');
    const lost = await world.sync(walk);
    expect([lost.snapshot.state, lost.refused]).toEqual(['partial', []]);
    expect(tombstones(world)).toEqual([]);
  });

  it('ends what it has held and may not read any more, with that as evidence, when the loss is meant', async () => {
    await using all = await seenBy('admin');
    const { world, become, walk } = all;
    await world.sync(walk);
    await become('read');
    await world.sync(walk);
    expect(tombstones(world)).toEqual([]);
    const { snapshot } = await world.sync({ ...walk, acceptRights: true });
    expect([snapshot.state, kindsRefused(world, snapshot.id)]).toEqual(['complete', REFUSED_KINDS]);
    expect(rowsOf(world.mirror, 'select id from saml_providers')).toEqual([]);
    expect(tombstones(world)).toContainEqual({ kind: 'saml-provider', accepted: 1, status: 403 });
    expect((await world.sync(walk)).snapshot.state).toBe('complete');
  });

  it('ends a space that answers 403 when the loss is meant: every night was partial, and nothing accepted it', async () => {
    const { guide, ...withdrawn } = await withdrawnSpace();
    await using world = withdrawn.world;
    expect((await world.sync()).snapshot.state).toBe('partial');
    expect((await world.sync({ acceptRights: true })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select id from spaces')).toEqual([{ id: guide }]);
    expect((await world.sync()).snapshot.state).toBe('complete');
  });

  it('ends what a space held that others still see and the token may not, when that is meant: its content kept every night partial', async () => {
    await using world = await furnishedWorld();
    const { guide } = world.made;
    const hidden = await addSpace(world, 'Hidden');
    await edit(world, hidden, insert('Plans', 'Secret'), insert('Dates', 'Soon'));
    await world.sync();
    const pagesOf = (space: string) => rowsOf(world.mirror, `select id from pages where space = '${space}'`).length;
    const before = [pagesOf(guide), pagesOf(hidden)];
    expect(before[1]).toBe(2);
    const content: FaultPlan = [{ pathPattern: `/spaces/${hidden}/`, effect: { status: 403 } }];
    world.platform.faults = content;
    const readable = await world.sync({ acceptRights: true, mode: 'full' });
    expect([readable.snapshot.state, pagesOf(hidden)]).toEqual(['partial', before[1]]);
    // A space that cannot be read by its own id is not refused by that, nor by one answer.
    for (const fault of [{ effect: { status: 404 } }, { nth: 1, effect: { status: 403 } }] as const) {
      world.platform.faults = [{ operation: 'getSpace', pathPattern: hidden, ...fault }, ...content];
      const unsure = await world.sync({ acceptRights: true, mode: 'full' });
      expect([unsure.snapshot.state, pagesOf(hidden)]).toEqual(['partial', before[1]]);
    }
    world.platform.faults = [{ operation: 'getSpace', pathPattern: hidden, effect: { status: 403 } }, ...content];
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('partial');
    const { snapshot, refused } = await world.sync({ acceptRights: true, mode: 'full' });
    expect([snapshot.state, pagesOf(guide), pagesOf(hidden)]).toEqual(['complete', before[0], 0]);
    expect(refused).toContainEqual(expect.objectContaining({ kind: 'revision', resource: hidden }));
    expect(rowsOf(world.mirror, `select id from spaces where id = '${hidden}'`)).toHaveLength(1);
    for (const mode of ['incremental', 'full'] as const)
      expect((await world.sync({ mode })).snapshot.state).toBe('complete');
    world.platform.faults = [];
    const again = await world.sync({ mode: 'full' });
    expect([again.snapshot.state, again.refused, pagesOf(hidden)]).toEqual(['complete', [], before[1]]);
  });

  it('goes on naming a refused listing of which the space counts none: the next full walk was partial again', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Quiet');
    world.platform.faults = [{ operation: 'listChangeRequests', effect: { status: 403 } }];
    await world.sync({ acceptRights: true, mode: 'full' });
    for (const mode of ['incremental', 'incremental', 'full'] as const) {
      const { snapshot, refused } = await world.sync({ mode });
      expect([snapshot.state, refused]).toMatchObject(['complete', [{ kind: 'change-request', resource: space }]]);
    }
  });

  it('ends the schema of a site for visitors that is refused, when that is meant: nothing accepted it', async () => {
    await using world = await walkedWholeWorld();
    expect(rowsOf(world.mirror, 'select site from site_adaptive_schemas')).not.toEqual([]);
    world.platform.faults = [{ operation: 'getSiteAdaptiveSchema', effect: { status: 403 } }];
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('partial');
    expect((await world.sync({ mode: 'full', acceptRights: true })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select site from site_adaptive_schemas')).toEqual([]);
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('complete');
  });

  it('accepts that a listing which was never read is not found, and does not for one that was', async () => {
    await using world = await wholeWorld();
    world.platform.faults = [{ operation: 'listTeams', effect: { status: 404 } }];
    expect((await world.sync()).snapshot.state).toBe('partial');
    expect((await world.sync({ acceptRights: true })).refused).toMatchObject([{ kind: 'team', status: 404 }]);
    expect((await world.sync()).snapshot.state).toBe('complete');
    world.platform.faults = [];
    await world.sync({ mode: 'full' });
    world.platform.faults = [{ operation: 'listTeams', effect: { status: 404 } }];
    const { snapshot, refused } = await world.sync({ acceptRights: true, mode: 'full' });
    expect([snapshot.state, refused, tombstones(world)]).toEqual(['partial', [], []]);
  });

  it('accepts the same of the values of custom fields, which come in one answer: a platform without custom fields had no complete snapshot, for good', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'One');
    await addSpace(world, 'Two');
    const lacking = ['listCustomFields', 'getCustomFieldValues', 'listSpaceLinks'] as const;
    world.platform.faults = lacking.map((operation) => ({ operation, effect: { status: 404 } }));
    const first = await world.sync();
    expect([first.snapshot.state, isRefusedIn(world.mirror, first.snapshot.id)]).toEqual(['partial', true]);
    const accepted = await world.sync({ acceptRights: true });
    expect([accepted.snapshot.state, kindsRefused(world, accepted.snapshot.id)]).toEqual([
      'complete',
      ['custom-field', 'custom-field-value', 'custom-field-value', 'link', 'link'],
    ]);
    await addSpace(world, 'Three');
    const asked: number[] = [];
    for (const mode of ['incremental', 'full'] as const) {
      world.platform.clearRequestLog();
      expect((await world.sync({ mode })).snapshot.state).toBe('complete');
      asked.push(world.asked('getSpace'));
    }
    // Whether a space is there whose list was not found is asked once, not each night.
    expect(asked).toEqual([1, 0]);
  });

  it('is complete when a space comes out of the bin, or was not answered on its first night, of which it is refused what it is of all: each night was partial from then on', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'One');
    const spaceId = await addSpace(world, 'Two');
    const refused: FaultPlan = [{ operation: 'listSpaceLinks', effect: { status: 404 } }];
    world.platform.faults = refused;
    await world.sync({ acceptRights: true });
    await world.api.deleteSpace({ path: { spaceId } });
    expect((await world.sync()).refused).toHaveLength(1);
    await world.api.restoreSpace({ path: { spaceId } });
    await addSpace(world, 'Three');
    world.platform.faults = [{ operation: 'listSpaceLinks', nth: 1, count: 2, effect: { status: 500 } }, ...refused];
    await world.sync();
    world.platform.faults = refused;
    for (const mode of ['incremental', 'full'] as const) {
      const { snapshot, failures, refused: named } = await world.sync({ mode });
      expect([snapshot.state, failures, named.length]).toEqual(['complete', [], 3]);
    }
  });

  it('advises to accept nothing where a listing that was read is not found', async () => {
    await using world = await walkedWholeWorld();
    world.platform.faults = [{ operation: 'listTeams', effect: { status: 404 } }];
    const { snapshot } = await world.sync({ mode: 'full' });
    expect([snapshot.state, isRefusedIn(world.mirror, snapshot.id)]).toEqual(['partial', false]);
  });

  it('takes no other place for refused too, where the token lost the right since: a comment there was never seen, in complete snapshots', async () => {
    await using world = await TestWorld.create();
    const [first, second] = [await addSpace(world, 'First'), await addSpace(world, 'Second')];
    const refused = (...spaces: string[]): FaultPlan =>
      spaces.map((space) => ({ operation: 'listComments', pathPattern: `/spaces/${space}/`, effect: { status: 403 } }));
    world.platform.faults = refused(first);
    await world.sync({ acceptRights: true });
    await world.api.createComment({ path: { spaceId: second }, body: { body: { markdown: 'Decided' } } });
    world.platform.faults = refused(first, second);
    for (const mode of ['full', 'full'] as const) {
      const { snapshot, failures } = await world.sync({ mode });
      expect([snapshot.state, failures.map(({ kind, resource }) => [kind, resource])]).toEqual([
        'partial',
        [['comment', second]],
      ]);
    }
  });

  it('ends nothing by a 403 that is not the answer of the platform, by one that passes, by one to another request, and by those to a listing that was read', async () => {
    await using world = await walkedWholeWorld();
    const before = Object.keys(stateOf(world.mirror, 1));
    const comments = `/spaces/${world.made.guide}/comments\\?`;
    const plans: FaultPlan[] = [
      [
        { operation: 'listTeams', nth: 1, effect: { status: 403 } },
        // What the same walk has read before was there, whatever is refused since.
        { pathPattern: comments, nth: 1, effect: 'short-list' },
        { pathPattern: comments, effect: { status: 403 } },
      ],
      [{ operation: 'getRevision', effect: { status: 403 } }],
      [{ operation: 'getSpace', effect: { status: 403 } }],
    ];
    for (const plan of plans) {
      world.platform.faults = plan;
      const { snapshot, refused } = await world.sync({ acceptRights: true, mode: 'full' });
      expect([refused, Object.keys(stateOf(world.mirror, snapshot.id))]).toEqual([[], before]);
    }
    expect(tombstones(world)).toEqual([]);
  });

  it('ends no page by a 403 where the tree lacks it: that is no listing with rights of its own', async () => {
    await using world = await walkedWholeWorld();
    const { guide, pages } = world.made;
    const before = Object.keys(stateOf(world.mirror, 1));
    await edit(world, guide, { type: 'delete_page', page: pages['Linux'] ?? '' });
    world.platform.faults = [{ operation: 'getPage', pathPattern: `/page/${pages['Linux']}`, effect: { status: 403 } }];
    const { snapshot } = await world.sync({ acceptRights: true });
    const after = Object.keys(stateOf(world.mirror, snapshot.id));
    expect([snapshot.state, before.filter((one) => !after.includes(one))]).toEqual(['partial', []]);
    // It is asked for on the next night, too, though nothing moves.
    expect((await world.sync({ acceptRights: true })).snapshot.reason).toBe('1 page out of reach');
  });

  it('is suspect where all spaces are refused at once, however few they are: a passing outage emptied the mirror and its export', async () => {
    await using world = await walkedWorld();
    const everything = ['listMembers', 'listMemberSpaces', 'listCollections', 'listCollectionSpaces', 'getSpace'];
    world.platform.faults = everything.map((operation) => ({ operation, effect: { status: 403 } }) as never);
    const { snapshot } = await world.sync({ acceptRights: true });
    expect([snapshot.state, snapshot.reason]).toEqual(['suspect', expect.stringContaining('no space is left at once')]);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
  });

  it('names what it lacks by a withdrawn space until that is seen again', async () => {
    const { news, ...withdrawn } = await withdrawnSpace();
    await using world = withdrawn.world;
    await world.sync({ acceptRights: true });
    world.platform.faults = [];
    expect((await world.sync()).refused).toMatchObject([{ kind: 'space', resource: news, status: 403 }]);
    await world.api.restoreSpace({ path: { spaceId: news } });
    expect((await world.sync()).refused).toEqual([]);
  });

  it('is told from what was tampered with: a forged refusal made every later loss of that right an accepted one', async () => {
    await using all = await acceptedReader();
    const { world } = all;
    expect((await checkMirror(world.mirror, { readData: false })).problems).toEqual([]);
    const forge = "insert into refused values (1, 'member', 'any', null, 'GET', 403)";
    for (const tamper of [forge, 'delete from refused']) {
      world.mirror.store.driver.exec(tamper);
      expect((await checkMirror(world.mirror, { readData: false })).problems).toContainEqual(
        expect.objectContaining({ what: 'manifest' }),
      );
    }
  });

  it('says in the replica that what is refused is not known: it said that there is none', async () => {
    await using all = await acceptedReader();
    const { world } = all;
    const { status } = askingReplica(world.dataDir)(`/v1/orgs/${world.organization}/saml`);
    expect(status).toBe(503);
  });
});
