// What a platform may tell of containers, requests and comments that an export has to hold against.
import { expect, it } from 'vitest';
import { exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { givenExportPlace, readTree } from '../support/export-place.ts';
import type { TestMirror, WorldSpec } from '../support/mirror-builder.ts';

let world: TestMirror;
let to: string;
givenExportPlace((place) => ({ world, to } = place));

async function put(spec: WorldSpec): Promise<ExportResult> {
  return exportSnapshot({ mirror: world.mirror, snapshot: await world.add(spec), to });
}

const paths = (): string[] => Object.keys(readTree(to, []));

it('export holds spaces of collections that stand within each other', async () => {
  const collections = [
    { id: 'a', title: 'A', parent: 'b' },
    { id: 'b', title: 'B', parent: 'a' },
  ];
  const spaces = [{ id: 's', title: 'Space', parent: 'a', pages: [{ id: 'p', title: 'Page' }] }];
  expect(await put({ collections, spaces })).toMatchObject({ spaces: 1, pages: 1 });
  expect(paths()).toContain('acme/space/page.md');
});

it('export holds a space whose collection is gone, or was never seen', async () => {
  const pages = [{ id: 'p', title: 'Page' }];
  const below = (parent: string): WorldSpec['spaces'] => [{ id: 's', title: 'Space', parent, pages }];
  await put({ collections: [{ id: 'a', title: 'A' }], spaces: below('a') });
  expect(paths()).toContain('acme/a/space/page.md');
  for (const parent of ['a', 'never-seen']) {
    expect(await put({ spaces: below(parent) })).toMatchObject({ spaces: 1, pages: 1 });
    expect(paths()).toContain('acme/space/page.md');
    expect(paths()).not.toContain('acme/a/space/page.md');
  }
});

it('export takes the comments of a space away with the last of them, where nothing else changed', async () => {
  const space = { id: 's', title: 'Space', pages: [{ id: 'p', title: 'Page' }] };
  await put({ spaces: [{ ...space, comments: [{ id: 'c', markdown: 'Hm' }] }] });
  expect(paths()).toContain('acme/space.comments.jsonl');
  expect(await put({ spaces: [space] })).toMatchObject({ written: 0, removed: 1 });
  expect(paths()).not.toContain('acme/space.comments.jsonl');
});

it('export lists no differences of a change request that was merged: the space has moved on since', async () => {
  const requests = [
    { id: 'r', number: 1, subject: 'Done', status: 'merged', pages: [{ id: 'p', title: 'Page', text: 'before' }] },
  ];
  await put({ spaces: [{ id: 's', title: 'Space', pages: [{ id: 'p', title: 'Page', text: 'after' }], requests }] });
  const { 'acme/space.change-requests/1-done/README.md': readme = '', ...others } = readTree(to, []);
  expect(readme).toContain('It was merged: its content is part of the space.');
  expect(readme).not.toContain('## Changed');
  expect(Object.keys(others)).not.toContain('acme/space.change-requests/1-done/page.md');
});

it('export tells of a change request what it has moved, and not that it lacks what its space got later', async () => {
  const home = { id: 'p', title: 'Home' };
  const moved = { id: 'm', title: 'Moved' };
  const later = { id: 'l', title: 'Later', body: { createdAt: '2025-02-01T00:00:00Z' } };
  const requests = [{ id: 'r', number: 1, subject: 'Move', pages: [{ ...home, pages: [moved] }] }];
  await put({ spaces: [{ id: 's', title: 'Space', pages: [home, moved, later], requests }] });
  const { 'acme/space.change-requests/1-move/README.md': readme = '' } = readTree(to, []);
  expect(readme).toContain('## Changed\n\n* Moved\n');
  expect(readme).not.toContain('## Removed');
});

it('export does not tell of a change request that it removes what its space got later by the clock of another zone', async () => {
  const home = { id: 'p', title: 'Home' };
  // An hour after the change request.
  const later = { id: 'l', title: 'Later', body: { createdAt: '2024-12-31T21:00:00-04:00' } };
  const requests = [{ id: 'r', number: 1, subject: 'Edit', pages: [{ ...home, text: 'New' }] }];
  await put({ spaces: [{ id: 's', title: 'Space', pages: [home, later], requests }] });
  const { 'acme/space.change-requests/1-edit/README.md': readme = '' } = readTree(to, []);
  expect(readme).toContain('## Changed');
  expect(readme).not.toContain('## Removed');
});

it.each([
  ['shares with its space', 'd', true],
  ['could not be read of it', 'e', false],
])(
  'export shows of a page of a change request the text that it %s, and no other',
  async (...[, document, isShared]) => {
    const main = { id: 'p', title: 'Page', text: 'Text of the space', body: { documentId: 'd' } };
    const page = { id: 'p', title: 'Renamed', text: null, body: { documentId: document } };
    const requests = [{ id: 'r', number: 1, subject: 'Edit', pages: [page] }];
    await put({ spaces: [{ id: 's', title: 'Space', pages: [main], requests }] });
    const { 'acme/space.change-requests/1-edit/renamed.md': text = '' } = readTree(to, []);
    expect(text).toContain('# Renamed');
    expect(text.includes('Text of the space')).toBe(isShared);
    expect(text.includes('unread: true')).toBe(!isShared);
  },
);
