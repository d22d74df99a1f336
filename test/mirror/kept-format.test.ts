// What stands in mirrors that are out there: a program that read or hashed it otherwise would call all of them damaged.
import { expect, it } from 'vitest';
import { atOnce, sha256 } from '../../src/base/index.ts';
import { checkMirror, listSnapshots, noteFailure, runQuery } from '../../src/mirror/index.ts';
import { manifestHash } from '../../src/mirror/snapshots/manifest.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}`);
const TEXT = lines(0, 4000).join('\n');
const KEPT = {
  'an edit of a word': [TEXT.replace('line 2000', 'word 2000'), 'AcqTAZucAXdvcmQ='],
  'lines that were moved nearby': [
    [...lines(0, 2000), ...lines(2050, 2060), 'new', ...lines(2010, 4000)].join('\n'),
    'AtGTAbybAaNpPzMvtRwA',
  ],
  'many lines that came since': [
    [...lines(0, 200), ...lines(1500, 1510), 'gone', ...lines(3950, 4000)].join('\n'),
    'Ap8N9AOj8Q0N6fl5qQA=',
  ],
  'a text of its own': ['Nothing of it is left. '.repeat(9), 'APPLL8nIzEtXyE9TyCxRyCxWyElNK9FT8BuiwgA='],
} as const;

it.each(Object.entries(KEPT))('a text that an earlier program compressed is read: %s', async (_, [text, data]) => {
  using made = await createTestMirror();
  const { mirror, dataDir } = made;
  takeSnapshot(mirror, ({ see }) => see(page('p1', TEXT)));
  takeSnapshot(mirror, ({ see }) => see(page('p1', TEXT, { title: 'Renamed' })));
  const { driver } = mirror.store;
  const base = Number(driver.prepare('select text from versions where valid_to is null').pluck().get());
  driver
    .prepare('insert into superseded (bid, hash, base, height, data) values (99, ?, ?, 0, ?)')
    .run(Buffer.from(sha256(text).slice(0, 32), 'hex'), base, Buffer.from(data, 'base64'));
  driver.exec('update versions set text = 99 where valid_from = 1');
  const { rows } = runQuery(dataDir, 'select markdown from pages_history order by valid_from', null);
  expect(rows).toEqual([[text], [TEXT]]);
  const { problems } = await checkMirror(mirror, { readData: true });
  expect(problems.filter(({ what }) => what === 'body')).toEqual([]);
});

it('a chain that an earlier program sealed fits what is stored', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const pages = [{ id: 'p1', title: 'One', pages: [{ id: 'p2', title: 'Two', text: 'a' }] }];
  const files = [{ id: 'f1', name: 'a.txt', bytes: 'bytes' }];
  await made.add({ spaces: [{ id: 's1', title: 'Space', files, pages }] });
  takeSnapshot(mirror, ({ id, see, bury }) => {
    see(page('p1', 'other'));
    bury('file', 's1/f1');
    const what = { kind: 'team', resource: 'org', request: 'GET /v1/orgs/org/teams', status: 500 };
    noteFailure({ mirror, id }, { ...what, code: 'DM_HTTP_STATUS', error: 'answered 500' });
  });
  const chain = listSnapshots(mirror).map((one) => {
    const record = { ...one, contract_version: 1 };
    return atOnce(manifestHash(mirror, { snapshot: one.id, record, previous: null }));
  });
  expect(chain).toEqual([
    '1e34acc18c9822ad9a4fc02d72a652038b112c592c65f8ad65383cf86d39dec6',
    'e808f37e466272a3ce74bef06549e1dce952a3755bd2594bdb77bfced1f90681',
  ]);
});
