// What diff shows for people: lines that are not the same do not look the same, and what has no name is named.
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it('shows lines and titles that differ only in what nobody sees, or beyond the thousandth character: they looked equal', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Handbook');
  const long = 'word '.repeat(400);
  const text = (one: string, two: string): string => `A line${one} of text\n\n${long}${two}.\n`;
  await edit(world, space, insert('Start', text('', 'one')));
  await world.sync();
  const { Start: page = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page, document: { markdown: text('\u200b\u202e', 'two') } });
  await world.api.updateSpace({ path: { spaceId: space }, body: { title: 'Hand\u200bbook' } });
  await world.sync();
  const diff = await runCli(['diff', '1', '2', '--text', '--data-dir', world.dataDir]);
  expect(diff.code).toBe(0);
  const lines = diff.stdout.split('\n');
  expect(lines).toContain('  -A line of text');
  expect(lines).toContain('  +A line<U+200B><U+202E> of text');
  expect(lines).toContain('  title: "Handbook" -> "Hand<U+200B>book"');
  const ends = lines.filter((line) => line.includes('characters before)'));
  expect(ends.map((line) => [line.charAt(2), /(\w+)\.$/.exec(line)?.[1]])).toEqual([
    ['-', 'one'],
    ['+', 'two'],
  ]);
});

it('names a revision by whose pages it holds: it was named by the id of the space', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Start here');
  await world.sync();
  await edit(world, space, insert('One', 'Text'));
  await world.sync();
  const diff = await runCli(['diff', '1', '2', '--data-dir', world.dataDir]);
  expect(diff.stdout).toMatch(/^changed +revision +pages of "Start here" /m);
  const ofRequest = await runCli([...'diff 1 2 --kind change-request-revision --data-dir'.split(' '), world.dataDir]);
  expect(ofRequest.stdout).toMatch(/^added +change-request-revision +pages of "Edit" /m);
  const sql = "select label from changes where kind = 'revision' and snapshot = 2";
  const changes = await runCli(['query', '--csv', sql, '--data-dir', world.dataDir]);
  expect(changes.stdout).toContain('"pages of ""Start here"""');
});

it('names the value of a custom field by its space, too: each space had a row with nothing but the name of the field', async () => {
  await using world = await TestWorld.create();
  const spaceId = await addSpace(world, 'Start here');
  await world.sync();
  await world.api.createCustomField({
    path: { organizationId: world.organization },
    body: { name: 'stage', type: 'text' },
  });
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value: 'draft' } } } });
  await world.sync();
  const diff = await runCli(['diff', '1', '2', '--data-dir', world.dataDir]);
  expect(diff.stdout).toMatch(/^added +custom-field-value +stage in Start here /m);
  const sql = "select label from changes where kind = 'custom-field-value'";
  expect(rowsOf(world.mirror, sql)).toEqual([{ label: 'stage in Start here' }]);
});

it('names a version of a specification by that, too: nothing but an id stood for it and its content', async () => {
  await using world = await TestWorld.create();
  await world.sync();
  const text = '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{}}';
  const path = { organizationId: world.organization };
  await world.api.createOpenApiSpec({ path, body: { slug: 'pet-store', source: { text } } });
  await world.platform.settle();
  await world.sync();
  const diff = await runCli(['diff', '1', '2', '--data-dir', world.dataDir]);
  expect(diff.stdout).toMatch(/^added +openapi-spec-version +(\w+) of pet-store +\w+\/pet-store\/\1$/m);
  expect(diff.stdout).toMatch(/^added +openapi-spec-content +\w+ of pet-store /m);
});

it('names the space of what is listed: two pages of the same name in two spaces were told apart by an id alone', async () => {
  await using world = await TestWorld.create();
  const spaces = [await addSpace(world, 'Handbook'), await addSpace(world, 'Guide')];
  for (const space of spaces) await edit(world, space, insert('Overview', 'Text'));
  await world.sync();
  for (const space of spaces) {
    const { Overview: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page, document: { markdown: 'Other' } });
  }
  await world.sync();
  const diff = (...more: string[]) =>
    runCli(['diff', '1', '2', '--data-dir', world.dataDir, '--kind', 'page', ...more]);
  const { stdout } = await diff();
  expect(
    stdout
      .match(/^changed +page +Overview +\w+/gm)
      ?.map((line) => line.split(/ +/).at(-1))
      ?.toSorted(),
  ).toEqual(['Guide', 'Handbook']);
  expect((await diff('--text')).stdout).toMatch(/^changed page Overview in Guide /m);
  // Where one is asked for, all is of that.
  expect((await diff('--space', spaces[0] ?? '')).stdout).not.toMatch(/Handbook|Guide/);
});
