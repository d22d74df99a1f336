// Commands that an answer names are copied as they stand: with the flags that were given, they are about the same mirror.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

/** The words of the first command of that name in a text. */
function commandIn(text: string, name: string): string[] {
  const line = text.split('\n').find((one) => one.includes(`docmirror ${name}`)) ?? '';
  return line
    .slice(line.indexOf(`docmirror ${name}`))
    .split(' ')
    .slice(1);
}

it('status names commands that can be copied where the mirror was named by flags, the one that undeletes above all', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  using folder = testFolder();
  writeFileSync(folder.at('token'), platform.token);
  const flags = ['--base-url', platform.url, '--token-file', 'token', '--data-dir', 'elsewhere'];
  const cli = (...args: string[]): Promise<Ended> => runCli(args, { cwd: folder.path });
  await cli('sync', ...flags);
  const { stdout: unready } = await cli('status', ...flags);
  expect(unready).toContain(
    `what to do: docmirror drill --base-url ${platform.url} --token-file token --data-dir elsewhere;`,
  );
  const { stdout: space } = await cli('query', '--csv', 'select id from spaces limit 1', ...flags);
  const headers = { authorization: `Bearer ${platform.token}` };
  await fetch(`${platform.url}/v1/spaces/${space.split(/\r?\n/)[1]}`, { method: 'DELETE', headers });
  const cutShort = await cli('sync', '--max-requests', '1', ...flags);
  expect(commandIn(cutShort.stdout, 'snapshots show')).toEqual(['snapshots', 'show', '2', ...flags]);
  await cli('sync', ...flags);
  const { stdout } = await cli('status', ...flags);
  const undelete = commandIn(stdout, 'restore plan');
  expect(undelete).toContain('undelete.json');
  expect(await cli(...undelete)).toMatchObject({ code: 0, stdout: expect.stringContaining('undelete') as string });
});
