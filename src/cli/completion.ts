// Completion of command lines, by the library that knows the shells.
import type { Command } from 'commander';
import { ShellCompDirective, type RootCommand } from '@bomb.sh/tab';
import { writeStdout } from '../base/index.ts';
import { offerArguments, offerValues } from './completion-values.ts';
import { belowHelp } from './help-document.ts';

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
    offerValues(command);
    offerArguments(command);
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
