import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, startCli, testFolder } from '../support/cli.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSeeded } from '../support/seeded-platform.ts';

interface Probed {
  readonly ready: boolean;
  readonly pages: readonly { readonly name: string; readonly url: string; readonly reasons: readonly string[] }[];
}

it('finds the pages of a daemon whose ports and token stand in the settings file: the health check asked port 8780', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const one = (name: string) => ({ name, platform: { baseUrl: platform.url, token: platform.token } });
  // Any free ports, and no probe that answers without the token.
  const settings = { platforms: [one('docs'), one('handbook')], status: { port: 0, token: 'status-token' } };
  writeFileSync(folder.at('docmirror.yaml'), JSON.stringify(settings));
  const options = { env: { DOCMIRROR_CONFIG: folder.at('docmirror.yaml') }, cwd: folder.path };
  const without = await runCli(['probe', '--platform', 'docs'], options);
  expect([without.code, without.stdout]).toEqual([1, expect.stringContaining('not ready: it does not answer')]);

  platform.faults = [{ operation: 'listOrganizations', effect: { delayMs: 1000 } }];
  const daemon = startCli(['daemon'], options);
  try {
    const text = await daemon.until(/handbook: http\S+\n/);
    const early = await runCli(['probe', '--json'], options);
    const { ready, pages } = documentOf<Probed>(early);
    expect([early.code, ready, early.stderr]).toEqual([1, false, '']);
    expect(pages.map(({ name, url }) => `Status page of ${name}: ${url}`)).toEqual(text.match(/Status page of .*/g));
    // Their first walk may not have begun.
    for (const { reasons } of pages) expect(reasons.join()).toMatch(/snapshot|no mirror yet/);
    platform.faults = [];
    for (const name of ['docs', 'handbook']) {
      await daemon.until(new RegExp(`"platform":"${name}".*"job":"drill","msg":"job done"`));
    }
    const late = await runCli(['probe'], options);
    expect([late.code, late.stdout]).toEqual([0, pages.map(({ name, url }) => `${name} (${url}): ready\n`).join('')]);
  } finally {
    expect((await daemon.interrupt('SIGTERM')).code).toBe(0);
  }
}, 60_000);

it('says what something else that listens there answers: it spoke of JSON that does not answer', async () => {
  await using other = await startReceiver();
  using folder = testFolder();
  other.answers.push(503);
  const env = { DOCMIRROR_STATUS_PORT: new URL(other.url).port, DOCMIRROR_DATA_DIR: folder.at('data') };
  const { code, stdout } = await runCli(['probe'], { env, cwd: folder.path });
  expect([code, stdout]).toEqual([1, `${other.url}: not ready: it answers 503\n`]);
});

it('shows its token to nobody where the probes are open, and to a page that asks for it', async () => {
  await using page = await startReceiver();
  using folder = testFolder();
  const env = {
    DOCMIRROR_STATUS_PORT: new URL(page.url).port,
    DOCMIRROR_STATUS_TOKEN: 'status-token',
    DOCMIRROR_DATA_DIR: folder.at('data'),
  };
  for (const open of ['true', 'false'])
    await runCli(['probe'], { env: { ...env, DOCMIRROR_STATUS_OPEN_PROBES: open }, cwd: folder.path });
  expect(page.received.map(({ headers }) => headers['authorization'])).toEqual([undefined, 'Bearer status-token']);
});

it('is not ready by the page of another mirror: two had one port in their settings, and the one without a daemon was ready', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const options = (name: string, port = '0') => {
    const env = { ...environmentOf(platform, folder.at(name)), DOCMIRROR_STATUS_PORT: port };
    return { env, cwd: folder.path };
  };
  for (const name of ['one', 'other']) expect((await runCli(['sync'], options(name))).code).toBe(0);
  expect((await runCli(['drill'], options('one'))).code).toBe(0);
  const page = startCli(['serve'], options('one'));
  try {
    const [url = ''] = /http:\S+/.exec(await page.until(/http:\S+/)) ?? [];
    const { port } = new URL(url);
    for (const name of ['other', 'none yet']) {
      const { code, stdout } = await runCli(['probe'], options(name, port));
      const why = `it answers for another mirror than that of ${folder.at(name)}`;
      expect([code, stdout]).toEqual([1, `${url}: not ready: ${why}\n`]);
    }
    // Of a mirror that cannot be read nobody can say that the page is of another one.
    mkdirSync(folder.at('illegible'));
    writeFileSync(folder.at('illegible', 'mirror.db'), 'no database');
    for (const name of ['one', 'illegible'])
      expect((await runCli(['probe'], options(name, port))).stdout).toBe(`${url}: ready\n`);
  } finally {
    await page.interrupt('SIGTERM');
  }
}, 60_000);

it('is not ready where anything answers 200 that is no status page: any web server on that port was a fresh mirror', async () => {
  await using other = await startReceiver();
  using folder = testFolder();
  const env = { DOCMIRROR_STATUS_PORT: new URL(other.url).port, DOCMIRROR_DATA_DIR: folder.at('data') };
  const { code, stdout } = await runCli(['probe'], { env, cwd: folder.path });
  expect([code, stdout]).toEqual([1, `${other.url}: not ready: it answers 200, but not as a status page does\n`]);
});
