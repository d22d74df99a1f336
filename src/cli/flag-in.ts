/** The value of a flag in words that nobody has parsed yet, as after `--name` or in `--name=value`; undefined when it has none. */
export function flagIn(argv: readonly string[], flag: string): string | undefined {
  const given = argv.find((word) => word.startsWith(`${flag}=`));
  if (given !== undefined) return given.slice(flag.length + 1);
  const at = argv.indexOf(flag);
  return at < 0 ? undefined : argv[at + 1];
}
