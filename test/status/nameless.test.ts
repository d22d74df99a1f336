import { expect, it } from 'vitest';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const OLD = '2019-01-01T00:00:00.000Z';

it.each(['', '  '])(
  'status leads to what has the title %j by its id, and so do the feed and the recipes: its links had no words to be clicked',
  async (title) => {
    using made = await createTestMirror();
    for (const text of ['Some words.', 'Other words.'])
      takeSnapshot(made.mirror, ({ see }) => {
        const space = { object: 'space', id: 's', title, organization: 'o', revision: 'r' };
        see({
          kind: 'organization',
          params: { organizationId: 'o' },
          body: { object: 'organization', id: 'o', title },
        });
        see({ kind: 'space', params: { spaceId: 's' }, body: space });
        const page = { id: 'p', type: 'document', title, path: 'p', documentId: text, updatedAt: OLD };
        see({ kind: 'page', params: { spaceId: 's', pageId: 'p' }, body: page, text, parent: null, position: 0 });
      });
    const visit = visitor(made);
    const paths = ['/report', '/browse', '/browse/spaces/s', '/browse/search?q=words', '/browse/changes?from=1&to=2'];
    for (const path of paths) {
      const { status, text } = await visit(path);
      expect([path, status, text.match(/<a [^>]*>\s*<\/a>/g) ?? []]).toEqual([path, 200, []]);
    }
    const rows = (sql: string): unknown[][] => runQuery(made.dataDir, sql, null).rows;
    expect(rows("select label from changes where kind = 'page' and snapshot = 2")).toEqual([['p']]);
    expect(rows(recipeOf('largest-spaces')?.sql ?? '')).toEqual([['s', 1, 12, 0]]);
  },
);
