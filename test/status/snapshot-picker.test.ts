// The choice of a snapshot: it dropped what else stood in the address of a page.
import { describe, expect, it } from 'vitest';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

const PICKER = '<label for="frame:at">Snapshot</label>';

async function twoSnapshots(): Promise<TestMirror> {
  const test = await createTestMirror();
  await test.add({ spaces: [{ id: 's1', title: 'Old', pages: [{ id: 'p1', title: 'One', text: 'install it' }] }] });
  await test.add({ spaces: [{ id: 's1', title: 'New', pages: [{ id: 'p1', title: 'One', text: 'install that' }] }] });
  return test;
}

describe('status/browse choice of a snapshot', () => {
  it('stands beside no heading of the same name: one called Contents or At took the place of the list of pages, and of the choice', async () => {
    using test = await createTestMirror();
    const text = '## Contents\n\nOne\n\n## At\n\nTwo [up](#contents)';
    await test.add({ spaces: [{ id: 's1', title: 'Space', pages: [{ id: 'p1', title: 'One', text }] }] });
    const page = (await visitor(test)('/browse/spaces/s1/pages/p1')).text;
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    expect(ids.toSorted()).toEqual(['at', 'contents', 'frame:at', 'frame:contents']);
    const led = /class="to-contents" href="#([^"]*)"/.exec(page)?.[1];
    expect(page).toContain(`<aside id="${led}">`);
    expect(page).toContain('<a href="#contents">up</a>');
  });

  it.each(['/browse', '/browse/spaces/s1', '/browse/spaces/s1/pages/p1'])(
    'is offered where a page has a meaning at one, and leads to the same page: %s',
    async (path) => {
      using test = await twoSnapshots();
      const { text } = await visitor(test)(path);
      expect(text).toContain(PICKER);
      expect(text).toContain(`<form action="${path}" class="picker">`);
      expect((await visitor(test)(`${path}?at=1`)).text).toContain('This is how it stood at snapshot 1');
    },
  );

  it.each([
    '/browse/changes?from=1&to=2',
    '/browse/changes/detail?from=1&to=2&kind=page&key=s1%2Fp1',
    '/browse/search?q=install',
  ])(
    'is not offered where the page takes its snapshots itself: it led to another page, or to none: %s',
    async (path) => {
      using test = await twoSnapshots();
      const { status, text } = await visitor(test)(path);
      expect([status, text.includes(PICKER)]).toEqual([200, false]);
    },
  );

  it('does not say that a search is of another snapshot than the last sealed one: it said both', async () => {
    using test = await twoSnapshots();
    const { text } = await visitor(test)('/browse/search?q=install&at=1');
    expect(text).toContain('In the last sealed snapshot, 2.');
    expect(text).not.toContain('how it stood at snapshot 1');
    expect(text).toMatch(/>One<\/a> <span class="soft">New</);
  });

  it('does not compare a snapshot with itself, nor say that what changed is not there, for a choice made before', async () => {
    using test = await twoSnapshots();
    const visit = visitor(test);
    expect((await visit('/browse/changes?at=1')).text).toContain('Changes from snapshot 1 to 2');
    const detail = await visit('/browse/changes/detail?at=1&from=1&to=2&kind=page&key=s1%2Fp1');
    expect([detail.status, detail.text]).toEqual([200, expect.not.stringContaining('how it stood')]);
  });

  it('names the two snapshots that do not have what was asked for, not the last one', async () => {
    using test = await twoSnapshots();
    await test.add({ spaces: [{ id: 's2', title: 'Third' }] });
    const { status, text } = await visitor(test)('/browse/changes/detail?from=1&to=2&kind=space&key=s2');
    expect([status, text]).toEqual([404, expect.stringContaining('neither in snapshot 1 nor in snapshot 2')]);
  });
});
