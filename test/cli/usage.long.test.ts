import { writeFileSync } from 'node:fs';
import { CommanderError, type Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import { createRun } from '../../src/cli/command.ts';
import { errorText, usageError } from '../../src/cli/show-error.ts';
import { createProgram } from '../../src/cli/program.ts';
import { documentOf, runCli, runOwnProcess, testFolder } from '../support/cli.ts';

const program = await createProgram(createRun(new AbortController().signal, []));

const COMMANDS = (
  'start,sync,daemon,serve,status,snapshots,snapshots show,snapshots accept,diff,query,export,check,drill,doctor,forget,prune,platform,' +
  'restore plan,restore apply,restore resume,restore verify,restore undo,restore list'
).split(',');

/** Added by the completion library: a command of its own making, and the hidden one that its script calls. */
const COMPLETION = ['completion', 'complete'];

function all(command: Command): Command[] {
  const own = command.commands.filter((child) => !COMPLETION.includes(child.name()));
  return own.flatMap((child) => [child, ...all(child)]);
}

function nameOf(command: Command): string {
  return command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('cli/program', () => {
  it('loads only the commands that are named', async () => {
    const some = await createProgram(createRun(new AbortController().signal, []), ['sync', '--help']);
    const whole = some.commands.filter((command) => command.options.length > 0).map(nameOf);
    expect(whole).toEqual(['sync']);
    expect(some.commands.map((command) => [command.name(), command.description()])).toEqual(
      program.commands
        .filter((command) => command.name() !== 'complete')
        .map((command) => [command.name(), command.description()]),
    );
  });

  it('takes --json before the command as well as after it', async () => {
    const before = await runCli(['--json', 'restore', 'ledger']);
    const after = await runCli(['restore', 'ledger', '--json']);
    expect([before.code, before.stdout]).toEqual([0, after.stdout]);
  });

  it.each([
    [['statsu'], "unknown command 'statsu' (Did you mean status?)"],
    [['restore', 'aply', 'x'], "unknown command 'aply' (Did you mean apply?)"],
    [['sync', '--ful'], "unknown option '--ful' (Did you mean --full?)"],
    [['help', 'statsu'], "unknown command 'statsu' (Did you mean status?)"],
    [['statsu', '--help'], "unknown command 'statsu' (Did you mean status?)"],
    [['restore', 'help', 'aply'], "unknown command 'aply' (Did you mean apply?)"],
    [['help', 'restore', 'aply'], "unknown command 'aply' (Did you mean apply?)"],
  ])(
    'says which word was meant for %j, also where help on it is asked for: that was answered with the help of all',
    async (argv, what) => {
      const { code, stdout } = await runCli([...argv, '--json']);
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
      expect([code, error.code, error.message]).toEqual([2, 'DM_USAGE', `The command line is wrong: ${what}`]);
    },
  );

  it.each([
    ['help restore apply', 'Usage: docmirror restore apply '],
    ['help snapshots show', 'Usage: docmirror snapshots show '],
    ['help restore', 'Usage: docmirror restore [options]'],
    ['help help', 'Usage: docmirror [options] [command]'],
    ['help', 'Usage: docmirror [options] [command]'],
    ['snapshots help', 'Usage: docmirror snapshots [options] [command]'],
    ['snapshots --json help', '{"command":"docmirror snapshots",'],
    ['snapshots help show', 'Usage: docmirror snapshots show '],
    ['restore help apply', 'Usage: docmirror restore apply '],
  ])(
    'answers `%s` with the help of that command: it was that of the command above it, or none',
    async (line, usage) => {
      const { code, stdout } = await runCli(line.split(' '));
      expect([code, stdout.slice(0, usage.length)]).toEqual([0, usage]);
    },
  );

  it.each([
    [['retore'], 'docmirror --help'],
    [['restore', 'aply'], 'docmirror restore --help'],
    [['restore', 'verify'], 'docmirror restore verify --help'],
    [['sync', '--ful'], 'docmirror sync --help'],
  ])('sends from the wrong line %j to the help of that command, by name', async (argv, command) => {
    expect((await refusal(argv)).hint).toBe(`Run ${command}.`);
  });

  it('has every command of the interface', () => {
    const names = all(program).map(nameOf);
    expect(names).toEqual(expect.arrayContaining(COMMANDS));
  });

  it.each(all(program).map((command) => [nameOf(command), command] as const))(
    'explains %s with an example that it accepts',
    (name, command) => {
      const help = helpOf(command);
      expect(help).toMatch(/Examples?:\n {2}\$ docmirror /);
      expect(help).toContain('--json');
      expect(help).toContain(`$ docmirror ${name}`);
      for (const flag of help.split('Example')[1]?.match(/--[a-z-]+/g) ?? []) {
        const known = [...all(program), program].flatMap((one) => one.options.map((option) => option.long));
        expect(known).toContain(flag);
      }
    },
  );
});

describe('an option that must be given', () => {
  it.each([
    ['snapshots pin', '--reason <text>'],
    ['snapshots accept', '--reason <text>'],
    ['export', '--to <dir>'],
    ['restore plan', '--out <file>'],
  ])('is marked in the help of %s', (name, flag) => {
    const command = all(program).find((one) => nameOf(one) === name);
    const line = helpOf(command ?? program).slice(helpOf(command ?? program).indexOf(`  ${flag}`));
    expect(line.replaceAll(/\s+/g, ' ')).toMatch(/^[^()]*\(required\) -/);
  });
});

describe('an option that takes one value', () => {
  const ONE_VALUE = all(program).flatMap((command) =>
    command.options
      .filter(({ required, optional, variadic }) => (required || optional) && !variadic)
      .filter(({ long }) => long !== '--import-from')
      .map(({ long }) => [...nameOf(command).split(' '), `${long}=a`, `${long}=b`] as const),
  );

  it.each(ONE_VALUE.map((argv) => [argv]))('is refused in %j: the last one alone counted, in silence', async (argv) => {
    const flag = argv.at(-1)?.slice(0, -2) ?? '';
    expect((await refusal(argv)).message).toBe(`${flag} is given twice: "a" and "b"; expected once`);
  });

  it('collects what may be given several times: another kind, another network', async () => {
    const read = async (line: string): Promise<unknown> => {
      const argv = line.split(' ');
      const some = await createProgram(createRun(new AbortController().signal, argv), argv);
      const command = some.commands.find((one) => one.name() === argv[0]) ?? some;
      command.parseOptions(argv.slice(1));
      return command.opts();
    };
    expect(await read('sync --kind page --kind space')).toMatchObject({ kind: ['page', 'space'] });
    expect(await read('platform --import-from a --import-from b')).toMatchObject({ importFrom: 'a,b' });
  });
});

async function refusal(args: readonly string[]): Promise<AppError> {
  const run = createRun(new AbortController().signal, args);
  try {
    await (
      await createProgram(run, args)
    )
      .configureOutput({ writeErr: () => undefined })
      .parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return usageError(error, run) ?? neverRefused(args);
    if (error instanceof AppError) return error;
    throw error;
  }
  return neverRefused(args);
}

function neverRefused(args: readonly string[]): never {
  throw new Error(`accepted: ${args.join(' ')}`);
}

describe('wrong command lines', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['sync', '--nonsense'], "unknown option '--nonsense'"],
    [['sync', 'nonsense'], 'too many arguments'],
    [
      ['snapshots', 'shw', '1'],
      '"shw" is no command of snapshots; expected show, accept, unaccept, pin or unpin (Did you mean show?)',
    ],
    [['snapshots', 'shwo'], '(Did you mean show?)'],
    [['query', '--recipe', 'duplictes'], '(Did you mean duplicates?)'],
    [['restore', 'plan', '--snapshot', '1', '--out', 'p', '--in-place', 'mising'], '(Did you mean missing?)'],
    [['restore', 'plan', '--snapshot', '1', '--out', 'p', '--scope', 'spcae:1'], '(Did you mean space?)'],
    [['restore', 'plan', '--snapshot', '1', '--out', 'p', '--scope', 'kind:pgae'], '(Did you mean page?)'],
    [['snapshots', '3'], 'Run docmirror snapshots show 3.'],
    [['diff'], "missing required argument 'a'"],
    [['export'], "required option '--to <dir>'"],
    [['snapshots', 'accept', 'x', '--reason', 'r'], 'expected a whole number'],
    [['query', '--csv', '--json', 'select 1'], 'Both --csv and --json'],
    [['platform', '--seed', 'x'], 'expected demo, empty or scale'],
    [['platform', '--port', '1e9'], 'expected a whole number'],
    [['completion', 'bash', '--json'], "unknown option '--json'"],
    [['platform', '--clock-shift', '5'], '--clock-shift is "5"; expected a time with its unit'],
    // It was told to be reported as a fault in Docmirror.
    [['platform', '--clock-shift', '99999999d'], '--clock-shift is "99999999d"; expected at most 3660d'],
    // It listened on every address of the machine, and said that it was to be found at "http://:8700".
    [['platform', '--host', ''], '--host is ""; expected a host name or an IP address'],
    [['platform', '--port', '65536'], '--port is "65536"; expected 0 to 65535'],
    [['platform', '--spaces', '5'], '--spaces is given and --seed is "empty"; expected --seed scale'],
    [['platform', '--seed', 'demo', '--pages', '5'], '--pages is given and --seed is "demo"'],
    [
      ['platform', '--seed', 'scale', '--pages', '20000'],
      '--pages is "20000"; expected 0 to 19999, which one import takes',
    ],
    [['platform', '--data-dir', 'here'], '--data-dir names the folder of a mirror; expected --data'],
    [['restore', 'plan', '--snapshot', '1', '--out', 'p', '--scope', 'paper:1'], 'expected organization:ID'],
    ...(
      [
        ['--in-place new takes away what is not in the snapshot', '--in-place', 'new'],
        ['--delete and --full go together with --in-place', '--delete'],
        ['--people goes with another organization', '--in-place', '--people', 'people.yaml'],
        ['--in-place goes with neither', '--in-place', '--into-existing'],
        ['(Did you mean missing?)', '--in-place', 'changed,mising'],
      ] as const
    ).map(([said, ...choice]): [string[], string] => [
      ['restore', 'plan', '--snapshot', '1', '--out', 'p', ...choice],
      said,
    ]),
    [['sync', '--log-level', 'loud'], 'expected one of silent'],
    [['forget'], 'at least one --keep-'],
    [['forget', '--keep-last', '0', '--keep-daily', '0'], 'Every --keep-… option is 0; expected one above 0'],
    [['forget', '--keep-daily', 'many'], 'expected a whole number'],
    [['platform', '--rate', '0'], 'expected a number above 0'],
  ])('refuses %j', async (args, words) => {
    const error = await refusal(args);
    expect(error.exitCode).toBe(2);
    expect(errorText(error)).toContain(words);
    expect(error.hint).not.toBe('');
  });

  it('refuses a token of the embedded platform that no request can bear: it listened, and answered everybody with 401', async () => {
    const ended = await runCli(['platform'], { env: { DOCMIRROR_PLATFORM_TOKEN: 'two words' } });
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(
      /^docmirror: DOCMIRROR_PLATFORM_TOKEN: .+ expected printable characters without spaces/,
    );
    expect(ended.stderr).not.toContain('two words');
  });

  it.each([[[]], [['restore']]])('shows help and refuses when no command is given: %j', async (args) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: docmirror');
    expect(stderr).toContain('No command was given (DM_USAGE)');
  });
});

