import type { Config } from '../../config/index.ts';
import type { ImportLimits } from '../../restore/index.ts';

/** What one import may hold. */
export function importLimitsOf({ restore }: Config): ImportLimits {
  return { maxPages: restore.maxPagesPerImport, maxBytes: restore.maxBytesPerImport };
}
