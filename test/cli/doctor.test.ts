// The mistakes that people make most, each made for real.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, startCli, testFolder, type TestFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

interface Finding {
  check: string;
  state: 'good' | 'warning' | 'bad';
  found: string;
  hint: string | null;
}

let platform: EmbeddedPlatform;
let folder: TestFolder;

beforeAll(async () => {
  platform = await startSeeded();
  folder = testFolder();
});

afterAll(async () => {
  folder[Symbol.dispose]();
  await platform[Symbol.asyncDispose]();
});

interface Serving extends AsyncDisposable {
  readonly url: string;
  /** Resolves with the first request. */
  readonly asked: Promise<void>;
}

/** A server that is not the platform. */
async function serving(answer: (response: ServerResponse) => void): Promise<Serving> {
  let onAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const server = createServer((_request, response) => {
    onAsked();
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

let places = 0;

function environment(more: Record<string, string> = {}): Record<string, string> {
  places += 1;
  return { ...environmentOf(platform, folder.at(`data${places}`)), DOCMIRROR_STATUS_PORT: '0', ...more };
}

async function examine(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | null; of: (check: string) => Finding[] }> {
  const ended = await runCli(['doctor', '--json', ...args], { env, cwd: folder.path });
  const { findings } = documentOf<{ findings: Finding[] }>(ended);
  return { code: ended.code, of: (check) => findings.filter((one) => one.check === check) };
}

/** Each names what to do. */
function expectFound(findings: Finding[], state: Finding['state'], found: RegExp): void {
  expect(findings).toContainEqual(
    expect.objectContaining({
      state,
      found: expect.stringMatching(found) as string,
      hint: expect.any(String) as string,
    }),
  );
}

describe('cli/commands/doctor', () => {
  it('finds an address at which a web page answers', async () => {
    await using page = await serving((response) => response.setHeader('content-type', 'text/html').end('<html>'));
    const { code, of } = await examine(environment({ DOCMIRROR_BASE_URL: page.url }));
    expect(code).toBe(1);
    expectFound(of('platform'), 'bad', /a web page|text\/html/);
  });

  it('finds a platform and a token that are not configured, which would stop a walk', async () => {
    const { DOCMIRROR_BASE_URL: _url, DOCMIRROR_TOKEN: _token, ...neither } = environment();
    const { code, of } = await examine(neither);
    expect(code).toBe(1);
    expectFound(of('platform'), 'bad', /no base address and no token; .*DM_CONFIG_MISSING/);
    const { DOCMIRROR_TOKEN: _own, ...tokenless } = environment();
    const half = await examine(tokenless);
    expect(half.code).toBe(1);
    expectFound(half.of('platform'), 'bad', /no token/);
    const { stdout } = await runCli(['doctor'], { env: neither, cwd: folder.path });
    expect(stdout).toMatch(/BAD +platform .*\n +what to do: Set DOCMIRROR_BASE_URL/);
    expect(stdout).toContain('This would stop a walk.');
  });

  it('does not say that all is in the contract before anything was read', async () => {
    await using page = await serving((response) => response.setHeader('content-type', 'text/html').end('<html>'));
    const env = environment();
    expect((await runCli(['sync'], { env: { ...env, DOCMIRROR_BASE_URL: page.url } })).code).not.toBe(0);
    expectFound((await examine(env)).of('drift'), 'warning', /nothing was read yet/);
    await runCli(['sync'], { env });
    expect((await examine(env)).of('drift')).toMatchObject([{ state: 'good', found: /./ }]);
  });

  it('finds an address at which nobody answers', async () => {
    const { code, of } = await examine(environment({ DOCMIRROR_BASE_URL: 'http://127.0.0.1:9' }));
    expect(code).toBe(1);
    expectFound(of('platform'), 'bad', /does not answer/);
  });

  it('finds files with secrets in them that everyone on this machine can read, in a folder that everyone may enter', async () => {
    writeFileSync(folder.at('token'), platform.token, { mode: 0o644 });
    writeFileSync(folder.at('settings.yaml'), 'status: { token: abc }\nlog: { level: warn }\n', { mode: 0o644 });
    writeFileSync(folder.at('referring.yaml'), 'status: { token: "${STATUS}" }\n', { mode: 0o644 });
    const { DOCMIRROR_TOKEN: _token, ...env } = environment({ DOCMIRROR_TOKEN_FILE: 'token', STATUS: 'abc' });
    const found = async (file: string): Promise<string[]> =>
      (await examine(env, ['--config', file])).of('secrets').map((one) => one.hint ?? '');
    // The folder of the test is for this user alone.
    expect(await found('settings.yaml')).toEqual([]);
    chmodSync(folder.path, 0o755);
    expect(await found('settings.yaml')).toEqual(
      ['settings.yaml', 'token'].map((name) => `Run chmod 600 ${folder.at(name)}.`),
    );
    expect(await found('referring.yaml')).toEqual([`Run chmod 600 ${folder.at('token')}.`]);
    chmodSync(folder.at('token'), 0o600);
    expect(await found('referring.yaml')).toEqual([]);
    chmodSync(folder.path, 0o700);
  }, 60_000);

  it('finds a token that is sent in the open to another machine', async () => {
    const { of } = await examine(environment({ DOCMIRROR_BASE_URL: 'http://192.0.2.1' }));
    expectFound(of('address'), 'warning', /not encrypted/);
  }, 60_000);

  it('finds a token that is refused, and one that shows nothing', async () => {
    const refused = await examine(environment({ DOCMIRROR_TOKEN: 'tok_of_nobody' }));
    expect(refused.code).toBe(1);
    expectFound(refused.of('token'), 'bad', /DM_TOKEN_REFUSED/);
    await using nobody = await serving((response) =>
      response.setHeader('content-type', 'application/json').end('{"count":0,"items":[]}'),
    );
    const empty = await examine(environment({ DOCMIRROR_BASE_URL: nobody.url }));
    expect(empty.code).toBe(1);
    expectFound(empty.of('token'), 'bad', /no organization/);
  });

  it('finds a right that the walk needs and the token lacks', async () => {
    const [organization = ''] = platform.organizations();
    const { token } = platform.createUser({
      displayName: 'Guest',
      email: 'guest@example.org',
      organization,
      role: null,
    });
    expectFound(
      (await examine(environment({ DOCMIRROR_TOKEN: token }))).of('rights'),
      'warning',
      /DM_FORBIDDEN|DM_NOT_FOUND/,
    );
  });

  it('says that collections can be listed only where they can: it never asked for them', async () => {
    platform.faults = [{ operation: 'listCollections', effect: { status: 403 } }];
    try {
      expectFound((await examine(environment())).of('rights'), 'warning', /collections.*DM_FORBIDDEN/);
    } finally {
      platform.faults = [];
    }
  });

  it('finds a clock that is wrong', async () => {
    await using late = await serving((response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.setHeader('content-type', 'application/json').end('{"count":0,"items":[]}');
    });
    const { of } = await examine(environment({ DOCMIRROR_BASE_URL: late.url }));
    expectFound(of('clock'), 'warning', /1 h ahead/);
  });

  it('finds a data directory that is open to others', async () => {
    const env = environment();
    mkdirSync(env['DOCMIRROR_DATA_DIR'] ?? '');
    chmodSync(env['DOCMIRROR_DATA_DIR'] ?? '', 0o755);
    expectFound((await examine(env)).of('privacy'), 'warning', /others on this machine/);
  });

  it('finds a data directory that is none', async () => {
    const env = environment();
    writeFileSync(env['DOCMIRROR_DATA_DIR'] ?? '', 'a file');
    const ended = await runCli(['doctor', '--json'], { env });
    expect(ended.code).not.toBe(0);
    expect(`${ended.stdout}${ended.stderr}`).toContain(env['DOCMIRROR_DATA_DIR'] ?? '');
  });

  it('advises no rights where a file is in the place of the data directory: of the file they would mend nothing', async () => {
    const env = environment();
    writeFileSync(env['DOCMIRROR_DATA_DIR'] ?? '', 'a file');
    const { of } = await examine(env);
    expectFound(of('data directory'), 'bad', /a file is in its place/);
    expect(of('data directory')[0]?.hint).toMatch(/^Move that file away/);
    expect(of('privacy')).toEqual([]);
  });

  it('finds the process that holds the lease', async () => {
    await using silent = await serving(() => undefined);
    const env = environment();
    const walking = startCli(['sync'], { env: { ...env, DOCMIRROR_BASE_URL: silent.url } });
    await silent.asked;
    expectFound((await examine(env)).of('lease'), 'warning', /sync/);
    await walking.interrupt();
    expect((await examine(env)).of('lease')).toMatchObject([{ state: 'good' }]);
  });

  it('finds nothing bad where somebody interrupts it: it blamed the platform, and ended as if a walk would be stopped', async () => {
    await using silent = await serving(() => undefined);
    const looking = startCli(['doctor', '--json'], { env: environment({ DOCMIRROR_BASE_URL: silent.url }) });
    await silent.asked;
    const ended = await looking.interrupt();
    expect([ended.code, documentOf(ended)]).toMatchObject([130, { error: { code: 'DM_INTERRUPTED' } }]);
  });

  it('finds an address of the status page that is taken', async () => {
    await using taken = await serving(() => undefined);
    const { port } = new URL(taken.url);
    const { of } = await examine(environment({ DOCMIRROR_STATUS_PORT: port }));
    expectFound(of('status page'), 'warning', new RegExp(`:${port} already`));
  });

  it('warns of no address that is taken while the daemon of this data directory runs', async () => {
    await using taken = await serving(() => undefined);
    const env = environment();
    const daemon = startCli(['daemon', '--json'], { env });
    await daemon.until(/"url"/);
    const { of } = await examine({ ...env, DOCMIRROR_STATUS_PORT: new URL(taken.url).port });
    expect(of('status page')).toMatchObject([{ state: 'good' }]);
    await daemon.interrupt();
  });

  it('does not take an address of another machine for one on which somebody listens', async () => {
    const elsewhere = {
      DOCMIRROR_STATUS_HOST: '203.0.113.1',
      DOCMIRROR_STATUS_PORT: '47111',
      DOCMIRROR_STATUS_TOKEN: 'tok_status',
    };
    const { of } = await examine(environment(elsewhere));
    expectFound(of('status page'), 'warning', /nobody can listen .*EADDRNOTAVAIL/);
  });

  it('finds that no night is planned, and that nobody would hear of one', async () => {
    writeFileSync(folder.at('off.yaml'), 'schedule:\n  sync: null\n  drill: null\n');
    const { of } = await examine(environment(), ['--config', folder.at('off.yaml')]);
    expectFound(of('schedule'), 'warning', /no walk/);
    expectFound(of('schedule'), 'warning', /no drill/);
    expectFound(of('notifications'), 'warning', /nobody is told/);
  });

  it('finds a mirror that is not there yet, and one that was never drilled', async () => {
    const env = environment();
    expectFound((await examine(env)).of('mirror'), 'warning', /none yet/);
    await runCli(['sync'], { env });
    expectFound((await examine(env)).of('mirror'), 'warning', /drill/);
  });

  it('takes a database that a first walk has only just made for no mirror yet: that would stop a walk, it said', async () => {
    const env = environment();
    const data = env['DOCMIRROR_DATA_DIR'] ?? '';
    mkdirSync(data);
    writeFileSync(`${data}/mirror.db`, '');
    const examined = await examine(env);
    expectFound(examined.of('mirror'), 'warning', /none yet/);
    expect(examined.code).toBe(0);
    for (const args of [
      ['doctor', '--drift'],
      ['sync', '--plan'],
    ])
      expect(await runCli([...args, '--json'], { env })).toMatchObject({ code: 0 });
  });

  it('finds that the mirror is of another platform than the one to walk, which would stop a walk', async () => {
    const env = environment();
    await runCli(['sync'], { env });
    const elsewhere = { ...env, DOCMIRROR_BASE_URL: platform.url.replace('127.0.0.1', 'localhost') };
    const { code, of } = await examine(elsewhere);
    expect(code).toBe(1);
    expectFound(of('mirror'), 'bad', /This mirror is of .*DM_OTHER_PLATFORM/);
    expect((await runCli(['sync'], { env: elsewhere })).code).toBe(4);
  });

  it('does not call a mirror well whose last snapshot is partial, though an earlier one is fresh and proven', async () => {
    const env = environment();
    await runCli(['sync'], { env });
    await runCli(['drill'], { env });
    expect((await examine(env)).of('mirror')).toMatchObject([{ state: 'good', hint: null }]);
    await runCli(['sync', '--full', '--max-requests', '3'], { env });
    expectFound((await examine(env)).of('mirror'), 'warning', /the last one, 2, is partial/);
  });
});
