// The commands with a token that may only read, and with an organization that was taken out of the scope.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const REFUSED = 'Refused to this token, as was accepted: saml-provider (1)';

it('says what to do about a token that may only read, and what it is refused once that is accepted', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const [organization = ''] = platform.organizations();
  const person = { displayName: 'Backup', email: 'backup@example.com', organization };
  const { token } = platform.createUser({ ...person, role: 'read' });
  const env = { ...environmentOf({ url: platform.url, token }, folder.at('data')), DOCMIRROR_STATUS_PORT: '0' };
  const cli = (...args: string[]): Promise<Ended> => runCli(args, { env });
  const first = await cli('sync');
  expect([first.code, first.stdout]).toEqual([3, expect.stringContaining('docmirror sync --accept-rights')]);
  expect((await cli('status')).stdout).toContain('what to do: docmirror snapshots show 1');
  expect((await cli('doctor')).stdout).toContain('refused to this token: saml-provider (1)');
  for (const args of [['sync', '--accept-rights'], ['sync'], ['snapshots', 'show', 'latest']]) {
    const { code, stdout } = await cli(...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining(REFUSED)]);
  }
  expect((await cli('doctor')).stdout).toContain('refused to this token, as was accepted: saml-provider (1)');
  expect(documentOf(await cli('status', '--json'))).toMatchObject({
    refused: [{ kind: 'saml-provider', status: 403 }],
  });
});

it('says of lists that the platform does not offer that they are not found, and what accepts that: it told of rights that the token lacks', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_STATUS_PORT: '0' };
  const body = { error: { code: 404, message: 'Not Found' } };
  platform.faults = [{ operation: 'listCustomFields', effect: { status: 404, body } }];
  const { stdout } = await runCli(['sync'], { env });
  expect(stdout).toContain('not found (404):   docmirror sync --accept-rights');
  expect(stdout).not.toContain('rights lacking');
  expect((await runCli(['doctor'], { env })).stdout).toContain('refused to this token: custom-field (1, not found)');
  const accepted = await runCli(['sync', '--accept-rights'], { env });
  expect(accepted.stdout).toContain('as was accepted: custom-field (1, not found)');
});

it('says of an organization that was taken out of the scope that it is as it was read last: nothing told it from the others', async () => {
  await using platform = await startSeeded();
  using folder = testFolder();
  const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_STATUS_PORT: '0' };
  const [organization = ''] = platform.organizations();
  await runCli(['sync'], { env });
  const config = folder.at('docmirror.yaml');
  writeFileSync(config, 'scope:\n  organizations: [another]\n');
  const { stdout } = await runCli(['doctor', '--config', config], { env });
  expect(stdout).toContain(`organization ${organization} is in the mirror and not in scope.organizations`);
});
