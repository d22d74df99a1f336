import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { configFileSchema, ConfigError, loadConfig, loadConfigs, type Config } from '../../src/config/index.ts';

interface Given {
  yaml: string;
  environment?: Record<string, string>;
  flags?: Record<string, string>;
}

function sourcesOf({ yaml, environment = {}, flags = {} }: Given): Parameters<typeof loadConfig>[0] {
  const files: Record<string, string> = { '/srv/config/docmirror.yaml': yaml, '/srv/token-b': 'tok_b\n' };
  return { flags, environment, cwd: '/srv', readFile: (path) => files[path] ?? null };
}

const all = (given: Given): Config[] => loadConfigs(sourcesOf(given));
const one = (given: Given): Config => loadConfig(sourcesOf(given));

function messageOf(given: Given): string {
  try {
    all(given);
  } catch (error) {
    if (error instanceof ConfigError) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error('expected a ConfigError');
}

const TWO = `
dataDir: ./mirrors
limits: {concurrency: 3}
platforms:
  - name: a
    platform: {baseUrl: https://a.example, token: tok_a}
    schedule: {sync: 0 1 * * *}
  - name: b
    platform: {baseUrl: https://b.example, tokenFile: token-b}
    dataDir: ./elsewhere
    limits: {requestsPerSecond: 2}
`;

describe('config/load-config, a list of platforms', () => {
  it('gives each platform its token, folder, port, limits and schedule, and what is common', () => {
    const seen = all({ yaml: TWO }).map(({ name, platform, dataDir, status, limits, schedule }) => ({
      name,
      token: platform.token?.reveal(),
      dataDir,
      port: status.port,
      limits: [limits.concurrency, limits.requestsPerSecond],
      sync: schedule.sync,
    }));
    expect(seen).toEqual([
      { name: 'a', token: 'tok_a', dataDir: '/srv/mirrors/a', port: 8780, limits: [3, 'auto'], sync: '0 1 * * *' },
      { name: 'b', token: 'tok_b', dataDir: '/srv/elsewhere', port: 8781, limits: [3, 2], sync: '0 2 * * *' },
    ]);
  });

  it('names the platform in the flags that commands repeat where there are several, however it was chosen', () => {
    expect(all({ yaml: TWO }).map(({ flags }) => flags)).toEqual([' --platform a', ' --platform b']);
    expect(one({ yaml: TWO, environment: { DOCMIRROR_PLATFORM: 'b' } }).flags).toBe(' --platform b');
    const flags = { platform: 'a', config: 'config/docmirror.yaml' };
    expect(one({ yaml: TWO, flags }).flags).toBe(' --config config/docmirror.yaml --platform a');
    expect(one({ yaml: 'platforms: [{name: a, platform: {baseUrl: "https://a.example"}}]' }).flags).toBe('');
    expect(one({ yaml: '', flags: { dataDir: '/my $data' } }).flags).toBe(" --data-dir '/my $data'");
  });

  it('never gives a platform of the list a token that was not given to it', () => {
    const yaml = 'platforms: [{name: a, platform: {baseUrl: "https://a.example"}}]';
    const environment = { DOCMIRROR_TOKEN: 'tok_of_another', DOCMIRROR_TOKEN_FILE: '' };
    expect(all({ yaml, environment })[0]?.platform.token).toBeNull();
  });

  it('takes no address and no token by a flag for all of the list: one token was sent to every address, or all tokens to one', () => {
    for (const [flag, given] of [
      ['--base-url', { baseUrl: 'https://c.example' }],
      ['--token-file', { tokenFile: 'token-b' }],
    ] as const) {
      expect(messageOf({ yaml: TWO, flags: given })).toContain(`DM_CONFIG_MISSING ${flag} is of one platform`);
      expect(one({ yaml: TWO, flags: { ...given, platform: 'a' } }).name).toBe('a');
    }
    expect(one({ yaml: 'platforms: [{name: a}]', flags: { tokenFile: 'token-b' } }).platform.token?.reveal()).toBe(
      'tok_b',
    );
  });

  it('takes the one that is named by a flag, or by the environment, or is the only one', () => {
    expect(one({ yaml: TWO, flags: { platform: 'b' } }).name).toBe('b');
    expect(one({ yaml: TWO, environment: { DOCMIRROR_PLATFORM: 'a' } }).name).toBe('a');
    expect(one({ yaml: 'platforms: [{name: a}]' }).name).toBe('a');
    expect(one({ yaml: 'dataDir: ./x' }).name).toBeNull();
    expect(() => one({ yaml: TWO })).toThrowError(/Several platforms are configured \(a, b\)/);
  });

  it.each([
    ['platforms: {name: a}', 'is not a list of sections'],
    ['platforms: [{dataDir: ./x}]', 'an entry without a name'],
    ['platforms: [{name: ../x}]', 'an entry whose name is "../x"'],
    ['platforms: [{name: a}, {name: A}]', 'an entry whose name is "A"'],
    ['platforms: [{name: 7}]', 'an entry whose name is 7'],
    ['platforms: [{name: a}, {name: a}]', 'has a twice'],
    ['platforms: [{name: a, log: {level: warn}}]', 'has log, which is one for all'],
    ['platforms: [{name: a, platforms: []}]', 'has platforms, which is one for all'],
    ['platforms: [{name: a, limits: {concurency: 1}}]', 'DM_CONFIG_UNKNOWN_KEY'],
    ['platforms: [{name: a, dataDir: x}, {name: b, dataDir: x}]', 'the same dataDir'],
    ['platforms: [{name: a, status: {port: 1}}, {name: b, status: {port: 1}}]', 'the same status.port'],
  ])('refuses %s', (yaml, message) => {
    expect(messageOf({ yaml })).toContain(message);
  });

  it('takes the one that is named where the token file of another is gone: no command of any could run, a restore neither', () => {
    const yaml = TWO.replace('tokenFile: token-b', 'tokenFile: none-such');
    expect(one({ yaml, flags: { platform: 'a' } })).toMatchObject({ name: 'a', flags: ' --platform a' });
    for (const flags of [{}, { platform: 'b' }])
      expect(messageOf({ yaml, flags })).toMatch(/^DM_CONFIG_INVALID .*platform\.tokenFile.*none-such/);
    // What is written wrongly is refused whoever is meant.
    expect(messageOf({ yaml: `${yaml}    limts: {}\n`, flags: { platform: 'a' } })).toContain('limts');
  });

  it('refuses a name that is not in the list', () => {
    expect(messageOf({ yaml: TWO, flags: { platform: 'c' } })).toContain('--platform names c; expected one of a, b');
    expect(messageOf({ yaml: 'dataDir: ./x', flags: { platform: 'c' } })).toContain('has no list of platforms');
  });

  it('is known to the JSON schema', () => {
    const schema = Compile(configFileSchema());
    expect(schema.Check({ platforms: [{ name: 'a', dataDir: './x', limits: { concurrency: 2 } }] })).toBe(true);
    expect(schema.Check({ platforms: [{ dataDir: './x' }] })).toBe(false);
    expect(schema.Check({ platforms: [{ name: 'a', log: { level: 'info' } }] })).toBe(false);
    expect(schema.Check({ platforms: [{ name: 'a', limits: { concurrency: 'many' } }] })).toBe(false);
  });
});

describe('config/build-daemon', () => {
  it('has no policy of retention until a place is kept', () => {
    expect(one({ yaml: 'retention: {keepLast: null, keepDaily: 0}' }).retention.policy).toBeNull();
    const policy = { last: 0, daily: 14, weekly: 0, monthly: 0, yearly: 0 };
    expect(one({ yaml: 'retention: {keepDaily: 14}' }).retention.policy).toEqual(policy);
  });

  it('keeps addresses of notifications secret, also in errors', () => {
    const notify = one({ yaml: 'notify: {webhook: "https://hooks.example/s3cret"}' });
    expect([notify.notify.webhook?.reveal(), JSON.stringify(notify)]).toEqual([
      'https://hooks.example/s3cret',
      expect.not.stringContaining('s3cret'),
    ]);
    expect(messageOf({ yaml: 'notify: {webhook: "ftp://s3cret"}' })).not.toContain('s3cret');
  });

  it.each(['smtp:user:pw@mail.example', 'smtp:mail.example', 'smtp://', 'smtps:///mail.example'])(
    'refuses a mail server without the name of a host, %s: each letter went to this machine, where nobody took it',
    (mailUrl) => {
      const message = messageOf({
        yaml: `notify: {mailUrl: "${mailUrl}", mailFrom: a@b.example, mailTo: [c@d.example]}`,
      });
      expect(message).toContain('expected an address that begins with smtp:// or smtps:// and the name of a host');
      expect(message).not.toContain('mail.example');
    },
  );

  const mail = (from: string, to: readonly string[]): string =>
    `notify: ${JSON.stringify({ mailUrl: 'smtp://mail.example', mailFrom: from, mailTo: to })}`;

  it.each(['oncall', 'on call <oncall>', 'a@', '@b.example', 'a@b@c.example', ' ', 'a@b.example c@d.example', '<>'])(
    'refuses %j as an e-mail address: whoever was meant was told nothing, and each letter counted as sent',
    (wrong) => {
      const receivers = messageOf({ yaml: mail('a@b.example', ['c@d.example', wrong]) });
      expect(receivers).toContain(wrong);
      expect(receivers).toContain('expected a list of e-mail addresses');
      expect(messageOf({ yaml: mail(wrong, ['c@d.example']) })).toContain('expected an e-mail address such as');
    },
  );

  it('takes e-mail addresses with names, and several in one item', () => {
    const from = '"Docmirror, nightly" <docmirror@localhost>';
    const to = [
      'Robin Doe <robin+docs@d.example>',
      'a@b.example, "On call" <c@d.example>',
      '<e@[10.0.0.1]>',
      'ö@ü.example',
    ];
    expect(one({ yaml: mail(from, to) }).notify.mail).toMatchObject({ from, to });
  });

  it('takes a mail server from a file, and none without sender and receivers', () => {
    const yaml = 'notify: {mailUrlFile: token-b, mailFrom: a@example.com, mailTo: [b@example.com]}';
    expect(messageOf({ yaml })).toContain('expected an address that begins with smtp:// or smtps://');
    expect(messageOf({ yaml: 'notify: {mailUrl: "smtp://mail.example", mailFrom: a@example.com}' })).toContain(
      'notify.mailTo',
    );
  });
});
