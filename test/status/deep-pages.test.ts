// Pages that stand below themselves, as a platform may show by mistake, and pages below each other by the thousand.
import { expect, it } from 'vitest';
import { createTestMirror, type PageSpec } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

it('status/browse shows pages that stand below themselves, with what is below them: the space left them out, and a page its way', async () => {
  using made = await createTestMirror();
  const pages: PageSpec[] = [
    { id: 'whole', title: 'Whole' },
    { id: 'a', title: 'A', pages: [{ id: 'b', title: 'B', pages: [{ id: 'below', title: 'Below' }] }] },
    { id: 'own', title: 'Own' },
  ];
  await made.add({ spaces: [{ id: 's', title: 'Space', pages }] });
  const ofPage = (id: string): string => `(select rid from resources where kind = 'page' and id = '${id}')`;
  for (const [page, above] of [
    ['a', 'b'],
    ['own', 'own'],
  ] as const)
    made.mirror.store.driver.exec(`update versions set parent = ${ofPage(above)} where rid = ${ofPage(page)}`);
  const visit = visitor(made);
  const linked = (text: string): (string | undefined)[] =>
    [...text.matchAll(/<li[^>]*>\s*<a href="[^"]*\/pages\/(\w+)"/g)].map(([, id]) => id);
  expect(linked((await visit('/browse/spaces/s')).text)).toEqual(['whole', 'a', 'b', 'below', 'own']);
  const { text } = await visit('/browse/spaces/s/pages/below');
  expect(text).toMatch(/pages\/a"[^]*pages\/b"[^]*aria-current="page">Below/);
});

const DEEP = 5000;

it('status/browse shows pages that stand below each other by the thousand, and the way to one: it answered with a fault of Docmirror', async () => {
  using made = await createTestMirror();
  const pages = Array.from({ length: DEEP }, (_, nth) => ({ id: `p${nth}`, title: `P${nth}` }));
  await made.add({ spaces: [{ id: 's', title: 'Space', pages }] });
  made.mirror.store.driver
    .exec(`update versions set parent = (select above.rid from resources r join resources above on above.kind = 'page'
    and above.id = 'p' || (substr(r.id, 2) - 1) where r.rid = versions.rid and r.kind = 'page')`);
  const visit = visitor(made);
  const shown = await visit('/browse/spaces/s');
  expect([shown.status, shown.text.match(/pages\/p\d+"/g)?.length]).toEqual([200, DEEP]);
  const last = await visit(`/browse/spaces/s/pages/p${DEEP - 1}`);
  expect([last.status, last.text.includes(`aria-current="page">P${DEEP - 1}`)]).toEqual([200, true]);
});
