// File, environment and flags -> one checked, typed Config.
export { ConfigError } from './errors.ts';
export { defaultText, problemOfText } from './check-text.ts';
export {
  DEFAULT_CONFIG_FILE,
  loadConfig,
  loadConfigs,
  readTextFile,
  sharedPlace,
  type ConfigSources,
} from './load-config.ts';
export type { Flags } from './layers.ts';
export type { SettingKey } from './settings.ts';
export { configFileSchema, settingsTable, type SettingRow } from './describe.ts';
export type { CommandName } from './command-names.ts';
export { repeatFlags, withFlags, type Repeated } from './named-commands.ts';
export { inDataDirectory } from './data-directory.ts';
export { flagsToTarget, repeatedFlags } from './repeat-flags.ts';
export { placesOf } from './setting-places.ts';
export { isPlatformNamed, requirePlatform, requireTarget } from './require-platform.ts';
export type {
  BrakeConfig,
  Config,
  ContentServerConfig,
  Endpoint,
  LimitsConfig,
  NotifyConfig,
  PlatformConfig,
  RetentionConfig,
  ScheduleConfig,
  ScopeConfig,
  StatusConfig,
  WalkConfig,
} from './types.ts';
