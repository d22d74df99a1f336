// The one home of process.env: read once at the edge, handed on as data.

export type Environment = Readonly<Record<string, string | undefined>>;

// What it takes to start a program, and how it is to speak.
const NEEDED: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SQLITE_TMPDIR',
  'TZ',
  'LD_LIBRARY_PATH',
  'SYSTEMROOT',
]);

/**
 * What a program that we start is given of an environment: secrets stand beside it, ours and those of others, and whoever may look at
 * the program, or what it starts in turn, would see them.
 */
export function forProgram(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && NEEDED.has(name.toUpperCase()) ? [[name, value]] : [],
    ),
  );
}

/** A copy of the process's environment. */
export function readEnvironment(): Environment {
  return { ...process.env };
}

/**
 * What SQLite puts aside for a while goes into this folder from the first database on, unless the environment names another for it: the
 * one for temporary files may be tiny or read-only in a container, and is memory there. Where it cannot be written, SQLite looks for
 * another.
 */
export function putAsideIn(folder: string): void {
  process.env['SQLITE_TMPDIR'] ??= folder;
}
