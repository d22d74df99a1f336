/** An object type whose members that may be undefined are optional instead. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** Leaves out the members that are undefined: an absent field is absent from the answer too. */
export function defined<T extends object>(fields: T): Defined<T> {
  const found: Record<string, unknown> = {};
  // A plain loop: every resource of every list passes here.
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) found[name] = value;
  }
  return found as Defined<T>;
}
