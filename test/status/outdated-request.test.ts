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
