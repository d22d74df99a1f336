import { describe, expect, it } from 'vitest';
import { createTestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot, type Hand } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const SPACE = { spaceId: 's1' };

function seeSpace({ see }: Hand, id: string): void {
  see({ kind: 'space', params: { spaceId: id }, body: { object: 'space', id, title: `Space ${id}` } });
}

function seePage({ see }: Hand, id: string, text = ''): void {
  see({ kind: 'page', params: { ...SPACE, pageId: id }, body: { id, title: id, type: 'document' }, text });
}

function commentOn(id: string, commentId: string): Record<string, unknown> {
  return {
    id: commentId,
    status: 'open',
    body: { markdown: 'Words' },
    target: { page: { id, title: `Title of ${id}` } },
  };
}

function seeComment({ see }: Hand, page: string): void {
  see({ kind: 'comment', params: { ...SPACE, commentId: page }, body: commentOn(page, page) });
}

describe('status/browse of what names a page that is gone', () => {
  it('links a comment to its page only while that is there: it led to an error', async () => {
    using test = await createTestMirror();
    takeSnapshot(test.mirror, (hand) => {
      seeSpace(hand, 's1');
      for (const page of ['stays', 'goes']) {
        seePage(hand, page);
        seeComment(hand, page);
      }
    });
    takeSnapshot(test.mirror, ({ bury }) => bury('page', 's1/goes'));
    const visit = visitor(test);
    const { text } = await visit('/browse/spaces/s1');
    expect(text).toContain('on <a href="/browse/spaces/s1/pages/stays">Title of stays</a>');
    expect(text).toContain('on <bdi>Title of goes</bdi>, which is not in this snapshot any more');
    expect((await visit('/browse/spaces/s1?at=1')).text).toContain('<a href="/browse/spaces/s1/pages/goes?at=1">');
  });

  it('says that a comment stands beside a page which the change request adds: it led to an error', async () => {
    using test = await createTestMirror();
    const request = { ...SPACE, changeRequestId: 'r1' };
    takeSnapshot(test.mirror, (hand) => {
      seeSpace(hand, 's1');
      hand.see({ kind: 'change-request', params: request, body: { id: 'r1', number: 1, status: 'open' } });
      const body = { id: 'added', title: 'Added', type: 'document' };
      hand.see({ kind: 'change-request-page', params: { ...request, pageId: 'added' }, body });
      hand.see({
        kind: 'change-request-comment',
        params: { ...request, commentId: 'c' },
        body: commentOn('added', 'c'),
      });
    });
    const { text } = await visitor(test)('/browse/spaces/s1/change-requests/r1');
    expect(text).toContain('on <bdi>Title of added</bdi>, which is in the change request alone');
  });

  it('leads from a text to another space only while that is there, as it does to a page', async () => {
    using test = await createTestMirror();
    takeSnapshot(test.mirror, (hand) => {
      seeSpace(hand, 's1');
      seeSpace(hand, 's2');
      seePage(hand, 'p1', '# p1\n\nSee [there](/spaces/s2).');
    });
    takeSnapshot(test.mirror, ({ bury }) => bury('space', 's2'));
    const visit = visitor(test);
    expect((await visit('/browse/spaces/s1/pages/p1?at=1')).text).toContain('href="/browse/spaces/s2?at=1"');
    const { text } = await visit('/browse/spaces/s1/pages/p1');
    expect(text).toContain('there');
    expect(text).not.toContain('/browse/spaces/s2');
  });
});
