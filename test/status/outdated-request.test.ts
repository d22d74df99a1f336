import { describe, expect, it } from 'vitest';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const NOTE = 'what the space has changed since shows here as well';

describe('status/browse of a change request that is behind its space', () => {
  it('says that pages which the space got since look removed: they seemed to be taken away by the request', async () => {
    using made = await createTestMirror();
    const params = { spaceId: 's1', changeRequestId: 'r1' };
    const request = { id: 'r1', number: 1, status: 'open', outdated: false };
    takeSnapshot(made.mirror, ({ see }) => {
      see({ kind: 'space', params: { spaceId: 's1' }, body: { id: 's1', title: 'Guide' } });
      see({ kind: 'change-request', params, body: request });
      see({ kind: 'change-request-revision', params, body: { id: 'v1' } });
      see({ kind: 'change-request-page', params: { ...params, pageId: 'new' }, body: { id: 'new', title: 'New' } });
    });
    takeSnapshot(made.mirror, ({ see }) => {
      see({ kind: 'change-request', params, body: { ...request, outdated: true } });
      see(page('since', 'Written since.'));
    });
    const visit = visitor(made);
    const { text } = await visit('/browse/spaces/s1/change-requests/r1');
    expect(text).toContain('<span class="bad">removed</span>');
    expect(text).toContain(NOTE);
    expect((await visit('/browse/spaces/s1/change-requests/r1?at=1')).text).not.toContain(NOTE);
  });
});

it('status/browse of a change request says how many more pages it changes than are shown: of 503 those three were not there, and nothing told', async () => {
  using made = await createTestMirror();
  const pages = Array.from({ length: 503 }, (_, n) => ({ id: `p${n}`, title: `Page ${n}` }));
  const requests = [{ id: 'r1', number: 1, subject: 'Proposal', pages }];
  await made.add({ spaces: [{ id: 's1', title: 'Guide', requests }] });
  const { text } = await visitor(made)('/browse/spaces/s1/change-requests/r1');
  expect(text.match(/<span class="good">added<\/span>/g)).toHaveLength(500);
  expect(text).toContain('and 3 more; docmirror query shows all');
});
