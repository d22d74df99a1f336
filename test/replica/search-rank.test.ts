// What the search of the replica gives first, at the last snapshot and at an earlier one.
import { expect, it } from 'vitest';
import { createTestMirror } from '../support/mirror-builder.ts';
import { askingReplica } from '../support/replica.ts';

it('replica/search gives the best page of a space first, at any snapshot: it was the order of the tree', async () => {
  using made = await createTestMirror();
  const few = 'Other words of a page that is about another thing. '.repeat(20);
  const pages = [
    { id: 'once', title: 'History', text: `${few} install` },
    { id: 'often', title: 'Tools', text: 'How to install, and what to install.' },
    { id: 'apart', title: 'Parts', text: `Install it.\n\n## Then\n\n${few} tool` },
    { id: 'named', title: 'Install', text: few },
  ];
  const rest = Array.from({ length: 9 }, (_, n) => ({ id: `p${n}`, title: `Page ${n}`, text: few }));
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages: [...rest, ...pages] }] });
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages: [...rest, ...pages.slice(0, 3)] }] });
  const ask = askingReplica(made.dataDir);
  const found = (query: string, at: number): string[] => {
    const { body } = ask(`/v1/spaces/s/search?query=${encodeURIComponent(query)}&at=${at}`);
    return (body as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  expect(found('install', 1)).toEqual(['named', 'often', 'apart', 'once']);
  expect(found('install', 2)).toEqual(['often', 'apart', 'once']);
  // Where the words stand in one section comes before where they stand in several.
  expect(found('install tool', 1)).toEqual(['often', 'apart']);
});
