import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

const TEXT = 'A text of many words that is edited by a few of them. '.repeat(20);

it('query says that null stands for a damaged text of an earlier snapshot: it looked like a page without text', async () => {
  using made = await createTestMirror();
  for (const night of [1, 2, 3]) takeSnapshot(made.mirror, ({ see }) => see(page('a', `${TEXT}${night}`)));
  const ask = (sql: string, ...rest: string[]) => runCli(['query', '--csv', sql, ...rest, '--data-dir', made.dataDir]);
  const whole = await ask('select markdown from pages', '--at', '1');
  expect([whole.stdout.length > TEXT.length, whole.stderr]).toEqual([true, '']);

  made.mirror.store.driver.exec(`update superseded set data = x'00ffffff'`);
  const damaged = await ask('select id, markdown from pages', '--at', '1');
  expect([damaged.code, damaged.stdout]).toEqual([0, 'id,markdown\na,\n']);
  expect(damaged.stderr).toContain('null stands 1 time for a text that could not be unpacked');
  expect(damaged.stderr).toContain('docmirror check --read-data');
  expect((await ask('select markdown from pages')).stderr).toBe('');
});
