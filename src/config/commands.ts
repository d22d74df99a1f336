/** The commands of the program in the order of the help, each with what it does: known before any of them is loaded. */
export const COMMANDS = {
  start: 'Mirror, export and drill once, say where everything is, then stay up as the daemon (npm start).',
  sync: 'Walk the platform once and seal one snapshot.',
  daemon: 'Keep the schedule: walks, drills and upkeep, with the status page, the replica and metrics.',
  serve: 'Serve the status page and the replica (the reads of the API, from the mirror) without the schedule.',
  status: 'Show how fresh and how proven the mirror is.',
  probe: 'Ask the daemon that runs whether its mirror is fresh and proven, as the health check of a container does.',
  snapshots: 'List the snapshots, oldest first; show, accept or pin one.',
  diff: 'Show what was added, changed or removed from one snapshot to another.',
  query: 'Run read-only SQL over the mirror.',
  report: 'Show how the documentation stands; write the report with its charts as one HTML file.',
  export: 'Write one snapshot as a readable tree of Markdown and files.',
  check: 'Check the integrity of the database, the objects and the export.',
  restore: 'Bring a snapshot back: plan, apply, verify, undo.',
  drill: 'Restore a snapshot into a fresh embedded platform and verify it there.',
  doctor: 'Look for what is wrong: configuration, platform, token, rights, clock, disk, lease, mirror.',
  forget: 'Drop the snapshots that a policy does not keep.',
  prune: 'Free what no snapshot refers to.',
  init: 'Write a configuration file by asking for what it needs.',
  platform: 'Run the embedded platform until it is stopped.',
} as const satisfies Readonly<Record<string, string>>;

export type CommandName = keyof typeof COMMANDS;
