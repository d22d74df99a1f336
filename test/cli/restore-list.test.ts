import { describe, expect, it } from 'vitest';
import { beginRestore, setRestoreReport } from '../../src/mirror/index.ts';
import { documentOf, runCli } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

describe('cli/commands/restore-list', () => {
  it('lists a restore whose verification is damaged, as not proven: it ended in an error of its own', async () => {
    using made = await createTestMirror();
    const restore = { plan: 'p.json', plan_hash: 'h', snapshot: 1, target: 'http://target.test', organization: 'o' };
    for (const id of ['damaged', 'whole']) {
      beginRestore(made.mirror, { ...restore, id });
      setRestoreReport(made.mirror, id, { passed: true });
    }
    made.mirror.store.driver.exec(`update restores set report = substr(report, 1, 5) where id = 'damaged'`);
    const listed = await runCli(['restore', 'list', '--json'], { env: { DOCMIRROR_DATA_DIR: made.dataDir } });
    expect(documentOf(listed)).toMatchObject([
      { restore: 'damaged', verified: false },
      { restore: 'whole', verified: true },
    ]);
  });
});
