// The flags that lead the next command to the same settings: it is printed whole, to be copied.
import { shellWord } from '../base/index.ts';
import { CONFIG_FLAG, flagProperty, PLATFORM_FLAG, type Flags } from './layers.ts';
import { SETTING_KEYS, settingOf, type SettingKey } from './settings.ts';
import type { Config } from './types.ts';

// Of a restore alone, of the embedded platform alone, and of how much one run tells.
const NOT_REPEATED: ReadonlySet<SettingKey> = new Set(['target.baseUrl', 'embedded.importFrom', 'log.level']);

/**
 * As they were given, each after a space. One of several platforms is named even where nobody named it: where all of them run, the
 * next command must.
 */
export function repeatedFlags(given: Flags, platform: string | null): string {
  const flags = platform === null ? given : { ...given, platform };
  const settings = SETTING_KEYS.filter((key) => !NOT_REPEATED.has(key)).map((key) => settingOf(key).flag);
  return [CONFIG_FLAG, PLATFORM_FLAG, ...settings]
    .flatMap((flag) => {
      const value = flag === undefined ? undefined : flags[flagProperty(flag)];
      return flag === undefined || value === undefined ? [] : [` ${flag} ${shellWord(value)}`];
    })
    .join('');
}

/** The same for commands that ask the target of a restore. */
export function flagsToTarget({ flags, target }: Pick<Config, 'flags' | 'target'>): string {
  return `${target.baseUrl === null ? '' : ` --target-url ${shellWord(target.baseUrl)}`}${flags}`;
}
