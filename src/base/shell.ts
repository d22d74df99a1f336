const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/** A text as one word of a shell: a path with a space in it, in a command that people copy. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
