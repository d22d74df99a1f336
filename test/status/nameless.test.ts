import { expect, it } from 'vitest';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const OLD = '2019-01-01T00:00:00.000Z';
const SPACE = { spaceId: 's' };
const PATHS = [
  '/report',
  '/browse',
  '/browse/spaces/s',
  '/browse/spaces/s/change-requests/r',
  '/browse/search?q=words',
  '/browse/changes?from=1&to=2',
];
const UNSEEN = /<a [^>]*>[\s\p{Default_Ignorable_Code_Point}]*<\/a>/gu;

/** A page in a space, rewritten once, and a change request of that title. */
async function titled(title: string): Promise<TestMirror> {
  const made = await createTestMirror();
  for (const text of ['Some words.', 'Other words.'])
    takeSnapshot(made.mirror, ({ see }) => {
      const space = { object: 'space', id: 's', title, organization: 'o', revision: 'r' };
      const organization = { object: 'organization', id: 'o', title };
      see({ kind: 'organization', params: { organizationId: 'o' }, body: organization });
      see({ kind: 'space', params: SPACE, body: space });
      const page = { id: 'p', type: 'document', title, path: 'p', documentId: text, updatedAt: OLD };
      see({ kind: 'page', params: { ...SPACE, pageId: 'p' }, body: page, text, parent: null, position: 0 });
      const request = { id: 'r', number: 1, subject: title, status: 'merged', updatedAt: text };
      see({ kind: 'change-request', params: { ...SPACE, changeRequestId: 'r' }, body: request });
    });
  return made;
}

async function unseenIn(made: TestMirror): Promise<[path: string, links: string[]][]> {
  const found: [string, string[]][] = [];
  for (const path of PATHS) {
    const { status, text } = await visitor(made)(path);
    expect([path, status]).toEqual([path, 200]);
    found.push([path, text.match(UNSEEN) ?? []]);
  }
  return found;
}

it.each(['', '  '])(
  'status leads to what has the title %j by its id, and so do the feed and the recipes: its links had no words to be clicked',
  async (title) => {
    using made = await titled(title);
    expect(await unseenIn(made)).toEqual(PATHS.map((path) => [path, []]));
    expect((await visitor(made)('/browse/search?q=words')).text).toContain('<span class="soft">s</span>');
    const rows = (sql: string): unknown[][] => runQuery(made.dataDir, sql, null).rows;
    expect(rows("select label from changes where kind = 'page' and snapshot = 2")).toEqual([['p']]);
    expect(rows(recipeOf('largest-spaces')?.sql ?? '')).toEqual([['s', 1, 12, 0]]);
  },
);

it.each(['\u200B', '\u200F\u200E', '\u00A0\u3164'])(
  'status shows the link to what has a title of signs that nobody sees, such as %j: only that of spaces was told from one',
  async (title) => {
    using made = await titled(title);
    expect(await unseenIn(made)).toEqual(PATHS.map((path) => [path, []]));
  },
);
