// Where a platform of the list has no token, or one that is refused: what is named is where one can be set that is sent there.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const ITS_ENTRY = 'platform.tokenFile of docs in the list of platforms (settings file), or --token-file';

it('cli names the entry in the list of platforms where a token is missing or refused: it named variables of the environment, which are sent to none of the list', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = { DOCMIRROR_CONFIG: folder.at('docmirror.yaml'), DOCMIRROR_TOKEN: platform.token };
  const asked = async (command: string, token: string): Promise<string> => {
    const entry = `{name: docs, dataDir: ${folder.at('data')}, platform: {baseUrl: '${platform.url}'${token}}}`;
    writeFileSync(folder.at('docmirror.yaml'), `platforms:\n  - ${entry}\n`);
    return (await runCli([command], { env, cwd: folder.path })).stderr;
  };
  expect(await asked('sync', '')).toContain(`(DM_CONFIG_MISSING)\n  what to do: Set ${ITS_ENTRY}.`);
  expect(await asked('sync', ', token: another')).toContain(
    `what to do: Check the token: it may be mistyped, expired or made for another platform. It is set by ${ITS_ENTRY}.`,
  );
  expect(await asked('sync', ', token: another')).not.toContain('DOCMIRROR_TOKEN');
});
