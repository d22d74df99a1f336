// What a condition in SQL chooses, whatever names the resource: its own id, a name, or the id of another.
import { expect, it } from 'vitest';
import { wholeWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';

it('restore/selection finds fields, values and members that a condition names: it said that there were none, or took those of another organization', async () => {
  await using world = await wholeWorld();
  const other = world.platform.createOrganization({ title: 'Other' });
  await world.api.createCustomField({ path: { organizationId: other }, body: { name: 'stage', type: 'text' } });
  await world.sync();
  await using target = await createTarget(world);
  const here = `organization = '${world.organization}'`;
  const found = async (kind: string, where: string): Promise<string[]> => {
    const { steps } = await target.plan({ scope: `kind:${kind}`, where });
    return steps.filter((step) => step.kind === kind).map(({ key, title }) => `${key.split('/')[0] ?? ''} ${title}`);
  };

  expect(await found('custom-field', `name = 'stage' and ${here}`)).toEqual([`${world.organization} Stage`]);
  const members = await found('member', here);
  expect(new Set(members.map((line) => line.split(' ')[0]))).toEqual(new Set([world.organization]));
  const guides = "space in (select id from spaces where title = 'Guide') and value is not null";
  expect(await found('custom-field-value', guides)).toHaveLength(1);
});
