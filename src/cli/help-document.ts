import type { AddHelpTextContext, Argument, Command, Help, Option } from 'commander';

/** Help on a command for programs. */
interface HelpDocument {
  /** As it is typed. */
  readonly command: string;
  readonly summary: string;
  readonly usage: string;
  readonly arguments: readonly { name: string; summary: string; required: boolean; several: boolean }[];
  readonly options: readonly { flags: string; summary: string; required: boolean }[];
  /** Commands within it, by name. */
  readonly commands: readonly { name: string; summary: string }[];
}

/** What `--help` tells, as one JSON document. */
export function helpDocument(command: Command, helper: Help): HelpDocument {
  return {
    command: nameOf(command),
    summary: command.description(),
    usage: helper.commandUsage(command),
    arguments: command.registeredArguments.map(argumentOf),
    options: helper.visibleOptions(command).map(optionOf),
    commands: helper.visibleCommands(command).map((one) => ({ name: one.name(), summary: one.description() })),
  };
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function argumentOf(argument: Argument): HelpDocument['arguments'][number] {
  const { required, variadic, description } = argument;
  return { name: argument.name(), summary: description, required, several: variadic };
}

function optionOf({ flags, description, mandatory }: Option): HelpDocument['options'][number] {
  return { flags, summary: description, required: mandatory };
}

/** A text below the help, which has no place in a document. */
export function belowHelp(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => (command.configureHelp().formatHelp === undefined ? text : '');
}
