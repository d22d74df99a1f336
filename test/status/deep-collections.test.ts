// Collections that stand within each other by the thousand, as a program makes them.
import { expect, it } from 'vitest';
import { readerAt } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { askingReplica } from '../support/replica.ts';
import { visitor } from '../support/status-visitor.ts';

const DEEP = 5000;

it('status/browse and the replica show collections that stand within each other by the thousand: both answered with a fault of Docmirror', async () => {
  using made = await createTestMirror();
  const collections = Array.from({ length: DEEP }, (_, nth) => ({
    id: `c${nth}`,
    title: `Within ${nth}`,
    ...(nth === 0 ? {} : { parent: `c${nth - 1}` }),
  }));
  await made.add({ collections, spaces: [{ id: 's', title: 'Deepest', parent: `c${DEEP - 1}` }] });
  const { status, text } = await visitor(made)('/browse');
  expect([status, text.match(/<summary>/g)?.length, text.includes('>Deepest</a>')]).toEqual([200, DEEP, true]);
  const [organization] = [...readerAt(made.mirror, 1).resources('organization')];
  const { body } = askingReplica(made.dataDir)(`/v1/orgs/${organization?.id ?? ''}/collections?limit=1000`);
  const { items, count } = body as { items: { id: string }[]; count: number };
  expect([items.map(({ id }) => id), count]).toEqual([collections.slice(0, 1000).map(({ id }) => id), DEEP]);
});
