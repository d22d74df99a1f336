import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { takeLease } from '../../src/mirror/index.ts';
import {
  ANY_PORT,
  documentOf,
  type Ended,
  environmentOf,
  MAIN,
  runCli,
  runOwnProcess,
  startCli,
  startProgram,
  testFolder,
} from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

function oneClearError(ended: Ended, code: string): void {
  const lines = ended.stderr.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`^docmirror: .+ \\(${code}\\)$`));
  expect(lines[1]).toMatch(/^ {2}what to do: .+/);
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

describe('a data directory of a name that no system has', () => {
  it.each([
    ['a NUL in it', String.raw`a\u0000b`, 'DM_CONFIG_INVALID'],
    ['300 letters', 'x'.repeat(300), 'DM_DATA_DIR_UNUSABLE'],
  ])('with %s is no fault in Docmirror', async (_, name, code) => {
    using folder = testFolder();
    writeFileSync(folder.at('c.yaml'), `dataDir: "${name}"\n`);
    const ended = await runCli(['status', '--config', 'c.yaml'], { cwd: folder.path });
    oneClearError(ended, code);
  });
});

it('a folder that is gone below whoever is in it is no fault in Docmirror: it was told to be reported as one', async () => {
  using folder = testFolder();
  mkdirSync(folder.at('gone'));
  const typed = `rmdir '${folder.at('gone')}'; exec '${process.execPath}' '${MAIN}' status`;
  oneClearError(await startProgram('bash', ['-c', typed], { cwd: folder.at('gone') }).ended, 'DM_USAGE');
});

describe('bad input', () => {
  it('says that the token is refused, and harms nothing stored before', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    const ended = await runCli(['sync'], { env: { ...env, DOCMIRROR_TOKEN: 'tok_wrong_word' } });
    expect(ended.code).toBe(1);
    oneClearError(ended, 'DM_TOKEN_REFUSED');
    expect(ended.stderr + ended.stdout).not.toContain('tok_wrong_word');
    expect(documentOf<unknown[]>(await runCli(['snapshots', '--json'], { env }))).toHaveLength(1);
    expect((await runCli(['check', '--read-data'], { env })).code).toBe(0);
  });

  it('says that the platform cannot be reached', async () => {
    using folder = testFolder();
    const config = folder.at('c.yaml');
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await closeServer(server);
    writeFileSync(config, 'limits: {retries: 0}\n');
    const env = environmentOf({ url: `http://127.0.0.1:${port}`, token: 'tok' }, folder.at('data'));
    const ended = await runCli(['sync', '--config', config], { env });
    expect(ended.code).toBe(1);
    oneClearError(ended, 'DM_UNREACHABLE');
  });

  it('says that the platform answers a web page', async () => {
    using folder = testFolder();
    const server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end('<!doctype html><title>Sign in</title>');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const env = environmentOf({ url: `http://127.0.0.1:${port}`, token: 'tok' }, folder.at('data'));
    const ended = await runCli(['sync'], { env });
    await closeServer(server);
    expect(ended.code).toBe(1);
    oneClearError(ended, 'DM_NOT_JSON');
  });

  it('says who holds the data directory; reading works meanwhile', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    await runCli(['sync'], { env });
    using _lease = await takeLease(folder.at('data'), 'a test');
    const ended = await runCli(['sync'], { env });
    expect(ended.code).toBe(1);
    oneClearError(ended, 'DM_DATA_DIR_LOCKED');
    expect(ended.stderr).toContain(`a test, process ${process.pid}`);
    expect((await runCli(['query', 'select 1'], { env })).code).toBe(0);
  });

  it('leaves a database alone that a newer program wrote', async () => {
    using folder = testFolder();
    mkdirSync(folder.at('data'));
    const database = new Database(folder.at('data', 'mirror.db'));
    database.pragma('user_version = 999');
    database.close();
    const env = environmentOf({ url: 'http://127.0.0.1:9', token: 'tok' }, folder.at('data'));
    for (const command of [['sync'], ['snapshots'], ['query', 'select 1'], ['check'], ['status']]) {
      const ended = await runCli(command, { env });
      expect(ended.code).toBe(1);
      oneClearError(ended, 'DM_DATABASE_NEWER');
    }
  });

  it('says that there is no mirror while the first walk has not filled it yet', async () => {
    using folder = testFolder();
    mkdirSync(folder.at('data'));
    writeFileSync(folder.at('data', 'mirror.db'), '');
    const env = { DOCMIRROR_DATA_DIR: folder.at('data') };
    for (const command of [['snapshots'], ['query', 'select count(*) as n from pages'], ['check']]) {
      const ended = await runCli(command, { env });
      expect(ended.code).toBe(1);
      oneClearError(ended, 'DM_NO_SNAPSHOT');
    }
  });

  it('says that a file is no database', async () => {
    using folder = testFolder();
    mkdirSync(folder.at('data'));
    writeFileSync(
      folder.at('data', 'mirror.db'),
      'this is not a database, but it is long enough to look like one'.repeat(40),
    );
    const ended = await runCli(['snapshots'], { env: { DOCMIRROR_DATA_DIR: folder.at('data') } });
    expect(ended.code).toBe(1);
    oneClearError(ended, 'DM_DATABASE_DAMAGED');
    expect(ended.stderr).toContain(folder.at('data'));
  });

  it('names the settings when the port of the status page is taken', async () => {
    using folder = testFolder();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { DOCMIRROR_STATUS_PORT: String(port), DOCMIRROR_DATA_DIR: folder.at('data') };
    const ended = await runOwnProcess(['serve'], { env });
    await closeServer(server);
    expect(ended.code).toBe(1);
    oneClearError(ended, 'DM_PORT_IN_USE');
    expect(ended.stderr).toContain('status.port');
  });

  it.each([
    ['192.0.2.1', 'this machine does not have that address'],
    ['host.invalid', 'no address is known for that name'],
  ])('names status.host when the status page cannot listen on %s: it asked for another port', async (host, why) => {
    using folder = testFolder();
    const settings = { DOCMIRROR_STATUS_HOST: host, DOCMIRROR_STATUS_TOKEN: 'tok_of_readers' };
    const env = { ...ANY_PORT, ...settings, DOCMIRROR_DATA_DIR: folder.at('data') };
    const ended = await runOwnProcess(['serve'], { env });
    oneClearError(ended, 'DM_PORT_IN_USE');
    expect(ended.stderr).toContain(`cannot listen on ${host}:0 (settings status.host and status.port): ${why} `);
    expect(ended.stderr).toContain(
      'what to do: Set DOCMIRROR_STATUS_HOST or status.host to an address of this machine',
    );
  });

  it('starts the platform of a folder whose note of its ports is damaged', async () => {
    using folder = testFolder();
    mkdirSync(folder.at('platform'));
    writeFileSync(folder.at('platform', 'ports.json'), '{"api":');
    const running = startCli(['platform', '--seed', 'empty', '--data', folder.at('platform')], { cwd: folder.path });
    expect(await running.until(/"url":/)).toContain('http://127.0.0.1:');
    expect((await running.interrupt()).code).toBe(0);
  });
});
