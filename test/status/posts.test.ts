// Comments with pictures, as the browser of the mirror shows them.
import { describe, expect, it } from 'vitest';
import type { SnapshotReader } from '../../src/mirror/index.ts';
import { commentList, commentsBelow } from '../../src/status/browse/posts.ts';
import { searchView } from '../../src/status/browse/search.ts';
import { spaceView } from '../../src/status/browse/space.ts';
import { openVisit } from '../../src/status/browse/visit.ts';
import { asItIs } from '../../src/status/named.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

describe('status/browse/posts', () => {
  // With 5,000 files and 200 such comments the daemon did nothing else for 18 seconds.
  it('goes through the files of a space once for all comments with a picture, not for each of them', async () => {
    using test = await createTestMirror();
    const comments = [1, 2, 3].map((n) => ({ id: `k${n}`, markdown: `![shot ${n}](https://files.test/${n}.png?t=1)` }));
    const shot = { id: 'f2', name: '2.png', bytes: 'x', body: { downloadURL: 'https://files.test/2.png?t=7' } };
    await test.add({ spaces: [{ id: 's', title: 'S', files: [shot], comments }] });
    const visit = openVisit(test.mirror, { at: '', path: '/', named: asItIs });
    const asked: unknown[] = [];
    const outline: SnapshotReader['outline'] = (...of) => {
      asked.push(of);
      return visit.reader.outline(...of);
    };
    const counting = { ...visit, reader: { ...visit.reader, outline } };
    const shown = String(await commentList(counting, 's', commentsBelow(counting, 'comment', 's')));
    expect(asked).toEqual([['file', 's']]);
    expect(shown).toContain('<img src="/browse/spaces/s/files/f2"');
    expect(shown).toContain('Picture elsewhere: shot 3');
  });

  it('shows the comment that a search leads to, however many are newer: the link led to a page without it', async () => {
    using test = await createTestMirror();
    const comments = Array.from({ length: 250 }, (_, n) => ({
      id: `k${100 + n}`,
      markdown: n === 20 ? 'needle' : 'hay',
    }));
    await test.add({ spaces: [{ id: 's', title: 'S', comments }] });
    const visit = openVisit(test.mirror, { at: '', path: '/', named: asItIs });
    const found = String(await searchView(visit, 'needle', new AbortController().signal));
    expect(found).toContain('href="/browse/spaces/s?comment=k120#comment-k120"');
    const shown = async (asked?: string): Promise<string[]> =>
      String(await spaceView(visit, 's', asked)).match(/(?<=id="comment-)k\d+/g) ?? [];
    const ids = comments.map(({ id }) => id);
    expect(await shown()).toEqual(ids.slice(50));
    expect(await shown('k349')).toEqual(ids.slice(50));
    expect(await shown('k120')).toEqual(ids.slice(0, 200));
    expect(await shown('unknown')).toEqual(ids.slice(50));
  });
});
