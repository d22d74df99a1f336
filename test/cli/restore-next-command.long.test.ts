// The command that is named next works when it is copied into a shell as it stands, whatever the settings were given by.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MAIN, runCli, testFolder, type Ended } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

/** Runs what was printed, by a shell that knows the program by its name. */
function copied(command: string, cwd: string): Promise<Ended> {
  const script = `docmirror() { ${JSON.stringify(process.execPath)} ${JSON.stringify(MAIN)} "$@"; }\n${command}`;
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', script], { cwd, env: { TZ: 'UTC' } }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function named(text: string, before: RegExp): string {
  return before.exec(text)?.[1] ?? `echo 'nothing is named in: ${text}'; false`;
}

it('cli/restore names commands that work when they are copied, with a folder whose name a shell takes apart', async () => {
  await using platform = await startSeeded();
  await using editor = editorOf(platform);
  using folder = testFolder();
  const own = "it's mine";
  mkdirSync(folder.at(own));
  writeFileSync(folder.at(own, 'token'), platform.token);
  const settings = ['--data-dir', `${own}/data`, '--token-file', `${own}/token`, '--base-url', platform.url];
  const run = (...args: string[]): Promise<Ended> => runCli([...args, ...settings], { cwd: folder.path });
  await run('sync');
  const { items } = await editor.api.listCollections({ path: { organizationId: platform.organizations()[0] ?? '' } });
  await editor.api.updateCollection({ path: { collectionId: items[0]?.id ?? '' }, body: { title: 'Bad' } });
  const planned = await run('restore', 'plan', '--snapshot', '1', '--in-place', '--out', `${own}/a plan.json`);
  const apply = named(planned.stdout, /To carry it out: (.*)$/m);
  const applied = await copied(apply, folder.path);
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  const verified = await copied(named(applied.stdout, /^Next: (.*)$/m), folder.path);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  const again = await copied(apply, folder.path);
  expect(again.code).toBe(4);
  const looked = await copied(named(again.stderr, /`(docmirror restore verify [^`]*)`/), folder.path);
  expect([looked.code, looked.stderr]).toEqual([0, '']);
  const undone = await copied(
    named(applied.stdout, /^To take it back: (.*) \(its plan as of the last write/m),
    folder.path,
  );
  expect([undone.code, undone.stderr]).toEqual([0, '']);
});
