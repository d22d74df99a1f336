// Where link pages lead, and links that were copied from the app.
import { describe, expect, it } from 'vitest';
import { exportSnapshot } from '../../src/export/index.ts';
import { givenExportPlace, readTree } from '../support/export-place.ts';
import { type PageSpec, type SpaceSpec, type TestMirror } from '../support/mirror-builder.ts';

let world: TestMirror;
let to: string;
givenExportPlace((place) => ({ world, to } = place));

async function exported(spaces: SpaceSpec[]): Promise<Record<string, string>> {
  await exportSnapshot({ mirror: world.mirror, snapshot: await world.add({ spaces }), to });
  return readTree(to, ['.docmirror-index.db', '.docmirror-export.json']);
}

const APP = 'https://app.test/o/org';

function at(address: string): { body: Record<string, unknown> } {
  return { body: { urls: { app: `${APP}/${address}` } } };
}

function linkPage(title: string, body: Record<string, unknown>): PageSpec {
  return { id: `l-${title}`, title, type: 'link', body };
}

/** Two spaces; the addresses of the pages of the second one go by its own, which ends in a stroke. */
function spaces(links: PageSpec[], text = '', other = 'Other'): SpaceSpec[] {
  return [
    {
      id: 's1',
      title: 'One',
      ...at('s/s1'),
      pages: [
        { id: 'p1', title: 'First', text, ...at('s/s1/first') },
        { id: 'g1', title: 'Group', type: 'group', ...at('s/s1/group') },
        ...links,
      ],
      files: [{ id: 'f1', name: 'a.png', bytes: 'png' }],
    },
    { id: 's2', title: other, ...at('s/s2/'), pages: [{ id: 'q1', title: 'Far', text: '', ...at('s/s2/far') }] },
  ];
}

function lines(files: Record<string, string>, path = 'acme/one/SUMMARY.md'): string[] {
  return (files[path] ?? '').split('\n').filter((line) => line.includes('rel'));
}

describe('export, where link pages lead', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a page', { target: { kind: 'page', page: 'p1' } }, '[rel](first.md)'],
    ['a page of this space by name', { target: { kind: 'page', page: 'p1', space: 's1' } }, '[rel](first.md)'],
    ['a page of another space', { target: { kind: 'page', page: 'q1', space: 's2' } }, '[rel](../other/far.md)'],
    ['an anchor', { target: { kind: 'anchor', page: 'p1', anchor: 'top' } }, '[rel](first.md#top)'],
    ['a space', { target: { kind: 'space', space: 's2' } }, '[rel](../other/SUMMARY.md)'],
    ['a file', { target: { kind: 'file', file: 'f1' } }, '[rel](assets/a.png)'],
    ['an address', { target: { kind: 'url', url: 'https://x.test/a' } }, '[rel](https://x.test/a)'],
    ['a group, which has no file', { target: { kind: 'page', page: 'g1' } }, `[rel](${APP}/s/s1/group)`],
    ['what nobody knows', { target: { kind: 'page', page: 'gone' } }, '<!-- rel -->'],
    ['a person', { target: { kind: 'user', user: 'u1' } }, '<!-- rel -->'],
    ['an address by id', { href: '/pages/p1' }, '[rel](first.md)'],
    ['an address by id, far', { href: '/spaces/s2/pages/q1#x' }, '[rel](../other/far.md#x)'],
    ['an address in the app', { href: `${APP}/s/s2/far#x` }, '[rel](../other/far.md#x)'],
    ['an address elsewhere in the app', { href: `${APP}/settings` }, `[rel](${APP}/settings)`],
    ['both', { href: `${APP}/settings`, target: { kind: 'page', page: 'p1' } }, '[rel](first.md)'],
  ])('leads to %s from the table of contents: the link was lost, or led nowhere', async (_what, body, line) => {
    expect(lines(await exported(spaces([linkPage('rel', body)])))).toEqual([`* ${line}`]);
  });

  it('goes with what is linked to when that gets another place, from a space in which nothing has changed', async () => {
    const links = [linkPage('rel', { target: { kind: 'page', page: 'q1', space: 's2' } })];
    await exported(spaces(links));
    expect(lines(await exported(spaces(links, '', 'Renamed')))).toEqual(['* [rel](../renamed/far.md)']);
    const [own] = spaces(links);
    expect(lines(await exported(own === undefined ? [] : [own]))).toEqual(['* <!-- rel -->']);
    expect(lines(await exported(spaces(links)))).toEqual(['* [rel](../other/far.md)']);
  });

  it('leads a text that links to an address of the app to the file that is here: it led to the platform', async () => {
    const text = [
      `[a](${APP}/s/s2/far)`,
      `[b](${APP}/s/s2/far#x "t")`,
      `[c](${APP}/s/s1)`,
      `<a href="${APP}/s/s1/first">`,
      `[d](${APP}/s/s2/far?q=1)`,
      `[e](${APP}/s/s2/fa)`,
      `[f](https://else.test/s/s1)`,
      `\`[g](${APP}/s/s2/far)\``,
    ];
    const files = await exported(spaces([], text.join(' ')));
    expect(files['acme/one/first.md']).toBe(
      `# First\n\n${['[a](../other/far.md)', '[b](../other/far.md#x "t")', '[c](SUMMARY.md)', '<a href="first.md">', ...text.slice(4)].join(' ')}`,
    );
  });

  it('leads an address of the app to a page that comes later, though the text has not changed', async () => {
    const [own, other] = spaces([], `[a](${APP}/s/s2/far)`);
    if (own === undefined || other === undefined) return;
    expect((await exported([own]))['acme/one/first.md']).toContain(`[a](${APP}/s/s2/far)`);
    expect((await exported([own, other]))['acme/one/first.md']).toContain('[a](../other/far.md)');
  });
});
