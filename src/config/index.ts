// File, environment and flags -> one checked, typed Config.
export { ConfigError } from './errors.ts';
export { defaultText, problemOfText, understoodText } from './check-text.ts';
export { DEFAULT_CONFIG_FILE, loadConfig, loadConfigs, sharedPlace, type ConfigSources } from './load-config.ts';
export { readTextFile } from './read-text-file.ts';
export type { SettingKey } from './settings.ts';
export { configFileSchema, settingsTable } from './describe.ts';
export { COMMANDS, type CommandName } from './commands.ts';
export { repeatFlags, withFlags, type Repeated } from './named-commands.ts';
export { inDataDirectory } from './data-directory.ts';
export { flagsToTarget, repeatedFlags } from './repeat-flags.ts';
export { placesOf } from './setting-places.ts';
export { isPlatformNamed, requirePlatform, requireTarget } from './require-platform.ts';
export type { Config, PlatformConfig } from './types.ts';
