// What is no longer listed was once kept as if the token might no longer see it.
import { expect, it } from 'vitest';
import { atOnce, manualClock, openSqlite } from '../../src/base/index.ts';
import { countsOf, databasePath, firstTampered, openMirror, readMirror } from '../../src/mirror/index.ts';
import { mirrorMigrations } from '../../src/mirror/database/migrations.ts';
import { testFolder } from '../support/cli.ts';
import { rowsOf } from '../support/state.ts';

// Two sections that their listing lacks, and one that the token may no longer see.
const FORMER = `
insert into snapshots (id, state, mode, origin, contract_version, started_at) values (1, 'partial', 'full', 'o', 1, 't');
insert into snapshot_kinds (snapshot, kind, seen, unreachable) values (1, 'site-section', 4, 3);
insert into resources (rid, kind, key, id, params) values (1, 'site-section', 'a', 'a', '{}'), (2, 'site-section', 'b', 'b', '{}'),
  (3, 'site-section', 'c', 'c', '{}');
insert into missing (rid, first_missing) values (1, 1), (2, 1);
insert into unreachable (rid, since, status, at) values (1, 1, null, 't'), (2, 1, null, 't'), (3, 1, 403, 't');`;

it('mirror tells what is no longer listed from what is out of reach in a mirror of an older program, before and after a walk opens it', async () => {
  using folder = testFolder();
  const options = { dataDir: folder.path, clock: manualClock() };
  const migrations = Object.fromEntries(Object.entries(mirrorMigrations).filter(([step]) => Number(step) < 6));
  using former = openSqlite({ path: databasePath(options.dataDir), name: 'the mirror', migrations });
  former.driver.exec(FORMER);
  {
    using mirror = readMirror(options);
    expect(countsOf(mirror, 1)['site-section']).toMatchObject({ seen: 4, unreachable: 3, missing: 0 });
    // It was never sealed; to find that out needs no column that only this program has.
    expect(atOnce(firstTampered(mirror))).toBe(1);
  }
  using mirror = await openMirror(options);
  expect(countsOf(mirror, 1)['site-section']).toMatchObject({ seen: 4, unreachable: 1, missing: 2 });
  expect(rowsOf(mirror, 'select rid from unreachable')).toEqual([{ rid: 3 }]);
});
