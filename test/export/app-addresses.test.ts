import { describe, expect, it } from 'vitest';
import { AppAddresses } from '../../src/export/index.ts';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const at = (space: number, page = ''): string => `https://app.test/o/x/s/s${space}${page}`;

function spaceOf(number: number) {
  const page = { id: `p${number}`, title: 'Page', text: '', body: { urls: { app: at(number, '/page') } } };
  return { id: `s${number}`, title: `Space ${number}`, body: { urls: { app: at(number) } }, pages: [page] };
}

describe('export/layout/app-addresses', () => {
  // With texts that led into twenty spaces of 150 pages each an export took more than five minutes, and one into fourteen five seconds.
  it('reads the pages of a space once, into however many spaces texts lead by turns', async () => {
    using test = await createTestMirror();
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const id = await test.add({ spaces: numbers.map(spaceOf) });
    const reader = readerAt(test.mirror, id);
    const asked: string[] = [];
    const outline: SnapshotReader['outline'] = (kind, ...rest) => {
      asked.push(kind);
      return reader.outline(kind, ...rest);
    };
    const addresses = new AppAddresses({ ...reader, outline });
    for (const number of [...numbers, ...numbers])
      expect(addresses.find(at(number, '/page#a'))).toEqual({
        to: 'page',
        space: `s${number}`,
        id: `p${number}`,
        rest: '#a',
      });
    expect(asked.filter((kind) => kind === 'page')).toHaveLength(20);
  });
});
