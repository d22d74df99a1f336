// What a snapshot that is not complete says of what its walk could not read: nothing told "none" from "never read".
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { kindNames, kindOf, operationOf, type OperationName } from '../../src/contract/index.ts';
import { forget, openMirror, pinSnapshot, readerAt } from '../../src/mirror/index.ts';
import type { FaultPlan } from '../../src/platform/index.ts';
import { addRequest, addSpace, furnish, importFiles, pagesOf } from '../support/content.ts';
import { organize } from '../support/organization.ts';
import { askingReplica, type Answered } from '../support/replica.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const REFUSED = { status: 403 };
const NONE = { count: 0, items: [] };

const stateIn = ({ headers }: Answered): string | undefined => headers['docmirror-snapshot-state'];
const errorIn = ({ status, headers }: Answered): unknown[] => [status, headers['docmirror-error']];
const UNTOLD = [503, 'DM_INCOMPLETE'];

/** Ends a night in which these requests failed; answers the number of its snapshot. */
async function night(world: TestWorld, faults: FaultPlan = []): Promise<number> {
  world.platform.faults = faults;
  const { snapshot } = await world.sync();
  world.platform.faults = [];
  return snapshot.id;
}

describe('replica/a partial snapshot', () => {
  it('says that comments which no walk could read are not known, night after night: it said that there are none', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    const comments = `/v1/spaces/${space}/comments`;
    const refused: FaultPlan = [{ operation: 'listComments', effect: REFUSED }];
    const ask = askingReplica(world.dataDir);
    for (const at of [await night(world, refused), await night(world, refused)]) {
      const answer = ask(`${comments}?at=${at}`);
      expect([errorIn(answer), stateIn(answer)]).toEqual([UNTOLD, 'partial']);
      expect(JSON.stringify(answer.body)).toMatch(
        new RegExp(`none before it had.*; .docmirror snapshots show ${at}. says why`),
      );
      expect(errorIn(ask(`${comments}/some?at=${at}`))).toEqual(UNTOLD);
      const requests = ask(`/v1/spaces/${space}/change-requests?at=${at}`);
      expect([requests.status, requests.body, stateIn(requests)]).toEqual([200, NONE, 'partial']);
      const missing = ask(`/v1/spaces/nothing?at=${at}`);
      expect([missing.status, stateIn(missing)]).toEqual([404, 'partial']);
    }
    const read = await night(world);
    const whole = ask(comments);
    expect([whole.status, whole.body, stateIn(whole), read]).toEqual([200, NONE, 'complete', 3]);
    // What was read is carried on, be it that there is nothing.
    await world.api.updateSpace({ path: { spaceId: space }, body: { title: 'Another' } });
    const later = ask(`${comments}?at=${await night(world, refused)}`);
    expect([later.status, later.body, stateIn(later)]).toEqual([200, NONE, 'partial']);
    expect(errorIn(ask(`${comments}?at=2`))).toEqual(UNTOLD);
  });

  it('says of what a complete snapshot lacks, as was accepted, that it is refused: it advised to ask again after the next walk', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    world.platform.faults = [{ operation: 'listSpaceLinks', effect: { status: 404 } }];
    await world.sync();
    const { snapshot } = await world.sync({ acceptRights: true });
    const answer = askingReplica(world.dataDir)(`/v1/spaces/${space}/links`);
    expect([snapshot.state, errorIn(answer), stateIn(answer)]).toEqual(['complete', UNTOLD, 'complete']);
    const told = JSON.stringify(answer.body);
    expect(told).toContain('as was accepted');
    expect(told).not.toContain('ask again');
  });

  it('says of a space whose content was never read that its pages, files and links are not known: they were none', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
    const at = await night(world, [{ operation: 'getRevision', effect: REFUSED }]);
    const ask = askingReplica(world.dataDir);
    for (const place of ['content', 'content/pages', 'content/files', 'content/page/some', 'search?query=text'])
      expect([place, errorIn(ask(`/v1/spaces/${space}/${place}${place.includes('?') ? '&' : '?'}at=${at}`))]).toEqual([
        place,
        UNTOLD,
      ]);
    expect(ask(`/v1/spaces/${space}/comments?at=${at}`).body).toEqual(NONE);
  });

  it('says of a page whose text was never read that it is not known, and shows it in its tree: it did not exist', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
    const [page] = (await world.api.getRevision({ path: { spaceId: space } })).pages;
    const at = await night(world, [{ operation: 'getPage', effect: { status: 500 } }]);
    const ask = askingReplica(world.dataDir);
    expect(errorIn(ask(`/v1/spaces/${space}/content/page/${page?.id}?at=${at}`))).toEqual(UNTOLD);
    expect(ask(`/v1/spaces/${space}/content/pages?at=${at}`).body).toMatchObject({ pages: [{ title: 'Home' }] });
    expect(ask(`/v1/spaces/${space}/content/page/nothing?at=${at}`).status).toBe(404);
  });

  it('does not take the text of a space for that of a change request which has another, and could not be read', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
    const { Home: page = '' } = await pagesOf(world, space);
    const changes = [{ type: 'update_page' as const, page, document: { markdown: 'Other.' } }];
    const { id } = await addRequest(world, space, { subject: 'Edit', changes });
    const at = await night(world, [{ operation: 'getChangeRequestPage', effect: { status: 500 } }]);
    const ask = askingReplica(world.dataDir);
    const shown = (content: string): Answered =>
      ask(`/v1/spaces/${space}/${content}/page/${page}?format=markdown&at=${at}`);
    expect(shown('content').body).toMatchObject({ markdown: '# Home\n\nText.\n' });
    expect(errorIn(shown(`change-requests/${id}/content`))).toEqual(UNTOLD);
  });

  it('says of a collection that it is not known where no walk could list any: its key names no organization', async () => {
    await using world = await TestWorld.create();
    const at = await night(world, [{ operation: 'listCollections', effect: REFUSED }]);
    const ask = askingReplica(world.dataDir);
    for (const place of ['collections/some', `orgs/${world.organization}/collections`])
      expect([place, errorIn(ask(`/v1/${place}?at=${at}`))]).toEqual([place, UNTOLD]);
    expect(ask(`/v1/collections/some?at=${await night(world)}`).status).toBe(404);
  });

  it('shows an empty list where a snapshot that was forgotten may have read it: nobody can tell any more', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    const retitle = (title: string): Promise<unknown> =>
      world.api.updateSpace({ path: { spaceId: space }, body: { title } });
    await night(world);
    await retitle('Second');
    const at = await night(world, [{ operation: 'listComments', effect: REFUSED }]);
    await retitle('Third');
    await night(world);
    pinSnapshot(world.mirror, at, 'the one that is asked for');
    atOnce(forget(world.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    expect(rowsOf(world.mirror, 'select id from snapshots order by id')).toEqual([{ id: 2 }, { id: 3 }]);
    const answer = askingReplica(world.dataDir)(`/v1/spaces/${space}/comments?at=${at}`);
    expect([answer.status, answer.body, stateIn(answer)]).toEqual([200, NONE, 'partial']);
  });

  it('says what a walk that was told to end early did not come to below change requests: they had no comments', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    const requests = [];
    for (const subject of ['One', 'Two', 'Three']) requests.push(await addRequest(world, space, { subject }));
    const [first] = requests;
    await world.api.createChangeRequestComment({
      path: { spaceId: space, changeRequestId: first?.id ?? '' },
      body: { body: { markdown: 'Said' } },
    });
    const ask = askingReplica(world.dataDir);
    let untold = 0;
    for (let turn = 1; turn < 12; turn++) {
      const { snapshot } = await world.sync({ settings: { maxRequests: 12 + turn, lanes: 1 } });
      const known = rowsOf(world.mirror, 'select id from change_requests').length;
      for (const { id } of known === 0 ? [] : requests) {
        const answer = ask(`/v1/spaces/${space}/change-requests/${id}/comments?at=${snapshot.id}`);
        if (answer.status === 200) expect(answer.body).toMatchObject({ count: id === first?.id ? 1 : 0 });
        else expect(errorIn(answer)).toEqual(UNTOLD);
        untold += answer.status === 200 ? 0 : 1;
      }
      if (snapshot.state === 'complete') break;
    }
    expect(untold).toBeGreaterThan(0);
  });
});

