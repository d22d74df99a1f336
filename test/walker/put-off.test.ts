// A file whose bytes are lost, in the copies that settled change requests have of it: nobody edits those any more.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acceptSnapshot, isAccepted, withdrawAccepted } from '../../src/mirror/index.ts';
import type { WalkResult } from '../../src/walker/index.ts';
import { addRequest, addSpace, edit, importFiles, insert, PNG } from '../support/content.ts';
import { TestWorld, type SyncOptions } from '../support/world.ts';

let world: TestWorld;
let space: string;

/** Whose logo can never be read, neither in the space nor in two change requests that were merged. */
beforeEach(async () => {
  world = await TestWorld.create();
  space = await addSpace(world, 'Docs');
  await importFiles(world, space, { 'README.md': '# Home\n\n![Logo](assets/logo.png)\n', 'assets/logo.png': PNG });
  await edit(world, space, insert('First', 'one'));
  await edit(world, space, insert('Second', 'two'));
  loseFiles();
});

afterEach(() => world[Symbol.asyncDispose]());

function loseFiles(): void {
  world.platform.faults = [{ operation: 'download', effect: { status: 500 } }];
}

interface Night {
  readonly isSound: boolean;
  /** What could not be read, by kind. */
  readonly failed: readonly string[];
  /** How often the bytes were asked for, and the trees of change requests. */
  readonly asked: readonly [number, number];
}

async function night(options: SyncOptions = {}): Promise<Night> {
  world.platform.clearRequestLog();
  const { snapshot, failures }: WalkResult = await world.sync(options);
  return {
    isSound: snapshot.state === 'complete' || isAccepted(world.mirror, snapshot.id),
    failed: failures.map(({ kind }) => kind).toSorted(),
    asked: [world.asked('download'), world.asked('getChangeRequestRevision')],
  };
}

const OF_REQUESTS = ['change-request-file', 'change-request-file'];
const ALL = [...OF_REQUESTS, 'file'];

async function acceptedWorld(): Promise<void> {
  await night();
  acceptSnapshot(world.mirror, 1, 'ticket 7');
}

it('is asked for in a settled change request on its night of the rota, once that is accepted, and named on each: as many trees as there were change requests were read each night', async () => {
  await acceptedWorld();
  expect(await night()).toEqual({ isSound: true, failed: ALL, asked: [3, 2] });
  for (const _ of ['third', 'fourth']) expect(await night()).toEqual({ isSound: true, failed: ALL, asked: [1, 0] });
  const onItsTurn = { settings: { rereadNights: 1 } };
  expect(await night(onItsTurn)).toEqual({ isSound: true, failed: ALL, asked: [3, 2] });
  expect((await night()).asked).toEqual([1, 0]);
  // That of the space is read by this walk, and so the next one asks for its copies.
  world.platform.faults = [];
  expect(await night()).toMatchObject({ isSound: true, failed: OF_REQUESTS });
  expect((await night()).failed).toEqual([]);
});

it('is asked for each night as long as nobody accepted that, and again once that is taken back', async () => {
  await night();
  expect(await night()).toEqual({ isSound: false, failed: ALL, asked: [3, 2] });
  acceptSnapshot(world.mirror, 2, 'ticket 7');
  await night();
  expect((await night()).asked).toEqual([1, 0]);
  withdrawAccepted(world.mirror, 4);
  expect(await night()).toEqual({ isSound: false, failed: ALL, asked: [3, 2] });
});

it('stays named over a night in which something else failed, and holds for the change requests that are merged later', async () => {
  await acceptedWorld();
  await night();
  await edit(world, space, insert('Third', 'three'));
  world.platform.faults = [
    { operation: 'download', effect: { status: 500 } },
    { operation: 'listSites', effect: { status: 500 } },
  ];
  const third = await night();
  expect([third.isSound, third.failed]).toEqual([false, ['change-request-file', ...ALL, 'site']]);
  loseFiles();
  expect(await night()).toMatchObject({ isSound: true, failed: ['change-request-file', ...ALL] });
  expect((await night()).asked).toEqual([1, 0]);
});

it('is asked for as soon as somebody takes the change request up again', async () => {
  const { id } = await addRequest(world, space, { subject: 'Later', changes: [insert('Third', 'three')] });
  const path = { spaceId: space, changeRequestId: id };
  await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
  await acceptedWorld();
  await night();
  expect((await night()).asked).toEqual([1, 0]);
  await world.api.updateChangeRequest({ path, body: { status: 'open' } });
  expect((await night()).asked[0]).toBe(2);
  expect((await night()).asked).toEqual([2, 1]);
});

it('is asked for in change requests that were merged since, too, once that is taken back: those were left to the rota', async () => {
  await acceptedWorld();
  await night();
  await edit(world, space, insert('Third', 'three'));
  await night();
  expect((await night()).asked).toEqual([1, 0]);
  withdrawAccepted(world.mirror, 1);
  expect(await night()).toMatchObject({ isSound: false, asked: [4, 3] });
});
