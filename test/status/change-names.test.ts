import { describe, expect, it } from 'vitest';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot, type Hand } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const SPACE = { spaceId: 's1' };

function seePage({ see }: Hand, text: string): void {
  see({ kind: 'page', params: { ...SPACE, pageId: 'p1' }, body: { id: 'p1', title: 'Home', type: 'document' }, text });
}

/** A space that goes after its second night; in that night a page of it changes, and a comment and a link come. */
async function createNights(): Promise<TestMirror> {
  const made = await createTestMirror();
  takeSnapshot(made.mirror, (hand) => {
    hand.see({ kind: 'space', params: SPACE, body: { object: 'space', id: 's1', title: 'Handbook' } });
    seePage(hand, 'Old.');
  });
  takeSnapshot(made.mirror, (hand) => {
    seePage(hand, 'New.');
    const comment = { id: 'c1', status: 'open', body: { markdown: 'Is that so?' } };
    hand.see({ kind: 'comment', params: { ...SPACE, commentId: 'c1' }, body: comment });
    const link = { status: 'broken', targetReference: { kind: 'url', url: 'https://gone.test/' } };
    hand.see({ kind: 'link', params: { ...SPACE, linkId: 'l1' }, body: link });
  });
  takeSnapshot(made.mirror, ({ bury }) => {
    for (const [kind, key] of [
      ['page', 's1/p1'],
      ['comment', 's1/c1'],
      ['link', 's1/l1'],
      ['space', 's1'],
    ] as const)
      bury(kind, key);
  });
  return made;
}

describe('status/browse, names of what changed', () => {
  it('calls a space by its title in the nights that had it, though it is gone since: it showed an id', async () => {
    using made = await createNights();
    const { text } = await visitor(made)('/browse/changes?from=1&to=2');
    expect(text).toMatch(/<h2>\s*<a href="\/browse\/spaces\/s1\?at=2">Handbook<\/a>: 3/);
  });

  it('says what came or went by more than its id: of a comment and a link, nothing else was shown', async () => {
    using made = await createNights();
    const visit = visitor(made);
    const detail = async (from: number, to: number, what: string): Promise<string> =>
      (await visit(`/browse/changes/detail?from=${from}&to=${to}&${what}`)).text.replaceAll(/\s+/g, ' ');
    const comment = await detail(1, 2, 'kind=comment&key=s1/c1');
    expect(comment).toContain('<h1 class="title">comment Is that so?: added</h1>');
    expect(comment).toMatch(/<td>status<\/td> <td class="wide"><\/td> <td class="wide">open<\/td>/);
    const link = await detail(2, 3, 'kind=link&key=s1/l1');
    expect(link).toContain('<h1 class="title">link to https://gone.test/: removed</h1>');
    expect(link).toMatch(/<td>status<\/td> <td class="wide">broken<\/td> <td class="wide"><\/td>/);
    expect(await detail(1, 2, 'kind=page&key=s1/p1')).not.toContain('<td>title</td>');
  });
});

describe('status/browse, thousands of changes', () => {
  it('lets others have their turn while it looks through them: nothing answered meanwhile, not even that it lives', async () => {
    using made = await createTestMirror();
    for (const night of [1, 2])
      takeSnapshot(made.mirror, ({ see }) => {
        for (let nth = 0; nth < 3000; nth++) {
          const pageId = `p${nth}`;
          see({ kind: 'page', params: { ...SPACE, pageId }, body: { id: pageId, title: `${pageId} ${night}` } });
        }
      });
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const { text } = await visitor(made)('/browse/changes?from=1&to=2');
    isDone = true;
    expect(text).toContain('Not all is shown.');
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