const LISTS = kindNames.flatMap((kind): OperationName[] => {
  const { read } = kindOf(kind);
  return read.from === 'list' ? [read.operation as OperationName] : [];
});

describe('replica/a first walk', () => {
  let world: TestWorld;
  let clean: (target: string) => Answered;
  let targets: string[];

  beforeAll(async () => {
    world = await TestWorld.create({ checkAnswers: false });
    await organize(world);
    await furnish(world);
    await world.sync();
    clean = askingReplica(world.dataDir);
    const reader = readerAt(world.mirror, 1);
    targets = LISTS.flatMap((operation) => {
      const { path } = operationOf(operation);
      const kind = kindNames.find((one) => {
        const { read } = kindOf(one);
        return read.from === 'list' && read.operation === operation;
      });
      const parent = kindNames.find((one) => one === (kind && kindOf(kind).parent));
      const holders = parent === undefined ? [{}] : [...reader.resources(parent)].map(({ params }) => params);
      return holders.map((params: Readonly<Record<string, string>>) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
      );
    });
  }, 60_000);

  afterAll(() => world[Symbol.asyncDispose]());

  // Without organizations there is no snapshot.
  it.each(LISTS.filter((name) => name !== 'listOrganizations'))(
    'that could not %s calls nothing empty that is not, and nothing unknown that it has read',
    async (operation) => {
      const dataDir = world.folder();
      using mirror = await openMirror({ dataDir, clock: world.clock });
      world.platform.faults = [{ operation, effect: REFUSED }];
      const { snapshot } = await world.sync({ mirror });
      world.platform.faults = [];
      const ask = askingReplica(dataDir);
      const failed = rowsOf(mirror, 'select request from failures').map(({ request }) =>
        String(request).replace(/^GET |\?.*$/g, ''),
      );
      const isRead = (target: string): boolean => !failed.some((path) => path !== '' && target.startsWith(path));
      for (const target of targets) {
        const [own, truth] = [ask(`${target}?at=${snapshot.id}`), clean(target)];
        const counts = [own, truth].map(({ body }) => (body as { count?: number }).count ?? null);
        if (own.status === 200 && counts[0] === 0)
          expect([operation, target, counts[1]]).toEqual([operation, target, 0]);
        // Spaces have no listing of their own: nothing tells that one is lacking which no route has shown.
        if (!target.startsWith('/v1/spaces/')) expect([target, own.status]).not.toEqual([target, 404]);
        if (own.status === 503) expect([operation, target, isRead(target)]).toEqual([operation, target, false]);
      }
    },
  );
});
