// What stands above and below a plan when it is shown: what is said of many things alike, and whether it can be carried out at all.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planView } from '../../src/cli/views/restore.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { planOutline, planSummary, type Plan } from '../../src/restore/index.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const FLAGS = ' --target-url http://target.example';

let world: TestWorld;

beforeAll(async () => {
  world = await TestWorld.create();
  const path = { organizationId: world.organization };
  for (let n = 1; n <= 9; n++) await world.api.createCollection({ path, body: { title: `Shelf ${n}` } });
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

function shown(plan: Plan, tree: readonly string[] = planOutline(plan)): string[] {
  const look = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
  const said = { file: 'plan.json', plan, summary: planSummary(plan), tree, flags: FLAGS };
  return planView(said, look).split('\n');
}

it('cli/views/restore says once what it says of many names alike: each space and collection that was there had a line', async () => {
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  const lines = shown(await target.plan({ intoExisting: true }));
  const alike = lines.filter((line) => line.includes('one of this name is there'));
  expect(alike).toEqual([
    expect.stringMatching(/^9 collections +warn +of each: one of this name .*\(Shelf 1, .* Shelf 6 and 3 more\)$/u),
  ]);
  const earlier = lines.find((line) => line.startsWith('earlier restore'));
  expect(earlier, 'the command is whole').toContain(`\`docmirror restore undo ${restore}${FLAGS}\` takes it back`);
});

it('cli/views/restore does not offer to carry out what the token may not: the table said fail, and the line below to apply', async () => {
  await using target = await createTarget(world);
  const { organization, platform } = target;
  const reader = { displayName: 'Reader', email: 'reader@example.com', organization, role: 'read' as const };
  const { token } = platform.createUser(reader);
  await using client = world.clientOf({ url: platform.url, token });
  const [refused, granted] = [await target.plan({ client }), await target.plan()].map((plan) => shown(plan).at(-1));
  expect(refused).toBe(
    `Nothing was written yet. What failed above must be mended first, or this is refused: docmirror restore apply plan.json${FLAGS}`,
  );
  expect(granted).toBe(`Nothing was written yet. To carry it out: docmirror restore apply plan.json${FLAGS}`);
});

it('cli/views/restore shows what cannot come back of a plan of any length: it went with the lines that were left out, and only its number was told', async () => {
  await using target = await createTarget(world);
  const writes = Array.from({ length: 150 }, (_, n) => `~ space ${n}`);
  const notes = ['', 'Cannot come back:', '! 1 team: no operation changes who is in a team (Writers)'];
  const lines = shown(await target.plan(), [...writes, '  - page Old  (not in the snapshot)', ...notes]);
  expect(lines.slice(119, 124)).toEqual([
    '~ space 119',
    '… and 31 more lines, 1 of which takes something away: all is in plan.json',
    ...notes,
  ]);
});
