import { describe, expect, it, vi } from 'vitest';
import {
  detailOf,
  diffSnapshots,
  isSame,
  outlineOf,
  wholeSpaces,
  type DifferenceDetail,
} from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { createReportedMirror } from '../support/reported-world.ts';
import { collection, page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

function details(made: Pick<TestMirror, 'mirror'>, from: number, to: number): DifferenceDetail[] {
  return [...diffSnapshots(made.mirror, [from, to])].map((one) => detailOf(made.mirror, [from, to], one));
}

/** What the second night brought is called so, sorted, by a difference and in the feed. */
function expectLabels(made: Pick<TestMirror, 'mirror'>, labels: readonly string[]): void {
  const told = details(made, 1, 2).map(({ label }) => label);
  expect(told.sort()).toEqual(labels);
  const feed = rowsOf(made.mirror, 'select label from changes where snapshot = 2 order by label');
  expect(feed.map(({ label }) => label)).toEqual(labels);
}

/** A text of numbered lines, some of them replaced. */
function text(lines: number, edits: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: lines }, (_, index) => `${edits[index] ?? `Line ${index}`}\n`).join('');
}

describe('mirror/reading/diff', () => {
  it('limits what it looks at to a kind or a space', async () => {
    using made = await createReportedMirror();
    const keys = (filter: Parameters<typeof diffSnapshots>[2]): string[] =>
      [...diffSnapshots(made.mirror, [1, 2], filter)].map(({ key }) => key);
    expect(keys({})).toEqual(['guide/mended', 'guide/added', 'guide/start', 'notes/gone']);
    expect(keys({ kind: 'link' })).toEqual(['guide/mended']);
    expect(keys({ space: 'notes' })).toEqual(['notes/gone']);
    expect(keys({ kind: 'page', space: 'guide' })).toEqual(['guide/added', 'guide/start']);
    expect(keys({ space: 'nowhere' })).toEqual([]);
  });

  it('reads a name for whoever asks for it alone: to count what came with ten thousand spaces took as long as to name it all', async () => {
    using made = await createTestMirror();
    const seen = (title: string): void => void takeSnapshot(made.mirror, ({ see }) => see(page('p1', title)));
    ['one', 'two'].forEach(seen);
    const [found] = diffSnapshots(made.mirror, [1, 2]);
    made.mirror.store.driver.exec(
      `update bodies set data = json_set(data, '$.title', 'Found late') where data like '{%'`,
    );
    expect(found?.label).toBe('Found late');
  });

  it('counts what came and went with each of several spaces, in both directions', async () => {
    using made = await createTestMirror();
    const pages = (...ids: string[]) => ids.map((id) => ({ id, title: id, text: id }));
    const stays = { id: 'stays', title: 'Stays', pages: pages('s1') };
    await made.add({ spaces: [stays, { id: 'goes', title: 'Goes', pages: pages('g1', 'g2') }] });
    const came = ['first', 'second'].map((id, at) => ({
      id,
      title: id,
      pages: pages(...['c1', 'c2', 'c3'].slice(at)),
    }));
    await made.add({ spaces: [stays, ...came] });
    const told = [...wholeSpaces(made.mirror, [1, 2])].map(([space, within]) => [space, within.get('page')]);
    expect(told).toEqual([
      ['added first', 3],
      ['removed goes', 2],
      ['added second', 2],
    ]);
    expect([...wholeSpaces(made.mirror, [2, 1])].map(([space]) => space)).toEqual([
      'removed first',
      'added goes',
      'removed second',
    ]);
  });
});

