// The file of a plan that cannot be used: what is told of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPlan } from '../../src/restore/index.ts';
import { testFolder } from '../support/cli.ts';

it('restore/plan-file says why a plan cannot be read, as of one that another user has closed: it told to make a new one and no reason', async () => {
  using folder = testFolder();
  const file = folder.at('plan.json');
  await expect(readPlan(file)).rejects.toMatchObject({
    message: `The plan ${file} cannot be read: there is no such file`,
    hint: expect.stringMatching(/^Correct the path, or make one with /),
  });
  mkdirSync(file);
  await expect(readPlan(file)).rejects.toMatchObject({
    message: expect.stringContaining(`The plan ${file} cannot be read: EISDIR`),
    hint: expect.stringMatching(
      /^Name the file of a plan, and give this user permission to read it, or make one with /,
    ),
  });
});

it('restore/plan-file reads no plan from a pipe: one that nobody writes into was waited for, and no signal ended the command', async () => {
  using folder = testFolder();
  const pipe = folder.at('pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(readPlan(pipe)).rejects.toMatchObject({
    code: 'DM_USAGE',
    message: `The plan ${pipe} cannot be read: it is a pipe or a device, which a resume could not read again`,
  });
});

it('restore/plan-file says that a file was cut off or is no plan: whoever had edited nothing was told that its hash did not fit', async () => {
  using folder = testFolder();
  const file = folder.at('plan.json');
  for (const text of ['', '{ "hash": "ab", "pl', 'no JSON', '[]']) {
    writeFileSync(file, text);
    await expect(readPlan(file)).rejects.toMatchObject({
      message: `The plan ${file} is not what was written: it is no JSON of a plan, or not all of it`,
    });
  }
});
