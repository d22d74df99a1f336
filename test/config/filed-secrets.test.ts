// Whoever runs a container gives secrets as files: what stands in the environment is shown by whatever looks at the container.
import { describe, expect, it } from 'vitest';
import { loadConfig, type Config } from '../../src/config/index.ts';
import { SETTING_KEYS, settingOf } from '../../src/config/settings.ts';

const ADDRESS = 'https://hooks.example.com/secret';

function load(environment: Record<string, string>): Config {
  return loadConfig({
    flags: {},
    environment,
    cwd: '/srv',
    readFile: (path) => (path === '/run/secrets/address' ? `${ADDRESS}\n` : null),
  });
}

describe('config/read-secret', () => {
  const secrets = SETTING_KEYS.filter((key) => settingOf(key).secret);

  it('has a file for every secret, in the settings and in the environment', () => {
    const known: readonly string[] = SETTING_KEYS;
    expect(secrets.length).toBeGreaterThan(8);
    expect(secrets.filter((key) => !known.includes(`${key}File`))).toEqual([]);
    const variables = SETTING_KEYS.map((key) => settingOf(key).environment);
    expect(
      secrets.map((key) => `${settingOf(key).environment}_FILE`).filter((one) => !variables.includes(one)),
    ).toEqual([]);
  });

  it.each<[string, (notify: Config['notify']) => Config['notify']['webhook']]>([
    ['DOCMIRROR_NOTIFY_WEBHOOK', ({ webhook }) => webhook],
    ['DOCMIRROR_PING_START', ({ ping }) => ping.start],
    ['DOCMIRROR_PING_SUCCESS', ({ ping }) => ping.success],
    ['DOCMIRROR_PING_FAILURE', ({ ping }) => ping.failure],
  ])('takes %s from a file: the variable was ignored, and nobody was told of a night that went wrong', (name, of) => {
    const config = load({ [`${name}_FILE`]: '/run/secrets/address' });
    expect(of(config.notify)?.reveal()).toBe(ADDRESS);
    expect(config.secretFiles).toEqual([{ path: '/run/secrets/address', hasSettings: false }]);
    expect(() => load({ [name]: ADDRESS, [`${name}_FILE`]: '/run/secrets/address' })).toThrow('contradict each other');
    expect(() => load({ [`${name}_FILE`]: '/run/secrets/other' })).toThrow('which is not there');
  });

  it.each([
    ['tok_abc\n', '8 characters with an end of line behind the last'],
    ['tok_abc\r', '8 characters with an end of line behind the last'],
    [' tok_abc', '8 characters with space around them'],
    ['tok abc', '7 characters'],
  ])('tells what is unseen around a token: of %j its length was told alone, as of one that is right', (token, said) => {
    expect(() => load({ DOCMIRROR_TOKEN: token })).toThrow(
      `Setting platform.token (DOCMIRROR_TOKEN) is [secret, ${said}]; expected printable characters without spaces`,
    );
  });
});
