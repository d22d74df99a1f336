// Every secret that Docmirror takes, planted in real processes that log all they can; then all that they left behind is searched.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import { redact } from '../../src/base/redact.ts';
import { errorText } from '../../src/cli/show-error.ts';
import { loadConfig } from '../../src/config/index.ts';
import { documentOf, runCli, startCli, testFolder, type Ended } from '../support/cli.ts';
import { filesBelow, PLANTED, plantedBelow, plantedIn, shownOfProcess } from '../support/planted.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { startReceiver } from '../support/receiver.ts';

const folder = testFolder();
const platform = await startSeeded({ token: PLANTED.platform });
const target = await startSeeded({ spaces: 0, token: PLANTED.target });
const receiver = await startReceiver();
const mail = await startMailServerThatEchoes();

/** All that the processes said, one text for each. */
const said: { what: string; ended: Ended }[] = [];

/** Answers what it is told with the token in it, in one way for each first part of the path: the worst that the other side can do. */
async function startEcho(): Promise<{ url: string } & AsyncDisposable> {
  const kinds: ((request: IncomingMessage, response: ServerResponse) => void)[] = [
    (request, response) => json(response, 401, `refused: ${JSON.stringify(request.headers)}`),
    (request, response) => response.writeHead(302, { location: `/login/${tokenOf(request)}?t=${tokenOf(request)}` }),
    (request, response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).write(`<h1>${tokenOf(request)}</h1>`),
    (request, response) => response.writeHead(200, { 'content-type': `text/${tokenOf(request)}` }).write('<html>'),
    (request, response) => json(response, 403, `Bearer ${tokenOf(request)} may not`),
  ];
  const server = createServer((request, response) => {
    kinds[Number(request.url?.split('/')[1])]?.(request, response);
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function json(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.write(JSON.stringify({ error: { code: status, message } }));
}

function tokenOf(request: IncomingMessage): string {
  return (request.headers.authorization ?? '').replace('Bearer ', '');
}

/** A mail server that refuses a login and says it back, in the clear and as it was sent. */
async function startMailServerThatEchoes(): Promise<{ url: string; logins: string[] } & AsyncDisposable> {
  const { createServer: createTcp } = await import('node:net');
  const logins: string[] = [];
  const server = createTcp((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail\r\n');
    socket.on('data', (bytes) => {
      const line = bytes.toString().trim();
      const login = /^AUTH PLAIN (\S+)/.exec(line)?.[1];
      if (login !== undefined) logins.push(Buffer.from(login, 'base64').toString());
      if (login !== undefined) socket.write(`535 ${login} is ${Buffer.from(login, 'base64').toString('latin1')}\r\n`);
      else socket.write(line.startsWith('EHLO') ? '250-mail\r\n250 AUTH PLAIN\r\n' : '250 fine\r\n');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `smtp://robin:${PLANTED.mail}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    logins,
    [Symbol.asyncDispose]: () => new Promise((done) => void server.close(() => done())),
  };
}

function environment(changes: Record<string, string> = {}): Record<string, string> {
  const told = receiver.url.replace('http://', `http://robin:${PLANTED.webhookPassword}@`);
  return {
    DOCMIRROR_LOG_LEVEL: 'trace',
    DOCMIRROR_CONFIG: folder.at('docmirror.yaml'),
    DOCMIRROR_DATA_DIR: folder.at('data'),
    DOCMIRROR_BASE_URL: platform.url,
    DOCMIRROR_TOKEN: PLANTED.platform,
    DOCMIRROR_TARGET_TOKEN: PLANTED.target,
    DOCMIRROR_REPLICA_TOKEN: PLANTED.replica,
    DOCMIRROR_STATUS_TOKEN: PLANTED.status,
    DOCMIRROR_STATUS_PORT: '0',
    DOCMIRROR_NOTIFY_WEBHOOK: `${told}/hooks/${PLANTED.webhook}?key=${PLANTED.webhookKey}`,
    DOCMIRROR_PING_START: `${receiver.url}/${PLANTED.pingStart}`,
    DOCMIRROR_PING_SUCCESS: `${receiver.url}/${PLANTED.pingSuccess}`,
    DOCMIRROR_PING_FAILURE: `${receiver.url}/${PLANTED.pingFailure}`,
    ...changes,
  };
}

async function run(args: readonly string[], changes: Record<string, string> = {}): Promise<Ended> {
  const ended = await runCli(args, { env: environment(changes), cwd: folder.path });
  said.push({ what: `docmirror ${args.join(' ')}`, ended });
  return ended;
}

const FAR = 'sync: 0 0 1 1 *, drill: null, check: null, report: null, jitter: 0s';
const CONFIG = `schedule: {${FAR}}\nexport: {git: true}\nlimits: {retries: 0, requestsPerSecond: 500}\n`;
const NOTIFY = 'notify: {mailFrom: docmirror@localhost, mailTo: [robin@localhost]}\n';

beforeAll(() => {
  writeFileSync(folder.at('docmirror.yaml'), CONFIG);
  writeFileSync(folder.at('mail.yaml'), CONFIG + NOTIFY);
});

afterAll(async () => {
  for (const one of [platform, target, receiver, mail]) await one[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function rejection(work: () => Promise<unknown>): Promise<AppError> {
  const error: unknown = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error('expected an error of ours', { cause: error });
}

function expectNothingSaid(): void {
  for (const { what, ended } of said) {
    expect([what, plantedIn(ended.stdout), plantedIn(ended.stderr)]).toEqual([what, [], []]);
  }
}

describe('scenarios/secrets', () => {
  it('are in nothing that walks, exports and looks leave behind, whatever the other side does with them', async () => {
    expect((await run(['sync'])).code).toBe(0);
    const told = { DOCMIRROR_CONFIG: folder.at('mail.yaml'), DOCMIRROR_NOTIFY_MAIL_URL: mail.url };
    await using echo = await startEcho();
    const echoed = Array.from({ length: 5 }, (_, kind) => ({
      DOCMIRROR_BASE_URL: `${echo.url}/${kind}`,
      DOCMIRROR_DATA_DIR: folder.at(`echoed-${kind}`),
    }));
    const failed = await Promise.all([
      run(['sync'], { ...told, DOCMIRROR_TOKEN: PLANTED.refused }),
      run(['sync'], { DOCMIRROR_BASE_URL: 'http://127.0.0.1:9', DOCMIRROR_DATA_DIR: folder.at('unreachable') }),
      ...echoed.map((changes) => run(['sync'], changes)),
    ]);
    const codes = failed.map(({ code, stderr }) => [code, /\((DM_\w+)\)/.exec(stderr)?.[1]]);
    expect(codes).toEqual(
      ['TOKEN_REFUSED', 'UNREACHABLE', 'TOKEN_REFUSED', 'REDIRECT_REFUSED', 'HTTP_STATUS', 'NOT_JSON', 'FORBIDDEN'].map(
        (code) => [1, `DM_${code}`],
      ),
    );
    await Promise.all([
      run(['export', '--to', folder.at('tree')]),
      run(['doctor'], { DOCMIRROR_BASE_URL: `${echo.url}/0` }),
      run(['check', '--live', '2']),
    ]);
    expect(mail.logins.join()).toContain(PLANTED.mail);
    const sent = receiver.received.map(({ path, body }) => path + body).join('\n');
    for (const part of ['pingStart', 'pingFailure', 'webhook'] as const) expect(sent).toContain(PLANTED[part]);
    expect(receiver.received.flatMap(({ body }) => plantedIn(body))).toEqual([]);
    expectNothingSaid();
    expect(plantedBelow(folder.path)).toEqual([]);
    expect(filesBelow(folder.at('data')).length).toBeGreaterThan(20);
  });

  it('are in no plan, journal, verification or way back of a restore to a target with a token of its own', async () => {
    const flag = ['--target-url', target.url, '--json'];
    const plan = ['restore', 'plan', '--snapshot', 'latest', '--out', 'plan.json', ...flag];
    expect((await run(plan, { DOCMIRROR_TARGET_TOKEN: PLANTED.refused })).code).toBe(1);
    expect((await run(plan)).code).toBe(0);
    const applied = await run(['restore', 'apply', 'plan.json', ...flag]);
    expect(applied.code, applied.stderr).toBe(0);
    const { restore } = documentOf<{ restore: string }>(applied);
    expect((await run(['restore', 'verify', restore, ...flag])).code).toBe(0);
    expectNothingSaid();
    expect(filesBelow(folder.at('data', 'restores')).some((file) => file.endsWith('.plan.json'))).toBe(true);
    expect(statSync(folder.at('plan.json')).mode & 0o777).toBe(0o600);
    expect(plantedBelow(folder.path)).toEqual([]);
  });

  it.each<Record<string, string>>([
    { DOCMIRROR_TOKEN: `${PLANTED.platform}\nnext line` },
    { DOCMIRROR_TARGET_TOKEN: `with a space ${PLANTED.target}` },
    { DOCMIRROR_STATUS_TOKEN: `${PLANTED.status}\u00e9` },
    { DOCMIRROR_NOTIFY_WEBHOOK: `ftp://127.0.0.1/${PLANTED.webhook}` },
    { DOCMIRROR_NOTIFY_MAIL_URL: `http://robin:${PLANTED.mail}@127.0.0.1` },
    { DOCMIRROR_PING_START: PLANTED.pingStart },
    { DOCMIRROR_BASE_URL: `http://robin:${PLANTED.webhookPassword}@127.0.0.1:9` },
    { DOCMIRROR_STATUS_TOKEN_FILE: '/nowhere' },
  ])('are in no refusal of a setting, however wrong it is: %#', async (changes) => {
    const sources = { flags: {}, environment: environment(changes), cwd: folder.path };
    const error = await rejection(async () => Promise.resolve(loadConfig(sources)));
    expect(error).toMatchObject({ code: 'DM_CONFIG_INVALID' });
    for (const shown of [errorText(error), error.stack ?? '', inspect(error, { depth: 9 })]) {
      expect(plantedIn(shown)).toEqual([]);
    }
  });

  it('are in no form in which a configuration can be written down', () => {
    const config = loadConfig({ flags: {}, environment: environment(), cwd: folder.path });
    expect(config.platform.token?.reveal()).toBe(PLANTED.platform);
    const forms = [JSON.stringify(config), inspect(config, { depth: 9, showHidden: true })];
    expect(forms.flatMap(plantedIn)).toEqual([]);
    expect(plantedIn(JSON.stringify(redact(config, { stacks: true })))).toEqual([]);
  });

  it('are in no error that is printed with its stack when the mirror breaks under a command', async () => {
    mkdirSync(folder.at('broken'));
    writeFileSync(folder.at('broken', 'mirror.db'), 'no database at all'.repeat(1000));
    const broken = { DOCMIRROR_DATA_DIR: folder.at('broken') };
    const { code, stderr } = await run(['sync'], broken);
    expect([code, /^ +at /m.test(stderr)], stderr).toEqual([1, true]);
    expectNothingSaid();
    expect(plantedBelow(folder.at('broken'))).toEqual([]);
  });

  it('are in no page, probe, answer, log or process entry of the daemon', async () => {
    const daemon = startCli(['daemon', '--json'], { env: environment(), cwd: folder.path });
    try {
      const text = await daemon.until(/"url":[\s\S]*job scheduled/);
      const [, url = ''] = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(text) ?? [];
      await expectNothingServed(url);
      const pid = daemon.child.pid ?? 0;
      expect(plantedIn(shownOfProcess(pid))).toEqual([]);
      // The environment is the operator's own way in; the system shows it to the same user and to nobody else.
      if (existsSync('/proc/self')) expect(statSync(`/proc/${pid}/environ`).mode & 0o077).toBe(0);
      writeFileSync(folder.at('docmirror.yaml'), 'schedule: {sync: every night}\n');
      daemon.child.kill('SIGHUP');
      await daemon.until(/the configuration is refused/);
    } finally {
      said.push({ what: 'docmirror daemon', ended: await daemon.interrupt() });
    }
    expectNothingSaid();
    expect(plantedBelow(folder.path)).toEqual([]);
  });
});

async function expectNothingServed(url: string): Promise<void> {
  const status = { authorization: `Bearer ${PLANTED.status}` };
  const replica = { authorization: `Bearer ${PLANTED.replica}` };
  const asked: [string, RequestInit][] = [
    ...['/', '/report', '/browse', '/browse/search?q=a', '/metrics', '/readyz', '/healthz', '/nowhere'].map(
      (path): [string, RequestInit] => [path, { headers: status }],
    ),
    ['/v1/orgs', { headers: replica }],
    ['/v1/orgs', { headers: status }],
    ['/', {}],
    ['/', { headers: { authorization: `Bearer ${PLANTED.refused}`, accept: 'text/html' } }],
    ['/login', { method: 'POST', body: new URLSearchParams({ token: PLANTED.status }), redirect: 'manual' }],
    ['/login', { method: 'POST', body: new URLSearchParams({ token: PLANTED.refused }), redirect: 'manual' }],
  ];
  const statuses: number[] = [];
  for (const [path, init] of asked) {
    const answer = await fetch(`${url}${path}`, init);
    statuses.push(answer.status);
    const shown = `${JSON.stringify([...answer.headers])}${await answer.text()}`;
    expect([path, plantedIn(shown)]).toEqual([path, []]);
  }
  expect(statuses).toEqual(expect.arrayContaining([200, 303, 401, 404]));
}
