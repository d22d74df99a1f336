import { expect, it } from 'vitest';
import { noteDrift } from '../../src/mirror/index.ts';
import { documentOf, runCli } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';

it('doctor tells one field that is not in the contract as one: it said "1 fields or values are"', async () => {
  using made = await createTestMirror();
  takeSnapshot(made.mirror, ({ id, see }) => {
    see(collection('c'));
    noteDrift({ mirror: made.mirror, id }, 'collection', [{ path: '$.mood', what: 'field', value: 'x' }]);
  });
  const ended = await runCli(['doctor', '--json'], { env: { DOCMIRROR_DATA_DIR: made.dataDir } });
  const { findings } = documentOf<{ findings: object[] }>(ended);
  const found = '1 field or value is not in the contract, in collection; it is kept';
  expect(findings).toContainEqual(expect.objectContaining({ check: 'drift', found }));
});
