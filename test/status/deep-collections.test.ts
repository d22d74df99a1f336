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

it('status/browse and the replica show collections that stand within themselves, with what they hold: neither showed any of it', async () => {
  using made = await createTestMirror();
  const collections = [
    { id: 'top', title: 'Top' },
    { id: 'own', title: 'Own', parent: 'own' },
    { id: 'one', title: 'One', parent: 'other' },
    { id: 'other', title: 'Other', parent: 'one' },
  ];
  await made.add({ collections, spaces: [{ id: 's', title: 'Inside', parent: 'other' }] });
  const { text } = await visitor(made)('/browse');
  expect([text.match(/<summary>\w+/g)?.toSorted(), text.includes('>Inside</a>')]).toEqual([
    ['<summary>One', '<summary>Other', '<summary>Own', '<summary>Top'],
    true,
  ]);
  const [organization] = [...readerAt(made.mirror, 1).resources('organization')];
  const ask = askingReplica(made.dataDir);
  const { body } = ask(`/v1/orgs/${organization?.id ?? ''}/collections`);
  expect(body).toMatchObject({ count: 4, items: [{ id: 'top' }, { id: 'own' }, { id: 'one' }, { id: 'other' }] });
  const { body: tops } = ask(`/v1/orgs/${organization?.id ?? ''}/collections?nested=false`);
  expect(tops).toMatchObject({ count: 4 });
});