describe('cli/run', () => {
  it('prints help and version with exit code 0', async () => {
    const help = await runOwnProcess(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('Commands:');
    const version = await runOwnProcess(['--version']);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('ends a wrong command line with exit code 2 and what to do', async () => {
    const { code, stdout, stderr } = await runOwnProcess(['sync', '--nonsense']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^docmirror: .* \(DM_USAGE\)\n {2}what to do: .+\n$/);
  });

  it('answers an error with one document on stdout too, when asked for JSON', async () => {
    using folder = testFolder();
    const ended = await runOwnProcess(['snapshots', '--json'], { cwd: folder.path });
    expect(documentOf(ended)).toMatchObject({ error: { code: 'DM_NO_SNAPSHOT' } });
    expect(ended.code).toBe(1);
  });

  it('shows a stack only at the level debug', async () => {
    using folder = testFolder();
    const ended = await runCli(['snapshots', '--log-level', 'debug'], { cwd: folder.path });
    expect(ended.stderr).toContain('    at ');
  });

  it('names an unknown key of the configuration and its place', async () => {
    using folder = testFolder();
    writeFileSync(folder.at('c.yaml'), 'limits:\n  concurency: 3\n');
    const ended = await runCli(['sync', '--config', 'c.yaml'], { cwd: folder.path });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('limits.concurency (c.yaml:2:3)');
    expect(ended.stderr).toContain('DM_CONFIG_UNKNOWN_KEY');
  });

  it('needs a platform only for commands that ask it', async () => {
    using folder = testFolder();
    const env = { DOCMIRROR_BASE_URL: 'http://127.0.0.1:1' };
    const status = await runCli(['status', '--json'], { cwd: folder.path, env });
    expect(documentOf(status)).toMatchObject({ ready: false, reasons: ['There is no mirror yet'] });
    const sync = await runCli(['sync'], { cwd: folder.path, env });
    expect(sync.code).toBe(2);
    expect(sync.stderr).toContain('DM_CONFIG_MISSING');
  });
});
