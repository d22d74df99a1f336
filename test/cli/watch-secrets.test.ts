// A token is exchanged below a daemon that runs, by what mounts it, and nobody is there to send a signal.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { readApart, watchSecrets } from '../../src/cli/watch-secrets.ts';
import { loadConfigs, type Config } from '../../src/config/index.ts';
import { testFolder, type TestFolder } from '../support/cli.ts';

const MINUTE = 60_000;
const NAMED = 'platform: { baseUrl: http://127.0.0.1:1, tokenFile: token }';

function configsIn(folder: TestFolder, yaml: string): Config[] {
  writeFileSync(folder.at('docmirror.yaml'), yaml);
  return readIn(folder);
}

function readIn(folder: TestFolder, platform?: string): Config[] {
  const flags = { config: 'docmirror.yaml', ...(platform === undefined ? {} : { platform }) };
  return loadConfigs({ flags, environment: {}, cwd: folder.path });
}

describe('cli/watch-secrets', () => {
  it('tells once of a file that was written anew, and of none that stands still, or is away for a moment', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('token'), 'tok_one\n');
    const configs = configsIn(folder, NAMED);
    const clock = manualClock(0);
    const told: string[][] = [];
    using _watching = watchSecrets({ clock, configs: () => configs, changed: (files) => told.push([...files]) });
    await clock.advance(3 * MINUTE);
    expect(told).toEqual([]);
    writeFileSync(folder.at('token'), 'tok_two\n');
    await clock.advance(MINUTE);
    expect(told).toEqual([[folder.at('token')]]);
    renameSync(folder.at('token'), folder.at('away'));
    await clock.advance(2 * MINUTE);
    expect(told).toHaveLength(1);
    writeFileSync(folder.at('token'), 'tok_three\n');
    await clock.advance(MINUTE);
    expect(told).toHaveLength(2);
  });

  it.each([
    'platform: { baseUrl: http://127.0.0.1:1, token: "${file:token}" }',
    'notify: { webhook: "http://127.0.0.1:1/${file:token}" }',
    'platforms: [{ name: docs, platform: { baseUrl: http://127.0.0.1:1, token: "${file:token}" } }]',
  ])('tells of a file that a reference names: %s stayed refused until somebody sent a signal', async (yaml) => {
    using folder = testFolder();
    writeFileSync(folder.at('token'), 'tok_one\n');
    const configs = configsIn(folder, yaml);
    const clock = manualClock(0);
    const told: string[][] = [];
    using _watching = watchSecrets({ clock, configs: () => configs, changed: (files) => told.push([...files]) });
    writeFileSync(folder.at('token'), 'tok_two, longer\n');
    await clock.advance(MINUTE);
    expect(told).toEqual([[folder.at('token')]]);
  });

  it('sees a mounted secret that leads elsewhere, as a cluster exchanges it', async () => {
    using folder = testFolder();
    for (const version of ['1', '2']) {
      mkdirSync(folder.at(version));
      writeFileSync(folder.at(`${version}/token`), 'tok_of_the_same_length\n');
    }
    symlinkSync('1', folder.at('data'));
    symlinkSync('data/token', folder.at('token'));
    const configs = configsIn(folder, NAMED);
    const clock = manualClock(0);
    let told = 0;
    using _watching = watchSecrets({ clock, configs: () => configs, changed: () => (told += 1) });
    symlinkSync('2', folder.at('next'));
    renameSync(folder.at('next'), folder.at('data'));
    await clock.advance(MINUTE);
    expect(told).toBe(1);
  });

  it('leaves the settings to a signal, though a token stands in them: somebody may be in the middle of writing', async () => {
    using folder = testFolder();
    const yaml = 'platform: { baseUrl: http://127.0.0.1:1, token: tok_in_the_settings }';
    const configs = configsIn(folder, yaml);
    const clock = manualClock(0);
    let told = 0;
    using _watching = watchSecrets({ clock, configs: () => configs, changed: () => (told += 1) });
    writeFileSync(folder.at('docmirror.yaml'), yaml.replace('settings', 'middle'));
    await clock.advance(MINUTE);
    expect(told).toBe(0);
  });

  it('looks at the files of the configuration that is worked by now', async () => {
    using folder = testFolder();
    for (const file of ['token', 'other']) writeFileSync(folder.at(file), 'tok_one\n');
    let configs = configsIn(folder, NAMED);
    const clock = manualClock(0);
    const told: string[] = [];
    using _watching = watchSecrets({ clock, configs: () => configs, changed: (files) => told.push(...files) });
    configs = configsIn(folder, NAMED.replace('tokenFile: token', 'tokenFile: other'));
    await clock.advance(MINUTE);
    rmSync(folder.at('token'));
    writeFileSync(folder.at('other'), 'tok_two, longer\n');
    await clock.advance(MINUTE);
    expect(told).toEqual([folder.at('other')]);
  });

  it('gives one of the list its new token while the file of another is away: both were refused it, and nothing tried again', () => {
    using folder = testFolder();
    for (const file of ['one', 'two']) writeFileSync(folder.at(file), 'tok_before\n');
    const entry = (name: string): string =>
      `  - {name: ${name}, platform: {baseUrl: http://127.0.0.1:1, tokenFile: ${name}}}`;
    const standing = configsIn(folder, ['platforms:', entry('one'), entry('two')].join('\n'));
    writeFileSync(folder.at('one'), 'tok_after\n');
    rmSync(folder.at('two'));
    const refused: [string, string][] = [];
    const reread = (): Config[] =>
      readApart(standing, {
        read: (platform) => readIn(folder, platform),
        refused: (platform, error) => void refused.push([platform, String(error)]),
      });
    const [one, two] = reread();
    expect(one?.platform.token?.reveal()).toBe('tok_after');
    expect(two).toBe(standing[1]);
    expect(refused).toEqual([['two', expect.stringContaining('names two, which is not there')]]);
    writeFileSync(folder.at('docmirror.yaml'), 'nothing: of this');
    expect(reread).toThrow('nothing');
    expect(refused).toHaveLength(1);
  });
});
