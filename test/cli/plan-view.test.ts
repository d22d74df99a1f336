// What stands above and below a plan when it is shown: what is said of many things alike, and whether it can be carried out at all.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planView } from '../../src/cli/views/restore-plan.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { planLines, planOutline, planSummary, type Plan } from '../../src/restore/index.ts';
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

function shown(
  plan: Plan,
  tree: readonly string[] = planOutline(plan),
  width: number = Number.POSITIVE_INFINITY,
): string[] {
  const look = { style: createStyle(false), width, named: String };
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

it('cli/views/restore says in a narrow terminal to its end what is warned of: the table cut it, and the command in it', async () => {
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  const plan = await target.plan({ intoExisting: true });
  const narrow = shown(plan, planOutline(plan), 80);
  const whole = narrow.filter((line) => line.startsWith('earlier restore: '));
  expect(whole).toEqual([expect.stringContaining(`\`docmirror restore undo ${restore}${FLAGS}\` takes it back`)]);
  expect(shown(plan).filter((line) => line.startsWith('earlier restore: '))).toEqual([]);
});

it('cli/restore remap shows every line of what people have to do by hand: it went with the lines that were left out', async () => {
  await using target = await createTarget(world);
  const plan = await target.plan();
  const [first] = plan.steps;
  if (first === undefined) throw new Error('the plan has no step');
  const idle = { ...first, action: 'unsupported', part: 'none', kind: 'team' } as const;
  const teams = Array.from({ length: 150 }, (_, n) => ({ ...idle, title: `Team ${n}`, note: 'add Kim by hand' }));
  const people = { ...plan, steps: [first, ...teams] };
  const lines = shown(people, planLines(people)).filter((line) => line.startsWith('! team '));
  expect([lines.length, lines.at(-1)]).toEqual([150, '! team Team 149  (add Kim by hand)']);
});
