// The one home of process.env: read once at the edge, handed on as data.

export type Environment = Readonly<Record<string, string | undefined>>;

/** A copy of the process's environment. */
export function readEnvironment(): Environment {
  return { ...process.env };
}
