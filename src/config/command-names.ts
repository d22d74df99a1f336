/** The commands of the program. */
export const COMMAND_NAMES = [
  'start',
  'sync',
  'daemon',
  'serve',
  'status',
  'probe',
  'snapshots',
  'diff',
  'query',
  'report',
  'export',
  'check',
  'restore',
  'drill',
  'doctor',
  'forget',
  'prune',
  'init',
  'platform',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];
