// Commands that an answer names are copied as they stand: with the flags that were given, they are about the same mirror.
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { daemonEnvironment, documentOf, MAIN, runCli, startCli, testFolder, type Ended } from '../support/cli.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { withoutFlagMarks } from '../support/status-page.ts';

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

it('doctor, forget, check, report and the lists name commands that can be copied, too', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  using folder = testFolder();
  writeFileSync(folder.at('token'), platform.token);
  const flags = ['--base-url', platform.url, '--token-file', 'token', '--data-dir', 'elsewhere'];
  const cli = (...args: string[]): Promise<Ended> => runCli([...args, ...flags], { cwd: folder.path });
  const given = flags.join(' ');
  expect((await cli('doctor')).stdout).toContain(`what to do: Run docmirror sync ${given}.\n`);
  expect((await cli('query', 'select 1')).stderr).toContain('--token-file token --data-dir elsewhere` first');
  await cli('sync');
  await cli('sync');
  const { hint } = documentOf<{ findings: { check: string; hint: string }[] }>(
    await cli('doctor', '--json'),
  ).findings.find(({ check }) => check === 'mirror') ?? { hint: '' };
  expect(hint).toBe(`Run docmirror sync ${given} and docmirror drill ${given}, or keep the daemon running.`);
  expect((await cli('report')).stdout).toContain(`docmirror report ${given} --out report.html`);
  expect((await cli('forget', '--keep-last', '1')).stdout).toContain(`Free the space with: docmirror prune ${given}\n`);
  expect((await cli('query', '--recipes')).stdout).toContain(`docmirror query ${given} --recipe NAME`);
  expect((await cli('restore', 'list')).stdout).toContain(`docmirror restore plan ${given} --snapshot latest`);
  rmSync(folder.at('elsewhere', 'content', 'SHA256SUMS'));
  expect((await cli('check')).stderr).toContain(`The next complete docmirror sync ${given} writes them`);
});

const UNSCHEDULED = 'sync: 0 0 1 1 *, drill: null, check: null, forget: null, report: null';

it('with several platforms a message, a page and an answer name the one that a command is about: a copied one was refused', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  await using receiver = await startReceiver();
  using folder = testFolder();
  const entry = (name: string): string =>
    `  - {name: ${name}, platform: {baseUrl: "${platform.url}", token: ${platform.token}}}`;
  const head = `status: {port: 0}\nnotify: {webhook: "${receiver.url}/hook"}\nschedule: {${UNSCHEDULED}}`;
  writeFileSync(folder.at('docmirror.yaml'), `${head}\nplatforms:\n${entry('docs')}\n${entry('books')}\n`);
  const options = { cwd: folder.path, env: { DOCMIRROR_CONFIG: 'docmirror.yaml' } };
  const cut = await runCli(['sync', '--platform', 'docs', '--max-requests', '5'], options);
  expect(commandIn(cut.stdout, 'snapshots show')).toEqual(['snapshots', 'show', '1', '--platform', 'docs']);
  const message = JSON.parse(receiver.received[0]?.body ?? '') as { run: string; text: string };
  expect(message.run).toBe('docmirror snapshots show --platform docs 1');
  expect(message.text).toContain(`Run: ${message.run}\n`);
  // However the platform was chosen.
  const chosen = { ...options, env: { ...options.env, DOCMIRROR_PLATFORM: 'docs' } };
  const { stdout } = await runCli(['status'], chosen);
  expect(stdout).toContain('docmirror sync --platform docs, then docmirror drill --platform docs;');
  const { remedy } = documentOf<{ remedy: string }>(await runCli(['status', '--json'], chosen));
  expect(remedy).toBe('docmirror sync --platform docs, then docmirror drill --platform docs');
  const page = startCli(['serve', '--platform', 'docs'], options);
  const url = /http:\S+/.exec(await page.until(/Status page: \S+/))?.[0] ?? '';
  const named = [await (await fetch(url)).text(), await (await fetch(`${url}/report`)).text()].flatMap(
    (html) => withoutFlagMarks(html).match(/docmirror (?:sync|drill|query|snapshots|forget|diff)[^<]{0,40}/g) ?? [],
  );
  await page.interrupt();
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((command) => !command.includes('--platform docs'))).toEqual([]);
});

it('the pages name no command that is refused as it stands', async () => {
  await using platform = await startSeeded({ spaces: 2, pages: 2 });
  using folder = testFolder();
  const env = daemonEnvironment(platform, folder.at('data'));
  await runCli(['sync'], { env });
  await runCli(['sync', '--max-requests', '3', '--full'], { env });
  const page = startCli(['serve'], { env });
  const url = /http:\S+/.exec(await page.until(/Status page: \S+/))?.[0] ?? '';
  const html = await Promise.all(['/', '/report'].map(async (path) => (await fetch(url + path)).text()));
  await page.interrupt();
  const lines = html.flatMap((text) =>
    [...withoutFlagMarks(text).matchAll(/(?<=<code>|\n)docmirror [^<\n]+/g)].map(([line]) => line),
  );
  expect(lines).toEqual(expect.arrayContaining(['docmirror drill', 'docmirror snapshots show 2']));
  for (const line of new Set(lines)) {
    const script = `docmirror() { '${process.execPath}' '${MAIN}' "$@"; }; ${line}`;
    const { stderr } = await promisify(execFile)('bash', ['-c', `${script} || true`], {
      env: { ...env, PATH: process.env['PATH'] },
      cwd: folder.path,
    });
    expect(stderr, line).not.toContain('DM_USAGE');
  }
});
