/** Gives words of ours with the flags that lead to this mirror behind each command that they name. */
export type Named = (text: string) => string;

/** Where no flags are needed. */
export const asItIs: Named = (text) => text;