describe('mirror/reading/diff-detail', () => {
  it('reads nothing of what came or went for a list: requests that were merged, with a copy of each page, took half a minute', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => ['gone', 'kept'].forEach((id) => see(page(id, text(3)))));
    takeSnapshot(made.mirror, ({ see, bury }) => {
      for (const id of ['added', 'kept']) see(page(id, text(3, { 1: id })));
      bury('page', 's1/gone');
    });
    // So that whoever reads it is refused.
    made.mirror.store.driver.exec(`update bodies set data = '{' where data like '%"added"%' or data like '%"gone"%'`);
    const found = [...diffSnapshots(made.mirror, [1, 2])];
    const told = found.map((one) => outlineOf(made.mirror, [1, 2], one));
    expect(told.map(({ key, change, text: lines }) => [key, change, lines])).toEqual([
      ['s1/added', 'added', null],
      ['s1/gone', 'removed', null],
      ['s1/kept', 'changed', { added: 1, removed: 1, lines: [], hidden: 0 }],
    ]);
  });

  it('shows a text line by line, also when the old one is stored as a difference', async () => {
    using made = await createTestMirror();
    for (const night of [1, 2, 3, 4])
      takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(40, { 10: `Night ${night}` }))));
    for (const [from, to] of [
      [1, 4],
      [3, 1],
    ] as const) {
      const [found] = details(made, from, to);
      expect(found?.text).toEqual({
        added: 1,
        removed: 1,
        hidden: 0,
        lines: [
          '@@ -8,7 +8,7 @@',
          ' Line 7',
          ' Line 8',
          ' Line 9',
          `-Night ${from}`,
          `+Night ${to}`,
          ' Line 11',
          ' Line 12',
          ' Line 13',
        ],
      });
      expect(found?.fields.map(({ field }) => field)).toEqual(['documentId']);
    }
  });

  it('names line 0 where a text came or went, as patch reads it: it named line 1, where none is', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'One\n')));
    takeSnapshot(made.mirror, ({ see, bury }) => {
      see(page('p2', 'Two\nThree\n'));
      bury('page', 's1/p1');
    });
    const lines = details(made, 1, 2).map((one) => one.text?.lines);
    expect(lines).toEqual(
      expect.arrayContaining([
        ['@@ -1,1 +0,0 @@', '-One'],
        ['@@ -0,0 +1,2 @@', '+Two', '+Three'],
      ]),
    );
  });

  it('names the fields that changed, came and went', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A', emoji: 'x', nested: { a: [1, 2] } })));
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'B', nested: { a: [1, 3] }, level: 'read' })));
    expect(details(made, 1, 2)).toEqual([
      {
        kind: 'collection',
        key: 'c1',
        change: 'changed',
        label: 'B',
        space: null,
        text: null,
        fields: [
          { field: 'title', before: 'A', after: 'B' },
          { field: 'emoji', before: 'x' },
          { field: 'nested', before: { a: [1, 2] }, after: { a: [1, 3] } },
          { field: 'level', after: 'read' },
        ],
      },
    ]);
  });

  it('tells what differs within two thousand levels, which the stack has no room for', async () => {
    using made = await createTestMirror();
    const LEVELS = 1000;
    const nested = (title: string): unknown => JSON.parse(`${'{"a":['.repeat(LEVELS)}"${title}"${']}'.repeat(LEVELS)}`);
    const night = (body: Record<string, unknown>): void =>
      void takeSnapshot(made.mirror, ({ see }) => see(collection('c1', body)));
    night({ nested: nested('A'), same: nested('B') });
    night({ nested: nested('C'), same: nested('B') });
    const [changed] = details(made, 1, 2);
    expect(changed?.fields.map(({ field }) => field)).toEqual(['nested']);
  });

  it('has a text for a label where the platform sends a number for a title', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 42 })));
    expect(details(made, 1, 2)).toMatchObject([{ label: '42', fields: [{ before: 'A', after: 42 }] }]);
    expect(rowsOf(made.mirror, 'select label from changes where snapshot = 2')).toEqual([{ label: '42' }]);
  });

  it('calls a link by where it leads and a comment by its first words: the one showed a hash, the other broke off in a word unsaid', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1')));
    takeSnapshot(made.mirror, ({ see }) => {
      const [locationReferences, params] = [[{ kind: 'page', page: { title: 'Home' } }], { spaceId: 's1' }];
      const seeLink = (linkId: string, targetReference: object): number =>
        see({
          kind: 'link',
          params: { ...params, linkId },
          body: { status: 'ok', targetReference, locationReferences },
        });
      seeLink('a', { kind: 'page', page: { title: 'Install' } });
      seeLink('b', { kind: 'url', url: 'https://example.com/' });
      seeLink('c', { kind: 'user' });
      for (const [commentId, markdown] of Object.entries({ d: 'word '.repeat(20), e: 'All of it' }))
        see({ kind: 'comment', params: { ...params, commentId }, body: { id: commentId, body: { markdown } } });
    });
    const labels = [
      'All of it',
      'to Install, on Home',
      'to https://example.com/, on Home',
      'to some user, on Home',
      `${'word '.repeat(12)}…`,
    ];
    expectLabels(made, labels);
  });

  it('calls a link to a space or a collection by its title, which the link does not have: it showed a hash', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => {
      see(collection('c1', { title: 'Manuals' }));
      see({ kind: 'space', params: { spaceId: 's1' }, body: { object: 'space', id: 's1', title: 'Former' } });
    });
    takeSnapshot(made.mirror, ({ see }) => {
      see({ kind: 'space', params: { spaceId: 's1' }, body: { object: 'space', id: 's1', title: 'Guide' } });
      const locationReferences = [{ kind: 'page', page: { title: 'Home' } }];
      for (const [kind, id] of Object.entries({ space: 's1', collection: 'c1', organization: 'o1' }))
        see({
          kind: 'link',
          params: { spaceId: 's1', linkId: kind },
          body: { status: 'ok', targetReference: { kind, [kind]: { object: kind, id } }, locationReferences },
        });
      const targetReference = { kind: 'space', space: { object: 'space', id: 'elsewhere' } };
      see({ kind: 'link', params: { spaceId: 's1', linkId: 'far' }, body: { status: 'ok', targetReference } });
    });
    const labels = ['to Guide, on Home', 'to Manuals, on Home', 'to elsewhere', 'to some organization, on Home'];
    const links = details(made, 1, 2).filter(({ kind }) => kind === 'link');
    expect(links.map(({ label }) => label).sort()).toEqual(labels);
    const feed = `select label from changes where kind = 'link' order by label`;
    expect(rowsOf(made.mirror, feed).map(({ label }) => label)).toEqual(labels);
  });

  it('calls a link that has but the id of what it leads to by the title of that page, or by the id, or by its kind where it has none: a broken one showed a hash', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'Text.')));
    const title = String(rowsOf(made.mirror, 'select title from pages')[0]?.['title']);
    takeSnapshot(made.mirror, ({ see, bury }) => {
      bury('page', 's1/p1');
      const locationReferences = [{ kind: 'page', page: { title: 'Home' } }];
      for (const [linkId, target] of Object.entries({
        a: { kind: 'page', page: { id: 'p1' } },
        b: { kind: 'page', page: { id: 'unseen' } },
        c: { kind: 'file', file: { id: 'f1' } },
        d: { kind: 'page', page: { id: 'p1' }, space: { id: 'guide' } },
        e: { kind: 'space' },
      }))
        see({
          kind: 'link',
          params: { spaceId: 's1', linkId },
          body: { status: 'broken', targetReference: target, locationReferences },
        });
    });
    const links = details(made, 1, 2).filter(({ kind }) => kind === 'link');
    expect(links.map(({ label }) => label)).toEqual([
      `to ${title}, on Home`,
      'to unseen, on Home',
      'to f1, on Home',
      `to ${title} in guide, on Home`,
      'to some space, on Home',
    ]);
  });

  it('names who is in which space or team, a provider, and of which page a document is: these showed ids', async () => {
    using made = await createTestMirror();
    const member = { organizationId: 'o1', userId: 'u1' };
    takeSnapshot(made.mirror, ({ see }) => {
      see({ kind: 'organization', params: { organizationId: 'o1' }, body: { id: 'o1', title: 'Acme' } });
      see({ kind: 'member', params: member, body: { id: 'u1', user: { id: 'u1', displayName: 'Ann' } } });
      see({ kind: 'team', params: { organizationId: 'o1', teamId: 't1' }, body: { id: 't1', title: 'Writers' } });
      see({ kind: 'space', params: { spaceId: 's1' }, body: { id: 's1', title: 'Guide' } });
      see(page('p1', 'Text.'));
    });
    takeSnapshot(made.mirror, ({ see }) => {
      see({ kind: 'space-member', params: { ...member, spaceId: 's1' }, body: { permission: 'read' } });
      see({ kind: 'space-member', params: { ...member, spaceId: 'unseen' }, body: { permission: 'read' } });
      see({ kind: 'team-membership', params: { ...member, teamId: 't1' }, body: { member: { role: 'owner' } } });
      see({ kind: 'saml-provider', params: { organizationId: 'o1', samlProviderId: 'x' }, body: { label: 'Sign on' } });
      see({ kind: 'page-document', params: { spaceId: 's1', pageId: 'p1' }, body: { document: {} } });
    });
    const title = rowsOf(made.mirror, 'select title from pages')[0]?.['title'];
    const labels = ['Ann in Guide', 'Ann in Writers', 'Ann in unseen', 'Sign on', `document of "${String(title)}"`];
    expectLabels(made, labels);
  });

  it('tells a move from an edit, and a page that came with all its lines', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see({ ...page('p1', text(3)), position: 0 }));
    takeSnapshot(made.mirror, ({ see }) => {
      see({ ...page('p1', text(3)), position: 4 });
      see(page('p2', text(2)));
    });
    const [moved, added] = details(made, 1, 2);
    expect(moved).toMatchObject({ text: null, fields: [{ field: 'position', before: 0, after: 4 }] });
    expect(added).toMatchObject({ change: 'added', fields: [], text: { added: 2, removed: 0 } });
    expect(details(made, 2, 1).map(({ change }) => change)).toEqual(['changed', 'removed']);
  });

  it('knows what was changed and changed back', async () => {
    using made = await createTestMirror();
    for (const word of ['one', 'two', 'one'])
      takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(20, { 5: word }))));
    expect(details(made, 1, 3)).toEqual([]);
    expect(details(made, 2, 3).filter((one) => !isSame(one))).toHaveLength(1);
  });

  it('stays bounded when a text was rewritten from its first line to its last', async () => {
    using made = await createTestMirror();
    const other = Array.from({ length: 9000 }, (_, index) => `Other ${index * 7}`).join('\n');
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(9000))));
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', other)));
    const [found] = details(made, 1, 2);
    // With a head, and the mark of a text that ends without the end of a line.
    expect(found?.text).toMatchObject({ added: 9000, removed: 9000, hidden: 17_602 });
    expect(found?.text?.lines).toHaveLength(400);
  });

  it('counts no line that never was when a long page comes or goes', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(page('p2', text(2000))));
    takeSnapshot(made.mirror, ({ see, bury }) => {
      bury('page', 's1/p2');
      see(page('p1', text(3000)));
    });
    expect(details(made, 1, 2).map((one) => one.text)).toMatchObject([
      { added: 3000, removed: 0, hidden: 2601 },
      { added: 0, removed: 2000, hidden: 1601 },
    ]);
  });

  it('shows only the part that was rewritten of a text of 50,000 lines', async () => {
    using made = await createTestMirror();
    const edits = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [24_000 + index, `Other ${index}`]));
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(50_000))));
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(50_000, edits).replace(/\n$/, ''))));
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(50_000, edits))));
    const [found] = details(made, 1, 3);
    expect(found?.text).toMatchObject({ added: 2000, removed: 2000, hidden: 4007 - 400 });
    expect(found?.text?.lines.slice(0, 5)).toEqual([
      '@@ -23998,2006 +23998,2006 @@',
      ' Line 23997',
      ' Line 23998',
      ' Line 23999',
      '-Line 24000',
    ]);
    // An end that is lost is seen too, however much changed before it.
    expect(details(made, 1, 2)[0]?.text).toMatchObject({ added: 26_000, removed: 26_000 });
  });

  it('compiles what it asks once for a mirror: plans in place did so for each kind and each night, for half of their time', async () => {
    using made = await createReportedMirror();
    const all = (): unknown[] => details(made, 1, 2);
    const first = all();
    const compiled = vi.spyOn(made.mirror.store.driver, 'prepare');
    expect(all()).toEqual(first);
    expect(compiled).not.toHaveBeenCalled();
  });
});
