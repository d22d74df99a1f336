import { describe, expect, it } from 'vitest';
import { readReport } from '../../src/status/index.ts';
import { createTestMirror, type PageSpec, type TestMirror, type WorldSpec } from '../support/mirror-builder.ts';
import { visitor } from '../support/status-visitor.ts';

/** A space of many pages, and requests that each hold a copy of all of them; `page 0` has the given text everywhere. */
function worldOf(text: string, requests: readonly string[]): WorldSpec {
  const pages = Array.from({ length: 600 }, (_, n): PageSpec => {
    return { id: `p${n}`, title: `Page ${n}`, text: n === 0 ? text : 'Same.' };
  });
  const merged = requests.map((id, n) => ({ id, number: n + 1, subject: `Edit ${id}`, status: 'merged', pages }));
  return { spaces: [{ id: 's1', title: 'Guide', pages, requests: merged }] };
}

async function changesIn(test: TestMirror, span: string): Promise<string[]> {
  const { text } = await visitor(test)(`/browse/changes?${span}`);
  const rows = text.matchAll(/<td class="(?:good|warn|bad)">(\w+)<\/td>\s*<td>([^<]+)<\/td>[^]*?>([^<]*)<\/a>/g);
  return Array.from(rows, ([, change, kind, label]) => `${change} ${kind} ${label}`);
}

describe('mirror/reading/own-news', () => {
  it('tells the page that changed and the requests that it changed by: copies of pages in them left no room for it', async () => {
    using test = await createTestMirror();
    await test.add(worldOf('Old.', []));
    await test.add(worldOf('New.', ['a', 'b']));
    const news = ['changed page Page 0', 'added change request Edit a', 'added change request Edit b'];
    expect(await changesIn(test, 'from=1&to=2')).toEqual(news);
    const reported = readReport(test.mirror)?.changes ?? [];
    expect(reported.map(({ change, kind, label }) => `${change} ${kind.replace('-', ' ')} ${label}`)).toEqual(news);
    expect(await changesIn(test, 'from=2&to=1')).toContain('removed change request Edit a');
  });

  it('tells the pages that a request changes which was there before', async () => {
    using test = await createTestMirror();
    await test.add(worldOf('Old.', ['a']));
    await test.add(worldOf('New.', ['a', 'b']));
    const changes = await changesIn(test, 'from=1&to=2');
    expect(changes).toEqual([
      'changed page Page 0',
      'added change request Edit b',
      'changed change request page Page 0',
    ]);
  });
});
