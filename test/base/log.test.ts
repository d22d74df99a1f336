import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AppError, createLogger, safeText, safeUrl, Secret, type LoggerOptions } from '../../src/base/index.ts';

const TOKEN = 'tok_very_secret_word';

function capture(options: Partial<LoggerOptions> = {}): { log: ReturnType<typeof createLogger>; text: () => string } {
  const chunks: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { log: createLogger({ level: 'info', pretty: false, destination, ...options }), text: () => chunks.join('') };
}

describe('base/log', () => {
  it('writes one JSON object per line with level, time, fields and a message', () => {
    const { log, text } = capture();
    log.info({ space: 'abc', count: 3 }, 'space walked');
    expect(JSON.parse(text())).toMatchObject({ level: 'info', space: 'abc', count: 3, msg: 'space walked' });
  });

  it('says of bytes how many they are: one by one they are the text that they hold, and far too many', () => {
    const { log, text } = capture();
    log.info({ chunk: Buffer.from(TOKEN), view: new Uint8Array(3) }, 'bytes');
    expect(JSON.parse(text())).toMatchObject({ chunk: `[${TOKEN.length} bytes]`, view: '[3 bytes]' });
  });

  it.each([false, true])('never writes a token, wherever it stands (pretty: %s)', (pretty) => {
    const { log, text } = capture({ pretty, level: 'trace' });
    log.info({ token: TOKEN, a: { b: { authorization: `Bearer ${TOKEN}` } }, list: [{ apiKey: TOKEN }] }, 'nested');
    log.info({ secret: Secret.of(TOKEN), any: Secret.of(TOKEN), headers: { Cookie: TOKEN } }, 'secrets');
    log.info({ url: `https://u:${TOKEN}@x.example/f?signature=${TOKEN}&alt=${TOKEN}&limit=5#${TOKEN}` }, 'address');
    log.info({ note: `Authorization: Bearer ${TOKEN}` }, 'header in text');
    const cause = new Error(`GET https://x.example/?key=${TOKEN} failed`);
    const details = { token: TOKEN, url: new URL(`https://x.example/?x=${TOKEN}`) };
    log.error(
      { err: new AppError('DM_UNREACHABLE', `No answer: ${cause.message}`, { hint: 'h', cause, details }) },
      'failed',
    );
    log.error(cause, 'bare error');
    log
      .child({ token: TOKEN, url: `https://x.example/?t=${TOKEN}` })
      .child({ secret: TOKEN, id: 'grandchild' })
      .warn('child');
    expect(text()).not.toContain(TOKEN);
    expect(text()).toContain('limit=5');
    expect(text()).toContain('grandchild');
  });

  it('writes code and hint of an error, and its stack only when debugging', () => {
    const error = new AppError('DM_BRAKE', 'Too much is gone', { hint: 'Look first.' });
    const quiet = capture();
    quiet.log.error({ err: error }, 'failed');
    expect(JSON.parse(quiet.text()).err).toEqual({
      type: 'AppError',
      message: 'Too much is gone',
      code: 'DM_BRAKE',
      hint: 'Look first.',
    });
    const loud = capture({ level: 'debug' });
    loud.log.error({ err: error }, 'failed');
    expect(JSON.parse(loud.text()).err.stack).toContain('log.test.ts');
  });

  it('tells people one line of plain words', () => {
    const { log, text } = capture({ pretty: true });
    log.info({ job: 'sync', ms: 12 }, 'job\u001b[2J done');
    log.error({ err: new AppError('DM_UNREACHABLE', 'Lost it', { hint: 'Look there.' }) }, 'job failed');
    const lines = text().trimEnd().split('\n');
    expect(lines[0]).toContain('job[2J done (job sync, ms 12)');
    expect(lines[1]).toContain('ERROR: job failed: Lost it (DM_UNREACHABLE); Look there.');
  });

  it('keeps counters that are named like secrets', () => {
    const { log, text } = capture();
    log.info({ tokens: 4 }, 'counted');
    expect(JSON.parse(text()).tokens).toBe(4);
  });

  it('survives a cycle', () => {
    const { log, text } = capture();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    log.info({ cycle }, 'round');
    expect(text()).toContain('[deep]');
  });
});

describe('base/safe-url', () => {
  it('keeps harmless parameters and hides all others', () => {
    expect(safeUrl('https://x.example/v1/spaces/a?limit=10&page=b&sig=c')).toBe(
      'https://x.example/v1/spaces/a?limit=10&page=b&sig=hidden',
    );
  });

  it('takes request targets', () => {
    expect(safeUrl('/v1/user?limit=1&x=secret')).toBe('/v1/user?limit=1&x=hidden');
  });

  it('never echoes what it cannot read', () => {
    expect(safeUrl('not an address with secret')).toBe('[not a url]');
    expect(safeUrl('//host/?x=1')).toBe('[not a url]');
  });

  it('shows an IPv6 host and hides what follows it: it ended at the bracket, and the rest was shown as it was', () => {
    expect(safeText('did not reach http://[::1]:8700 or lost it')).toBe('did not reach http://[::1]:8700 or lost it');
    expect(safeText('see https://me:word@[2001:db8::1]/a?sig=abc.')).toBe('see https://[2001:db8::1]/a?sig=hidden.');
    expect(safeText('(http://[::1])')).toBe('(http://[::1])');
    expect(safeText('http://[fe80::1%eth0]:80/a?sig=abc')).toBe('[not a url]');
  });

  it('leaves out a header that was expected, and hides a credential', () => {
    expect(safeText('A token is needed: Authorization: Bearer abc')).toBe('A token is needed');
    expect(safeText('bad header Bearer abc, sorry')).toBe('bad header Bearer hidden, sorry');
  });

  it('cleans every address in a text', () => {
    expect(safeText('see https://a.example/?k=1, then (http://u:p@b.example/x)')).toBe(
      'see https://a.example/?k=hidden, then (http://b.example/x)',
    );
  });

  it('puts nothing behind an address: a command that was to be copied led to another one with what followed in its path', () => {
    const told = 'Run docmirror sync --base-url http://127.0.0.1:8700: it continues';
    expect(safeText(told)).toBe(told);
    expect(safeText('of https://me:word@a.example, and')).toBe('of https://a.example/, and');
  });

  it('leaves the beginnings of addresses as they are where a message says what is expected', () => {
    const expected = 'expected an address that begins with http:// or https://, or null for none';
    expect(safeText(expected)).toBe(expected);
    expect(safeText('https://:word@a.example/, https://,')).toBe('https://a.example/, https://,');
  });

  it('shows an address with a port that a comma follows, and not that it is none', () => {
    expect(safeText('This mirror is of http://127.0.0.1:8700, and that is http://127.0.0.1:9/.')).toBe(
      'This mirror is of http://127.0.0.1:8700, and that is http://127.0.0.1:9/.',
    );
  });
});
