/** The code that the system, SQLite or a library gives an error, such as `ENOENT`; null for one without, and for what is no error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
