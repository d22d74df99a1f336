const MEBIBYTE = 1024 * 1024;

/** What an import may cost. Sizes are bytes, `timeoutMs` is for the whole download. */
export interface ImportLimits {
  downloadBytes: number;
  timeoutMs: number;
  redirects: number;
  entries: number;
  unpackedBytes: number;
  /** How many times larger than its packed form an archive may be, once it unpacks to more than `ratioFreeBytes`. */
  ratio: number;
  ratioFreeBytes: number;
}

export const DEFAULT_LIMITS: Readonly<ImportLimits> = {
  downloadBytes: 256 * MEBIBYTE,
  timeoutMs: 60_000,
  redirects: 3,
  entries: 20_000,
  unpackedBytes: 1024 * MEBIBYTE,
  ratio: 200,
  ratioFreeBytes: 16 * MEBIBYTE,
};
