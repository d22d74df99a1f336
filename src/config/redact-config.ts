import type { Json } from '../base/index.ts';
import type { Config } from './types.ts';

/** The configuration as plain data that can be printed: every token is `[secret]`. */
export function redactConfig(config: Config): Json {
  return JSON.parse(JSON.stringify(config)) as Json;
}
