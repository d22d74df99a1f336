import { inFolder } from '../base/index.ts';
import type { Config } from './types.ts';

/** Does work on the data directory: what the system or SQLite refuses there is told with its name. */
export function inDataDirectory<T>({ dataDir }: Pick<Config, 'dataDir'>, work: () => Promise<T>): Promise<T> {
  return inFolder({ folder: dataDir, called: 'data directory' }, work);
}
