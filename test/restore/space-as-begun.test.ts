// A platform of its own age may make spaces, but not let the maker say how they can be edited.
import { expect, it } from 'vitest';
import { operationOf, Refusal } from '../../src/contract/index.ts';
import type { PlatformOptions } from '../../src/platform/index.ts';
import { sharedChecks } from '../support/checks.ts';
import { addSpace, importFiles } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const { contents } = sharedChecks;

const checks: PlatformOptions['checks'] = {
  ...sharedChecks,
  contents: {
    ...contents,
    demand: (schema, value) => {
      if (schema === operationOf('createSpace').body && Object.hasOwn(Object(value), 'editMode'))
        throw new Refusal(400, 'editMode: is not known');
      contents.demand(schema, value);
    },
  },
};

it('restore/apply makes spaces where the target takes no edit mode from whoever makes them: none came at all', async () => {
  await using world = await TestWorld.create();
  for (const title of ['Guide', 'Start'])
    await importFiles(world, await addSpace(world, title), { 'README.md': '# First\n\nText.\n' });
  await world.sync();
  await using target = await createTarget(world, { checks });
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true, differences: [] });
});
