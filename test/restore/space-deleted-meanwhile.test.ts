// Somebody deletes a space while a restore writes into it.
import { expect, it } from 'vitest';
import { applyView } from '../../src/cli/views/restore-apply.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import type { ApplyResult } from '../../src/restore/index.ts';
import { edit } from '../support/content.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

/** The lines that say what to do next. */
function adviceOf(result: ApplyResult): string[] {
  const shown = applyView(
    result,
    { flags: '', target: { baseUrl: null, token: null } },
    { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String },
  );
  return shown.split('\n').filter((line) => /^(?:Next|Then):/.test(line));
}

it('restore apply in place names a space that is deleted meanwhile and asks for a new plan: its advice was to resume', async () => {
  const { world, made, place } = await anew();
  await using _ = world;
  const page = made.pages['Use'] ?? '';
  await edit(world, made.guide, { type: 'update_page', page, title: 'Use', document: { markdown: 'Bad.' } });
  const plan = await place.plan();
  await using proxy = await rewriting(world);
  proxy.rewrite = async ({ method, path }) => {
    const isBegun = method === 'POST' && path.endsWith(`/spaces/${made.guide}/change-requests`);
    if (isBegun) await world.api.deleteSpace({ path: { spaceId: made.guide } });
    return undefined;
  };
  const result = await place.apply(plan, { client: proxy.client });
  const [failure] = result.failures.filter(({ skipped }) => !skipped);
  expect(failure).toMatchObject({ kind: 'revision', isHeldBack: true });
  expect(failure?.error).toContain(`space ${made.guide}, which it is written into, was deleted`);
  expect(adviceOf(result).join('\n')).toMatch(/^Next: docmirror restore plan/);
  expect(adviceOf(result).join('\n')).not.toContain('resume');
  const again = await place.resume(result.restore);
  expect(adviceOf(again)).toEqual(adviceOf(result));
  expect((await place.apply(await place.plan())).failures).toEqual([]);
});

it('restore apply into another organization says so too, for all that is of the space', async () => {
  const { world } = await anew();
  await using _ = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  await using proxy = await rewriting(world, target.platform);
  let gone: string | undefined;
  proxy.rewrite = async ({ method, path }) => {
    const [, space] = /\/spaces\/(\w+)\/change-requests$/.exec(path) ?? [];
    if (method !== 'POST' || gone !== undefined || space === undefined) return undefined;
    gone = space;
    await target.client.call('deleteSpace', { path: { spaceId: space } });
    return undefined;
  };
  const result = await target.apply(plan, { client: proxy.client });
  const tried = result.failures.filter(({ skipped }) => !skipped);
  expect(tried.map(({ isHeldBack }) => isHeldBack)).toEqual(tried.map(() => true));
  expect(tried[0]?.error).toContain(`space ${gone}, which it is written into, was deleted`);
  expect(tried[0]?.hint).toContain(`--scope space:${tried[0]?.key} --into-existing`);
  expect(adviceOf(result).join('\n')).not.toContain('resume');
});
