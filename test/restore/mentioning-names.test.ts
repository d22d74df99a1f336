// People whose names look like mentions: the credit lines of their comments are written so that these call nobody.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { inPlace, mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

/** Whoever has posted something is called so. */
function named(value: unknown): unknown {
  const withName = (_field: string, one: unknown): unknown =>
    isRecord(one) && one['object'] === 'user' && 'displayName' in one ? { ...one, displayName: 'Robin (@robin)' } : one;
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value), withName) as unknown);
}

interface Lost extends Mirrored, AsyncDisposable {
  readonly proxy: Rewriting;
}

/** A comment of such a person is deleted. */
async function withLoss(): Promise<Lost> {
  const there = await anew();
  const { world, made } = there;
  const proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: named(body) });
  await world.sync({ client: proxy.client, mode: 'full' });
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { ...there, proxy, [Symbol.asyncDispose]: dispose };
}

it('restore/verify finds the author in a credit line whose name calls nobody: it was told to be another', async () => {
  await using lost = await withLoss();
  const place = inPlace(lost.world, lost.proxy.client);
  const { restore, failures } = await place.apply(await place.plan({ missing: true, snapshot: 2 }));
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).differences).toEqual([]);
});

it('restore/apply knows a comment by a credit line whose name calls nobody, where an older copy of the mirror was put back: it stood there twice', async () => {
  await using lost = await withLoss();
  const { world, proxy } = lost;
  const plan = await inPlace(world, proxy.client).plan({ missing: true, snapshot: 2 });
  const copy = join(world.folder(), 'copy');
  world.close();
  cpSync(world.dataDir, copy, { recursive: true });
  await world.open();
  await inPlace(world, proxy.client).apply(plan);
  world.close();
  rmSync(world.dataDir, { recursive: true });
  cpSync(copy, world.dataDir, { recursive: true });
  await world.open();
  await expect(inPlace(world, proxy.client).apply(plan)).rejects.toMatchObject({
    code: 'DM_PLAN_STALE',
    message: expect.stringContaining('comment How often? has come to stand there since') as string,
  });
});
