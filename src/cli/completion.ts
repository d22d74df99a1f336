// Completion of command lines, by the library that knows the shells. What only the mirror knows is looked up when it is asked for.
import type { Command } from 'commander';
import { ShellCompDirective, type Command as Completed, type Complete, type RootCommand } from '@bomb.sh/tab';
import { readEnvironment, systemClock, writeStdout } from '../base/index.ts';
import { loadConfig } from '../config/index.ts';
import { belowHelp } from './help-document.ts';
import { isDrill, listRestores, listSnapshots, readMirror, recipes, type Mirror } from '../mirror/index.ts';

/** Adds `completion SHELL`, and the hidden command that its script calls. */
export async function addCompletion(program: Command, summary: string): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  const root = tab(program, { completionCommandName: 'completion' });
  const own = program.commands.find((command) => command.name() === 'completion');
  own
    ?.description(summary)
    .addHelpText('after', belowHelp(EXAMPLES))
    .action(async (shell: string) => {
      if (shell === 'bash') await writeStdout(BASH);
      else root.setup(program.name(), program.name(), shell);
    });
  for (const command of root.commands.values()) {
    setOptions(command);
    setArguments(command);
  }
  offerFiles(root);
}

/**
 * Lets the shell complete names of files wherever nothing of ours is offered. The library forbids it with every answer, and writes its
 * number down just before it prints it.
 */
function offerFiles(root: RootCommand): void {
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: noFiles } = ShellCompDirective;
  Object.defineProperty(root, 'directive', {
    get: () => (root.completions.length === 0 ? files : noFiles),
    set: () => {
      // What it writes is the same each time.
    },
  });
}

const EXAMPLES = `
Examples:
  $ source <(docmirror completion bash)
  $ docmirror completion fish > ~/.config/fish/completions/docmirror.fish`;

// The library's own asks for a package beside bash, ends in errors when it is read twice, and runs what stands in a line that nobody has
// sent yet.
const BASH = [
  '# bash completion for docmirror: bash alone is enough. Where nothing is offered, names of files are.',
  '__docmirror_complete() {',
  '  local word',
  '  COMPREPLY=()',
  "  while IFS=$'\\t' read -r word _; do",
  '    [[ -z $word || $word == :* || $word != "${COMP_WORDS[COMP_CWORD]}"* ]] || COMPREPLY+=("$word")',
  '  done < <(docmirror complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)',
  '}',
  'complete -o default -F __docmirror_complete docmirror',
  '',
].join('\n');

const SNAPSHOT_OPTIONS = ['snapshot', 'at'];

function setOptions({ options }: Completed): void {
  for (const name of SNAPSHOT_OPTIONS) {
    const option = options.get(name);
    if (option) option.handler = (complete) => snapshots(complete);
  }
  const recipe = options.get('recipe');
  if (recipe) recipe.handler = (complete) => recipes.forEach(({ name, about }) => complete(name, about));
}

/** Commands whose arguments are numbers of snapshots, or ids of restores. */
const BY_SNAPSHOT: ReadonlySet<string> = new Set([
  'diff',
  'snapshots show',
  'snapshots accept',
  'snapshots pin',
  'snapshots unaccept',
  'snapshots unpin',
]);
const BY_RESTORE: ReadonlySet<string> = new Set(['restore resume', 'restore verify', 'restore undo', 'restore remap']);

function setArguments({ value, arguments: positional }: Completed): void {
  const handler = BY_SNAPSHOT.has(value) ? snapshots : BY_RESTORE.has(value) ? restores : undefined;
  if (handler) for (const argument of positional.values()) argument.handler = (complete) => handler(complete);
}

function snapshots(complete: Complete): void {
  inMirror((mirror) => {
    for (const { id, state, started_at: at } of listSnapshots(mirror).toReversed())
      complete(String(id), `${state}, ${at}`);
    complete('latest', 'the newest sealed snapshot');
  });
}

function restores(complete: Complete): void {
  inMirror((mirror) => {
    // What a drill rehearsed, nobody can take up: its target is gone.
    const own = listRestores(mirror).filter((record) => !isDrill(record));
    for (const { id, state, snapshot } of own.toReversed()) complete(id, `${state}, snapshot ${snapshot}`);
  });
}

/** Whoever presses a key is not told why there is nothing to suggest. */
function inMirror(suggest: (mirror: Mirror) => void): void {
  try {
    const { dataDir } = loadConfig({ flags: {}, environment: readEnvironment(), cwd: process.cwd() });
    using mirror = readMirror({ dataDir, clock: systemClock() });
    suggest(mirror);
  } catch {
    // No mirror, no configuration, or one that is wrong: the command itself will say so.
  }
}
