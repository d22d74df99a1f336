import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  isPlatformNamed,
  loadConfig,
  requirePlatform,
  requireTarget,
  type Config,
} from '../../src/config/index.ts';

interface Given {
  yaml?: string;
  environment?: Record<string, string>;
  flags?: Record<string, string>;
  files?: Record<string, string>;
}

function load(given: Given = {}): Config {
  const files: Record<string, string> = { ...given.files };
  if (given.yaml !== undefined) files['/srv/config/docmirror.yaml'] = given.yaml;
  return loadConfig({
    flags: given.flags ?? {},
    environment: given.environment ?? {},
    cwd: '/srv',
    readFile: (path) => files[path] ?? null,
  });
}

function failure(given: Given): ConfigError {
  try {
    load(given);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('expected a ConfigError');
}

const TOKEN = 'tok_0123456789';

describe('config/load-config', () => {
  it('says of a TZ that is no time zone that the schedule is not in it: a night was walked in UTC, and nothing said so', () => {
    const notes = (TZ: string, yaml?: string): readonly string[] =>
      load({ environment: { TZ }, ...(yaml === undefined ? {} : { yaml }) }).notes;
    expect(notes('Europe/Zurick')).toEqual([
      'TZ is "Europe/Zurick", which is no time zone such as Europe/Zurich: the schedule is not in it, but most likely in UTC',
    ]);
    for (const zone of ['', 'UTC', 'Europe/Zurich', ':Europe/Zurich']) expect(notes(zone), zone).toEqual([]);
    expect(notes('Europe/Zurick', 'schedule: { timezone: Europe/Zurich }\n')).toEqual([]);
  });

  it('says nothing of a TZ with posix/ or right/ before its zone, which the schedule is in: each command said that it is not', () => {
    for (const TZ of ['posix/Europe/Zurich', ':right/Europe/Zurich'])
      expect(load({ environment: { TZ } }).notes).toEqual([]);
  });

  it.each(['/data\r', '/data ', ' /data', ' ', '/da\tta', '/data\n'])(
    'takes no folder %j for the data directory: a list of variables from Windows made one beside the disk that was mounted',
    (folder) => {
      const seen = JSON.stringify(folder);
      const { message, hint } = failure({ environment: { DOCMIRROR_DATA_DIR: folder } });
      expect(message).toBe(
        `Setting dataDir (DOCMIRROR_DATA_DIR) is ${seen}; expected the path of a folder, written out where it begins with ~ or $, without space around it or control characters`,
      );
      expect(hint.includes('CRLF')).toBe(folder.endsWith('\r'));
      expect(failure({ yaml: `dataDir: ${seen}\n` }).message).toContain(`is ${seen}; expected the path of a folder`);
      expect(load({ environment: { DOCMIRROR_DATA_DIR: '/my data' } }).dataDir).toBe('/my data');
    },
  );

  it.each(['$HOME/docmirror', '${HOME}/docmirror', '$DATA'])(
    'takes no folder %s for the data directory, which a shell alone would read: one of that name was made',
    (folder) => {
      const error = failure({ environment: { DOCMIRROR_DATA_DIR: folder } });
      expect(error.message).toContain(
        `is "${folder}"; expected the path of a folder, written out where it begins with ~ or $`,
      );
      expect(load({ environment: { DOCMIRROR_DATA_DIR: './$DATA' } }).dataDir).toBe('/srv/$DATA');
    },
  );

  it('gives every default without a file, environment or flags', () => {
    const config = load();
    expect(config.platform).toEqual({ baseUrl: null, token: null });
    expect(config.dataDir).toBe('/srv/data');
    expect(config.limits).toEqual({
      concurrency: 8,
      requestsPerSecond: 'auto',
      share: 0.9,
      timeoutMs: 30_000,
      downloadTimeoutMs: 600_000,
      retries: 4,
      maxWaitMs: 900_000,
    });
    expect(config.freshness).toEqual({ snapshotMs: 26 * 3_600_000, drillMs: 8 * 86_400_000 });
  });

  it('lets the environment override the file and flags override both', () => {
    const yaml = 'dataDir: ./file\nlog: {level: warn}\nstatus: {port: 1}\n';
    const environment = { DOCMIRROR_DATA_DIR: './environment', DOCMIRROR_LOG_LEVEL: 'error' };
    const config = load({ yaml, environment, flags: { dataDir: '/flag' } });
    expect([config.dataDir, config.log.level, config.status.port]).toEqual(['/flag', 'error', 1]);
  });

  it('takes an empty environment variable as not set', () => {
    const environment = { DOCMIRROR_DATA_DIR: '', DOCMIRROR_BASE_URL: '', DOCMIRROR_CONFIG: '' };
    expect(load({ environment }).platform.baseUrl).toBeNull();
  });

  it.each([
    ['https://docs.example', 'https://docs.example'],
    ['https://docs.example/', 'https://docs.example'],
    ['https://docs.example/v1', 'https://docs.example'],
    ['https://docs.example/v1/', 'https://docs.example'],
    ['http://localhost:8080/api/v1//', 'http://localhost:8080/api'],
  ])('normalises the base address %s', (given, expected) => {
    const config = load({ environment: { DOCMIRROR_BASE_URL: given, DOCMIRROR_TOKEN: TOKEN } });
    expect(config.platform.baseUrl).toBe(expected);
  });

  it.each([
    'ftp://docs.example',
    'docs.example',
    'https://docs.example/?a=1',
    'https://me:hidden-word@docs.example',
    'https://:hidden-word@docs.example',
  ])('refuses the base address %s without showing a password', (given) => {
    const error = failure({ environment: { DOCMIRROR_BASE_URL: given, DOCMIRROR_TOKEN: TOKEN } });
    expect(error.code).toBe('DM_CONFIG_INVALID');
    expect(error.message).toContain('platform.baseUrl (DOCMIRROR_BASE_URL)');
    expect(error.message).not.toContain('hidden-word');
  });

  it('names the place of an unknown key and what was probably meant', () => {
    const error = failure({ yaml: 'limits:\n  concurency: 3\n' });
    expect(error.code).toBe('DM_CONFIG_UNKNOWN_KEY');
    expect(error.exitCode).toBe(2);
    expect(error.message).toBe(
      'The key limits.concurency (config/docmirror.yaml:2:3) is not a setting; did you mean limits.concurrency?',
    );
    expect(error.hint).toContain('downloadTimeout');
  });

  it('takes port 0 twice: each is any free one', () => {
    expect(load({ yaml: 'status: {port: 0}\ncontentServer: {port: 0}' }).status.port).toBe(0);
  });

  it('takes hosts, addresses and networks for imports, from the file and from the flag', () => {
    const yaml = 'embedded: {importFrom: [docs.example, 10.0.0.0/8, "fd00::/8", 192.0.2.7]}\n';
    expect(load({ yaml }).embedded.importFrom).toEqual(['docs.example', '10.0.0.0/8', 'fd00::/8', '192.0.2.7']);
    expect(load({ yaml, flags: { importFrom: 'a.example,*' } }).embedded.importFrom).toEqual(['a.example', '*']);
  });

  it('takes the token of the status page from a file, shows it nowhere, and has none by default', () => {
    const environment = { DOCMIRROR_STATUS_TOKEN_FILE: '/run/status', DOCMIRROR_STATUS_OPEN_PROBES: 'true' };
    const config = load({ environment, files: { '/run/status': ` ${TOKEN}\r\n` } });
    expect(config.status).toMatchObject({ host: '127.0.0.1', port: 8780, openProbes: true });
    expect(config.status.token?.reveal()).toBe(TOKEN);
    expect(JSON.stringify(config)).not.toContain(TOKEN);
    expect(load().status).toMatchObject({ token: null, openProbes: false });
  });

  it('finds a key that stands in the wrong section', () => {
    expect(failure({ yaml: 'level: info\n' }).message).toContain('did you mean log.level?');
    // Not the section in which it stands.
    expect(failure({ yaml: 'report: {a: x}\n' }).message).not.toContain('did you mean report?');
  });

  it('names key, place, value and expectation of a bad value', () => {
    expect(failure({ yaml: '\nlimits:\n  concurrency: many\n' }).message).toBe(
      'Setting limits.concurrency (config/docmirror.yaml:3:3) is "many"; expected a whole number from 1 to 64',
    );
  });

  it('refuses a bad value of the file that the environment or a flag goes before: it was found when that was taken away', () => {
    const yaml = 'platform: {baseUrl: 5}\ndataDir: [a]\n';
    const environment = { DOCMIRROR_BASE_URL: 'https://docs.example', DOCMIRROR_DATA_DIR: '/data' };
    expect(failure({ yaml, environment }).message).toContain('platform.baseUrl (config/docmirror.yaml:1:12) is 5');
    const level = { environment: { DOCMIRROR_LOG_LEVEL: 'loud' }, flags: { logLevel: 'error' } };
    expect(failure(level).message).toContain('DOCMIRROR_LOG_LEVEL');
  });

  it.each([
    'limits: {concurrency: 0}',
    'limits: {concurrency: 1.5}',
    'limits: {share: 0}',
    'limits: {share: 1.1}',
    'limits: {timeout: soon}',
    'limits: {timeout: -5}',
    'limits: {timeout: 0}',
    'limits: {timeout: 0s}',
    'limits: {timeout: 0.2ms}',
    'limits: {downloadTimeout: 0.0h}',
    'walk: {maxDuration: 0}',
    'freshness: {snapshot: 0h}',
    'freshness: {drill: 0}',
    'limits: {requestsPerSecond: fast}',
    'log: {level: loud}',
    'schedule: {sync: 0 99 * * *}',
    'schedule: {sync: 0 2 30 2 *}',
    'schedule: {sync: "2020-01-01T02:00:00"}',
    'schedule: {sync: 0 0 2 * * * 2020}',
    'schedule: {timezone: Mars/Olympus}',
    'export: {enabled: yes please}',
    'scope: {spaces: abc}',
    'scope: {organizations: [1]}',
    'scope: {organizations: []}',
    'scope: {invites: [abc]}',
    'scope: {invites: [org/a/b]}',
    'embedded: {importFrom: 10.0.0.0/8}',
    'embedded: {importFrom: [10.0.0.0/]}',
    'embedded: {importFrom: [10.0.0.0/33]}',
    'embedded: {importFrom: [10.0.0]}',
    'embedded: {importFrom: [docs.example/8]}',
    'embedded: {importFrom: ["http://docs.example"]}',
    'dataDir: null',
    'dataDir: ""',
    'limits: 5',
    'limits: [1]',
    '- a list',
    'status: {port: 70000}',
    'status: {port: 9000}\ncontentServer: {port: 9000}',
    'contentServer: {directory: /shown}',
    'contentServer: {addressTemplate: "https://files.example.com/{name}"}',
    'contentServer: {directory: /shown, addressTemplate: "https://files.example.com/"}',
    'contentServer: {directory: /shown, addressTemplate: "https://{name}.example.com/"}',
    // The platform was asked for the same address for every file.
    'contentServer: {directory: /shown, addressTemplate: "https://files.example.com/#{name}"}',
    // Of 0.0.0.0 it was said that no address is known for that name.
    'status: {host: "0.0.0.0\\r"}',
    'status: {host: "http://docs.example"}',
    'contentServer: {host: ""}',
    'restore: {maxPagesPerImport: 0}',
    'log: {level: info',
    'log: {level: info}\nlog: {level: warn}',
  ])('refuses %s', (yaml) => {
    const error = failure({ yaml });
    expect(error.code).toBe('DM_CONFIG_INVALID');
    expect(error.message).toMatch(/expected|YAML/);
    expect(error.hint).not.toBe('');
  });

  it('refuses a setting that is given both in its section and by its whole name: the last of the two counted, and nothing said so', () => {
    const yaml = 'platform.baseUrl: https://old.example\nplatform: {baseUrl: https://new.example}\n';
    expect(failure({ yaml }).message).toBe(
      'Setting platform.baseUrl is given twice, at config/docmirror.yaml:1:1 and at config/docmirror.yaml:2:12; expected it once',
    );
    expect(load({ yaml: 'limits.retries: 2\nlimits: {concurrency: 3}\n' }).limits).toMatchObject({ concurrency: 3 });
  });

  it.each([
    ['retention: {keepLast: .nan}', 'is NaN; expected a whole number'],
    ['limits: {timeout: 1e400}', 'is Infinity; expected a duration'],
    ['scope: {spaces: [a, -.inf]}', 'is ["a",-Infinity]; expected a list'],
  ])('shows a number that is none as it is, and not as null, which is often right: %s', (yaml, said) => {
    expect(failure({ yaml }).message).toContain(said);
  });

  it('says of aliases that stand for too much what to do: it was told to be reported as a fault in Docmirror', () => {
    const yaml = `scope: {spaces: [&one abc${', *one'.repeat(101)}]}`;
    expect(failure({ yaml })).toMatchObject({
      code: 'DM_CONFIG_INVALID',
      message: expect.stringMatching(
        /^Setting scope\.spaces \(.*:1:9\) cannot be read: .*; expected fewer aliases$/,
      ) as string,
      hint: 'Write what they stand for in their places.',
    });
  });

  it.each([
    ['limits: {concurrency: *few}', /docmirror\.yaml:1:23 has \*few, which no anchor before it has$/],
    ['scope: {spaces: [*one]}', /has \*one, which no anchor/],
    ['limits: {concurrency: *few}\nstatus: {port: &few 3}', /has \*few, which no anchor/],
    ['platform: &all\n  tokenFile: *all', /has \*all, which is the name of what it stands in itself$/],
    ['scope: {spaces: &all [a, *all]}', /has \*all, which is the name/],
  ])(
    'refuses an alias that leads nowhere or back to itself: the default was taken, or the command failed (%s)',
    (yaml, message) => {
      expect(failure({ yaml })).toMatchObject({
        code: 'DM_CONFIG_INVALID',
        message: expect.stringMatching(message) as string,
      });
      expect(load({ yaml: 'limits: {concurrency: &few 3}\nstatus: {port: *few}' }).status.port).toBe(3);
    },
  );

  it('says that a time must be above 0 where every night would be partial without any, and takes 0 where that has a meaning', () => {
    expect(failure({ yaml: 'limits:\n  timeout: 0\n' }).message).toBe(
      'Setting limits.timeout (config/docmirror.yaml:2:3) is 0; expected a duration above 0 such as 30s, 5m, 26h or 8d, or a whole number of milliseconds above 0',
    );
    const { walk } = load({
      yaml: 'walk: {resumeWithin: 0}\nschedule: {jitter: 0s}\nnotify: {remindAfter: 0}\nlimits: {maxWait: 0}',
    });
    expect(walk).toMatchObject({ resumeWithinMs: 0, maxDurationMs: null });
  });

  it('refuses a jitter beyond a day: jobs were put off for years, and one beyond the calendar ended the daemon', () => {
    expect(failure({ yaml: 'schedule: {jitter: 25h}' }).message).toContain('expected a duration of 24h at most');
    expect(load({ yaml: 'schedule: {jitter: 24h}' }).schedule.jitterMs).toBe(86_400_000);
  });

  it('offers null only where it can be said: a flag, a variable and the file of a secret were told to be null', () => {
    const address = failure({ flags: { baseUrl: 'ftp://x' } });
    expect(address.message).toMatch(/without user name, password, query or fragment$/);
    expect(failure({ environment: { DOCMIRROR_TOKEN: 'a b' } }).message).toMatch(/without spaces$/);
    const filed = { environment: { DOCMIRROR_TOKEN_FILE: '/t' }, files: { '/t': 'a b' } };
    expect(failure(filed).message).toMatch(/without spaces$/);
    expect(failure({ yaml: 'platform: {baseUrl: "ftp://x"}' }).message).toMatch(/, or null for no platform$/);
  });

  it('accepts an empty file and empty sections', () => {
    expect(load({ yaml: '' }).limits.concurrency).toBe(8);
    expect(load({ yaml: '# nothing\nlimits:\n' }).limits.concurrency).toBe(8);
  });

  it('turns a schedule off with null', () => {
    expect(load({ yaml: 'schedule: {sync: null, drill: null}' }).schedule).toMatchObject({ sync: null, drill: null });
  });

  it('cuts the name of a file that is far too long', () => {
    const { message } = failure({ yaml: `platform: {tokenFile: "${'n'.repeat(5000)}"}` });
    expect([message.length < 400, message.includes('platform.tokenFile')]).toEqual([true, true]);
  });

  it('names a file that was asked for and is not there', () => {
    expect(failure({ flags: { config: 'x.yaml' } }).message).toBe('--config names x.yaml, which is not there');
    // From a list of variables with the line ends of Windows; x.yaml itself was told to be away.
    const unseen = { environment: { DOCMIRROR_CONFIG: 'x.yaml\r' }, files: { '/srv/x.yaml': '' } };
    expect(failure(unseen).message).toBe('DOCMIRROR_CONFIG names "x.yaml\\r", which is not there');
    expect(failure({ environment: { DOCMIRROR_CONFIG: 'y.yaml' } }).code).toBe('DM_CONFIG_MISSING');
  });

  it('refuses a variable that is one letter away from a setting', () => {
    const error = failure({ environment: { DOCMIRROR_TOKN: TOKEN } });
    expect(error.message).toContain('did you mean DOCMIRROR_TOKEN?');
    expect(error.message).not.toContain(TOKEN);
  });

  it.each([
    ['DOCMIRROR_SCHEDULE_SYNC', 'schedule.sync in the file'],
    ['DOCMIRROR_WALK_MAX_REQUESTS', 'walk.maxRequests in the file'],
    ['DOCMIRROR_TARGET_BASE_URL', 'DOCMIRROR_TARGET_URL'],
  ])('refuses %s, which is spelled as a setting: it was ignored, and nobody said so', (name, expected) => {
    const error = failure({ environment: { [name]: '5' } });
    expect([error.code, error.message]).toEqual([
      'DM_CONFIG_UNKNOWN_KEY',
      `The environment variable ${name} is not a setting; expected ${expected}`,
    ]);
    expect(
      failure({ environment: { [name]: '5' }, yaml: 'schedule: {sync: null}\nwalk: {maxRequests: 7}\n' }).code,
    ).toBe('DM_CONFIG_UNKNOWN_KEY');
  });

  it('leaves a variable alone that the file itself takes a setting from', () => {
    const environment = { DOCMIRROR_WALK_MAX_REQUESTS: '5' };
    const { walk } = load({ environment, yaml: 'walk: {maxRequests: "${DOCMIRROR_WALK_MAX_REQUESTS}"}\n' });
    expect(walk.maxRequests).toBe(5);
  });

  it('leaves it alone where one of several platforms has a value of its own: the file was refused that did as the refusal says', () => {
    const environment = { DOCMIRROR_WALK_MAX_REQUESTS: '5' };
    const yaml = `walk: {maxRequests: "\${DOCMIRROR_WALK_MAX_REQUESTS}"}
platforms:
  - {name: docs}
  - {name: handbook, walk: {maxRequests: 7}}
`;
    const most = (platform: string): unknown => load({ environment, yaml, flags: { platform } }).walk.maxRequests;
    expect([most('docs'), most('handbook')]).toEqual([5, 7]);
  });

  it('takes the target of a restore from the environment, beside its token', () => {
    const environment = { DOCMIRROR_TARGET_URL: 'https://target.example.com', DOCMIRROR_TARGET_TOKEN: TOKEN };
    expect(load({ environment }).target.baseUrl).toBe('https://target.example.com');
  });

  it('leaves variables alone that an orchestrator puts beside ours', () => {
    const environment = {
      DOCMIRROR_PORT_8780_TCP: 'tcp://10.0.0.1:8780',
      DOCMIRROR_SERVICE_HOST: '10.0.0.1',
      DOCMIRROR_CONTENT_SERVER_PORT: 'tcp://10.0.0.1:80',
    };
    expect(isPlatformNamed(load({ environment }))).toBe(false);
  });
});

describe('config/substitute', () => {
  it('replaces variables and files in scalars, also where a number is expected', () => {
    const config = load({
      yaml: 'platform: {baseUrl: "https://${HOST}/v1", token: "${file:secret/token}"}\nlimits: {concurrency: "${N}"}\n',
      environment: { HOST: 'docs.example', N: '3' },
      files: { '/srv/secret/token': `${TOKEN}\n` },
    });
    expect(config.platform.baseUrl).toBe('https://docs.example');
    expect(config.platform.token?.reveal()).toBe(TOKEN);
    expect(config.limits.concurrency).toBe(3);
  });

  it('never lets a value become YAML', () => {
    const yaml = 'dataDir: /x\nnotify: {mailUrl: "smtp://mail.example", mailTo: [b@c.example], mailFrom: "${FROM}"}';
    const from = '"log: {level: silent}" <a@b.example>';
    const taken = { log: { level: 'info' }, notify: { mail: { from } } };
    expect(load({ yaml, environment: { FROM: from } })).toMatchObject(taken);
    expect(failure({ yaml, environment: { FROM: 'a@b\ndataDir: /y' } }).message).toContain('mailFrom');
  });

  it('keeps a doubled dollar as plain text', () => {
    expect(load({ yaml: 'dataDir: /x/$${HOME}' }).dataDir).toBe('/x/${HOME}');
  });

  it.each(['${HOME:-/data}', '${}', '${file:}', '${A B}'])(
    'says of %s that it names nothing: whoever wrote it was told to set a variable of that name',
    (reference) => {
      const error = failure({ yaml: `dataDir: "${reference}"`, environment: { HOME: '/root' } });
      expect(error.message).toBe(
        `config/docmirror.yaml:1:1: ${reference} names nothing; expected \${VARIABLE} or \${file:PATH}`,
      );
    },
  );

  it.each(['${NOT_SET}', '${file:none}'])('names a reference that leads nowhere: %s', (reference) => {
    const error = failure({ yaml: `dataDir: "${reference}"` });
    expect(error.message).toContain(`config/docmirror.yaml:1:1: ${reference}`);
  });
});

describe('config/build-config: tokens', () => {
  const baseUrl = { DOCMIRROR_BASE_URL: 'https://docs.example' };

  it('reads a token file and drops the line end', () => {
    const environment = { ...baseUrl, DOCMIRROR_TOKEN_FILE: 'token' };
    expect(load({ environment, files: { '/srv/token': `${TOKEN}\r\n` } }).platform.token?.reveal()).toBe(TOKEN);
  });

  it('lets a token file of a later layer win over a token', () => {
    const given = {
      environment: { ...baseUrl, DOCMIRROR_TOKEN: TOKEN },
      flags: { tokenFile: '/t' },
      files: { '/t': 'other' },
    };
    expect(load(given).platform.token?.reveal()).toBe('other');
  });

  it('refuses a token and a token file side by side', () => {
    const error = failure({
      environment: { ...baseUrl, DOCMIRROR_TOKEN: TOKEN, DOCMIRROR_TOKEN_FILE: '/t' },
      files: { '/t': 'x' },
    });
    expect(error.message).toContain('contradict each other');
  });

  it('needs address and token only where the platform is asked', () => {
    const addressOnly = load({ environment: baseUrl });
    expect(isPlatformNamed(addressOnly)).toBe(true);
    expect(() => requirePlatform(addressOnly)).toThrow('has no token');
    expect(() => requirePlatform(load({ environment: { DOCMIRROR_TOKEN: TOKEN } }))).toThrow('has no base address');
    expect(() => requirePlatform(load())).toThrow('no base address and no token');
  });

  it('restores to the platform itself unless a target is named', () => {
    const platform = { ...baseUrl, DOCMIRROR_TOKEN: TOKEN };
    expect(requireTarget(load({ environment: platform })).token.reveal()).toBe(TOKEN);
    expect(() => requireTarget(load())).toThrow('no base address and no token');
  });

  it('never takes the token of the platform to another origin', () => {
    const environment = { ...baseUrl, DOCMIRROR_TOKEN: TOKEN };
    const flags = { targetUrl: 'https://other.example' };
    expect(() => requireTarget(load({ environment, flags }))).toThrow('has no token');
    const own = load({ environment: { ...environment, DOCMIRROR_TARGET_TOKEN: 'own' }, flags });
    expect(requireTarget(own).token.reveal()).toBe('own');
  });

  it.each([
    ['DOCMIRROR_TOKEN', 'two words'],
    ['DOCMIRROR_TARGET_TOKEN', 'zwölf'],
  ])('never shows a bad %s', (name, value) => {
    const error = failure({ environment: { ...baseUrl, DOCMIRROR_TOKEN: TOKEN, [name]: value } });
    expect(error.message).toContain('[secret,');
    expect(error.message + error.hint).not.toContain(value);
  });

  it('never shows an empty or broken token file', () => {
    const error = failure({ environment: { ...baseUrl, DOCMIRROR_TOKEN_FILE: '/t' }, files: { '/t': 'a b' } });
    expect(error.message).toContain('(/t) is [secret, 3 characters]');
  });

  it('says what a folder is that a container made where the file of a secret was missing', () => {
    const environment = { ...baseUrl, DOCMIRROR_TOKEN_FILE: '.' };
    expect(() => loadConfig({ flags: {}, environment, cwd: import.meta.dirname })).toThrowError(
      expect.objectContaining({ code: 'DM_CONFIG_INVALID', hint: expect.stringContaining('It is a folder') as string }),
    );
  });

  it('prints the configuration without tokens', () => {
    const environment = { ...baseUrl, DOCMIRROR_TOKEN: TOKEN, DOCMIRROR_TARGET_TOKEN: 'target-word' };
    const printed = JSON.stringify(load({ environment }));
    expect(printed).toContain('[secret]');
    expect(printed).not.toMatch(/tok_|target-word/);
  });
});
