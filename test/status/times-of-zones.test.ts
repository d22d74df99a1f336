// Times that the platform tells in the zone of whoever wrote.
import { expect, it } from 'vitest';
import { createTestMirror } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

it('status/browse shows times of other zones in UTC, as it says: it called the hour there UTC', async () => {
  using made = await createTestMirror();
  const body = { createdAt: '2024-03-01T20:53:20+02:00', updatedAt: '2024-03-31T22:15:00.000-04:00' };
  await made.add({
    spaces: [{ id: 's', title: 'Guide', pages: [{ id: 'p', title: 'Home', text: '# Home\n', body }] }],
  });
  const visit = visitor(made);
  const { text } = await visit('/browse/spaces/s/pages/p');
  expect(text).toContain('2024-03-01 18:53 UTC');
  expect(text).toContain('2024-04-01 02:15 UTC');
  expect((await visit('/report')).text).toContain('<td>2024-04-01</td>');
});
