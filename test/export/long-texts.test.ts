// Texts and titles with long runs of one sign: read once more from each of their signs, they kept an export, and the daemon, for hours.
import { describe, expect, it } from 'vitest';
import { keepLinks, spaceLayout, withoutTitle } from '../../src/export/index.ts';
import { spaceFolders } from '../../src/export/layout/containers.ts';
import { allocateNames, slugName } from '../../src/export/layout/names.ts';
import { linkDestination } from '../../src/export/layout/links.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { createTestMirror, type PageSpec } from '../support/mirror-builder.ts';

const RUN = 500_000;

describe('export, long runs of one sign', () => {
  it.each([
    ['tabs', '\t', 20_000],
    ['blanks', ' ', 20_000],
    ['very many blanks', ' ', RUN],
  ])('writes a page that begins with a heading of %s', async (_, sign, times) => {
    using world = await createTestMirror();
    const text = `# ${sign.repeat(times)}x \u2028 y\n\nText\n`;
    const pages = [{ id: 'p', title: `a${sign.repeat(times)}b`, text }];
    const snapshot = await world.add({ spaces: [{ id: 's', title: 'Space', pages }] });
    const { files } = spaceLayout({ reader: readerAt(world.mirror, snapshot), space: 's', links: keepLinks });
    const written = [...files].flatMap((file) =>
      'text' in file && !file.path.endsWith('SUMMARY.md') ? file.text : [],
    );
    expect(written.join('')).toContain(text);
  });

  it('gives folders to collections that stand within each other by the thousand: it ended in an error of the stack', async () => {
    using world = await createTestMirror();
    const collections = Array.from({ length: 6000 }, (_, nth) => ({
      id: `c${nth}`,
      title: 'Within',
      ...(nth === 0 ? {} : { parent: `c${nth - 1}` }),
    }));
    const snapshot = await world.add({ collections, spaces: [{ id: 's', title: 'Space', parent: 'c5999' }] });
    const [folder, ...others] = spaceFolders(readerAt(world.mirror, snapshot));
    expect([others, folder?.trail.length, (folder?.path.length ?? 0) < 400]).toEqual([[], 6002, true]);
  });

  it('writes pages that stand below each other by the thousand: it ended in an error of the stack', async () => {
    using world = await createTestMirror();
    const deep = 3000;
    const pages: PageSpec[] = Array.from({ length: deep }, (_, nth) => ({ id: `p${nth}`, title: `P${nth}` }));
    const snapshot = await world.add({ spaces: [{ id: 's', title: 'Space', pages }] });
    world.mirror.store.driver
      .exec(`update versions set parent = (select above.rid from resources r join resources above on above.kind = 'page'
      and above.id = 'p' || (substr(r.id, 2) - 1) where r.rid = versions.rid and r.kind = 'page')`);
    const { files } = spaceLayout({ reader: readerAt(world.mirror, snapshot), space: 's', links: keepLinks });
    const written = [...files].flatMap((file) => ('text' in file ? [file] : []));
    const contents = written.find(({ path }) => path.endsWith('SUMMARY.md'))?.text ?? '';
    expect(contents.match(/^ *\* /gm)?.map((indent) => (indent.length - 2) / 2)).toEqual([...Array(deep).keys()]);
    expect(Math.max(...written.map(({ path }) => path.length))).toBeLessThan(300);
  });

  it('takes a title off a text as before, with all that may stand behind it', () => {
    expect(withoutTitle('#  Title \t\r\n\r\nText', 'Title')).toBe('Text');
    expect(withoutTitle('# Title\n \nText', 'Title')).toBe('Text');
    expect(withoutTitle('# Other\n\nText', 'Title')).toBe('# Other\n\nText');
    expect(withoutTitle(`#${' '.repeat(RUN)}`, '')).toBe('');
    const text = `# ${'\t'.repeat(20_000)}x \u2028 y\n`;
    expect(withoutTitle(text, 'Title')).toBe(text);
  });

  it.each(['.', '-', ' ', '. '])('makes a name of a title that holds very many of %j', (sign) => {
    const title = `a${sign.repeat(RUN)}b`;
    expect(slugName(title).length).toBeGreaterThan(2);
    const [name = ''] = allocateNames([{ id: 'i', name: title }]).values();
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(80);
  });

  it('writes an address with very many blanks and the end of a line', () => {
    expect(linkDestination(`a${' '.repeat(RUN)}\nb`)).toContain('%20%0Ab');
    expect(linkDestination('a b')).toBe('<a b>');
  });
});
