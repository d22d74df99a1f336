// Help for programs: with --json, stdout is one JSON document, whatever is asked for.
import { describe, expect, it } from 'vitest';
import { documentOf, runCli } from '../support/cli.ts';

interface Told {
  readonly command: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
  readonly options: readonly { readonly flags: string; readonly required: boolean }[];
  readonly commands: readonly { readonly name: string }[];
}

describe('cli/help-document', () => {
  it.each([
    [['--help', '--json'], 'docmirror'],
    [['help', '--json'], 'docmirror'],
    [['--json', 'sync', '--help'], 'docmirror sync'],
    [['help', 'restore', 'plan', '--json'], 'docmirror restore plan'],
    [['snapshots', 'help', '--json'], 'docmirror snapshots'],
    [['completion', '--help', '--json'], 'docmirror completion'],
  ])('answers %j with one JSON document: it was text, which no program could read', async (args, command) => {
    const ended = await runCli(args);
    expect([ended.code, ended.stderr, documentOf<Told>(ended).command]).toEqual([0, '', command]);
  });

  it('names all that a command takes, and the commands within', async () => {
    const plan = documentOf<Told>(await runCli(['restore', 'plan', '--help', '--json']));
    expect(plan.options).toContainEqual(expect.objectContaining({ flags: '--out <file>', required: true }));
    const show = documentOf<Told>(await runCli(['snapshots', 'show', '--help', '--json']));
    expect(show.arguments).toEqual([expect.objectContaining({ name: 'number', required: true })]);
    const { commands } = documentOf<Told>(await runCli(['--help', '--json']));
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['sync', 'restore', 'completion']));
  });

  it('answers --version with a document, too, and leaves both as they are for people', async () => {
    const { stdout } = await runCli(['--version']);
    expect(documentOf(await runCli(['--version', '--json']))).toEqual({ version: stdout.trim() });
    expect((await runCli(['sync', '--help'])).stdout).toMatch(/^Usage: docmirror sync[^]*\nExamples?:\n/);
  });

  it('puts nothing but the error where no command was given', async () => {
    const ended = await runCli(['restore', '--json']);
    expect([ended.code, documentOf(ended)]).toEqual([2, { error: expect.objectContaining({ code: 'DM_USAGE' }) }]);
    expect(ended.stderr).toMatch(/^docmirror: The command line is wrong: No command was given/);
  });
});
