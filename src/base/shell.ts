const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/** A word as a shell takes it: quoted where it would be taken for several, or for something else. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
