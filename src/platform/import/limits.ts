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

/** What an archive of one file has besides it. */
const BESIDE = 16 * MEBIBYTE;

/** The usual limits, as far beyond them as it takes to import any one file of up to so many bytes. */
export function limitsFor(largestFile: number): Pick<ImportLimits, 'downloadBytes' | 'unpackedBytes'> {
  const { downloadBytes, unpackedBytes } = DEFAULT_LIMITS;
  const needed = largestFile + BESIDE;
  return { downloadBytes: Math.max(downloadBytes, needed), unpackedBytes: Math.max(unpackedBytes, needed) };
}
