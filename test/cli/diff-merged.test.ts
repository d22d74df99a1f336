// A page that was edited through a change request is told once, with the request beside it.
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { addRequest, addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const KINDS = /^(?:added|changed|removed)\s+(\S+)/gm;

async function told(
  world: TestWorld,
  args: readonly string[],
): Promise<{ kinds: (string | undefined)[]; text: string }> {
  const { code, stdout } = await runCli([...args, '--data-dir', world.dataDir]);
  expect(code).toBe(0);
  return { kinds: Array.from(stdout.matchAll(KINDS), ([, kind]) => kind), text: stdout };
}

it('cli/diff and changes tell an edited page once, and say of its change request that it was merged: its copy in the request stood beside it', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Handbook');
  await edit(world, space, insert('Start', 'Old.'), insert('Use', 'Run it.'));
  const { Start: page = '', Use: use = '' } = await pagesOf(world, space);
  const change = (id: string, markdown: string): Change => ({ type: 'update_page', page: id, document: { markdown } });
  const { id: changeRequestId } = await addRequest(world, space, { subject: 'Long', changes: [change(use, 'First.')] });
  await world.sync();
  await edit(world, space, change(page, 'New.'));
  const path = { spaceId: space, changeRequestId };
  await world.api.changeContent({ path, body: { changes: [change(use, 'Second.')] } });
  await world.api.mergeChangeRequest({ path });
  await addRequest(world, space, { subject: 'Draft of more' });
  await world.sync();
  const { kinds, text } = await told(world, ['diff', '1', '2']);
  const requests = ['change-request', 'change-request', 'change-request'];
  expect(kinds).toEqual(['space', 'revision', 'page', 'page', ...requests]);
  expect(text).toMatch(/changed +change-request +Long +Handbook +merged,/);
  expect(text).toMatch(/added +change-request +Edit +Handbook +merged/);
  expect(text).toMatch(/added +change-request +Draft of more +Handbook +draft/);
  expect(text).toContain('are content of the change requests above: --json lists it');
  expect((await told(world, ['diff', '1', '2', '--text', '--space', space])).kinds).toEqual(kinds);
  expect((await told(world, ['diff', '1', '2', '--kind', 'change-request-page'])).kinds.length).toBeGreaterThan(1);
  const feed = rowsOf(
    world.mirror,
    `select change || ' ' || kind || ' ' || label || ' ' || coalesce(status, '-') as told from changes
    where snapshot = 2 and label in ('Start', 'Use', 'Long', 'Edit') order by told`,
  );
  expect(feed.map((row) => row['told'])).toEqual([
    'added change-request Edit merged',
    // The draft's own copies are no pages of the space.
    'added change-request-page Start -',
    'added change-request-page Use -',
    'changed change-request Long merged',
    'changed page Start -',
    'changed page Use -',
  ]);
});
