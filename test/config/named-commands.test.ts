// Hints name commands in backticks; each leads to the settings of the command that failed.
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import { createRun } from '../../src/cli/command.ts';
import { createProgram } from '../../src/cli/program.ts';
import { COMMANDS, repeatFlags, withFlags } from '../../src/config/index.ts';

const CONFIG = { flags: " --data-dir 'my data'", target: { baseUrl: 'http://127.0.0.1:8700', token: null } };

function hintOf(hint: string): unknown {
  return withFlags(new AppError('DM_PLAN_USED', 'What', { hint }), CONFIG);
}

describe('config/named-commands', () => {
  it('repeats the flags of settings, and the target for commands that ask it', () => {
    expect(hintOf('Run `docmirror drill`, or `docmirror restore resume R1`.')).toMatchObject({
      code: 'DM_PLAN_USED',
      hint: "Run `docmirror drill --data-dir 'my data'`, or `docmirror restore resume R1 --target-url http://127.0.0.1:8700 --data-dir 'my data'`.",
    });
  });

  it('repeats them behind the name of a command that stands in a sentence, once', () => {
    const told = "Run docmirror sync --data-dir 'my data' --full, or docmirror snapshots show --data-dir 'my data' 3.";
    expect(hintOf('Run docmirror sync --full, or docmirror snapshots show 3.')).toMatchObject({ hint: told });
    expect(hintOf(told)).toMatchObject({ hint: told });
  });

  it('leaves a command that leads to the target already: a restore that stopped named the target twice', () => {
    const told = 'Run docmirror restore resume R1 --target-url http://127.0.0.1:8700: it continues the restore.';
    expect(repeatFlags(told, { ...CONFIG, flags: '' })).toBe(told);
    const other = `Run docmirror drill --data-dir 'my data', or docmirror sync.`;
    expect(repeatFlags(other, CONFIG)).toBe(
      `Run docmirror drill --data-dir 'my data', or docmirror sync${CONFIG.flags}.`,
    );
  });

  it('knows every command within another one by its whole name, and adds nothing before --help', async () => {
    const program = await createProgram(createRun(new AbortController().signal, []));
    const outer = program.commands.filter((one) => one.commands.length > 0);
    expect(outer.map((one) => one.name())).toEqual(['snapshots', 'restore']);
    for (const one of outer.flatMap((group) =>
      group.commands.map((own) => `docmirror ${group.name()} ${own.name()}`),
    )) {
      expect(repeatFlags(`Run ${one}.`, CONFIG)).toMatch(
        new RegExp(`^Run ${one} --.*${CONFIG.flags}\\.$|^Run ${one}${CONFIG.flags}\\.$`),
      );
      expect(repeatFlags(`Run ${one} --help.`, CONFIG)).toBe(`Run ${one} --help.`);
    }
  });

  it('knows every command that takes settings', () => {
    for (const name of Object.keys(COMMANDS).filter((one) => !['init', 'start'].includes(one)))
      expect(repeatFlags(`Run docmirror ${name}.`, CONFIG)).toBe(`Run docmirror ${name}${CONFIG.flags}.`);
  });

  it('is no second error with the first as its cause: each line of the log of a daemon said what failed twice', () => {
    const cause = new Error('below');
    const error = new AppError('DM_CHECK_FAILED', 'What', { hint: 'Run docmirror check.', cause });
    expect(withFlags(error, CONFIG)).toMatchObject({
      code: 'DM_CHECK_FAILED',
      message: 'What',
      cause,
      stack: error.stack,
    });
  });

  it('leaves all else as it is', () => {
    const error = new AppError('DM_PLAN_USED', 'What', { hint: 'Run docmirror --help.' });
    expect(withFlags(error, CONFIG)).toBe(error);
    expect(withFlags('a text', CONFIG)).toBe('a text');
  });
});
