import type { LogLevel, Proxies, Secret } from '../base/index.ts';

/** A file that a secret was read from. */
export interface SecretFile {
  /** Absolute. */
  readonly path: string;
  /** It holds settings too, which count when they are read anew and not when they are written. */
  readonly hasSettings: boolean;
}

/** All settings of one process, checked and complete. Durations are milliseconds; `null` is off or not configured. */
export interface Config {
  /** Its name in the list of platforms; null when there is no list. */
  name: string | null;
  /** The platform to mirror, as far as it is configured; `requirePlatform` gives it whole. */
  platform: Endpoint;
  /** Where a restore writes; `requireTarget` gives it whole. */
  target: Endpoint;
  /** Absolute path. */
  dataDir: string;
  log: { level: LogLevel };
  limits: LimitsConfig;
  proxies: Proxies;
  scope: ScopeConfig;
  walk: WalkConfig;
  schedule: ScheduleConfig;
  /** The part of what is stored that one scheduled check reads. */
  check: { readShare: number };
  retention: RetentionConfig;
  /** Absolute path of the file that the report is written to; null is that in the data directory. */
  report: { path: string | null };
  notify: NotifyConfig;
  status: StatusConfig;
  freshness: { snapshotMs: number; drillMs: number };
  export: { enabled: boolean; git: boolean };
  contentServer: ContentServerConfig;
  restore: { maxPagesPerImport: number | null; maxBytesPerImport: number | null };
  /** Who may read the replica; null is nobody. */
  replica: { token: Secret | null };
  embedded: EmbeddedConfig;
  /** Flags of settings as they were given, and the name in a list of platforms, each after a space: a command that is named to people repeats them. */
  flags: string;
  /** The files that secrets were read from, the file of the settings among them where one stands in it. */
  secretFiles: SecretFile[];
  /** What was understood otherwise than it was written, for people. */
  notes: string[];
}

/** A platform as far as it is configured: commands that read only the mirror need none of it. */
export interface Endpoint {
  baseUrl: string | null;
  token: Secret | null;
}

/** A platform that can be called. */
export interface PlatformConfig {
  /** Without `/v1` and without a slash at the end. */
  baseUrl: string;
  token: Secret;
}

export interface LimitsConfig {
  concurrency: number;
  /** `auto`: what the server's headers say, 10 per second where it says nothing. */
  requestsPerSecond: number | 'auto';
  /** The part of the server's own limit that we use, above 0 up to 1. */
  share: number;
  timeoutMs: number;
  downloadTimeoutMs: number;
  retries: number;
  maxWaitMs: number;
}

export interface ScopeConfig {
  /** Organization ids; null is every organization that the token sees. */
  organizations: string[] | null;
  /** Ids of spaces to mirror besides those that are found. */
  spaces: string[];
  /** `organization/invite`: no listing shows invites. */
  invites: string[];
}

export interface WalkConfig {
  rereadNights: number;
  pageSize: number;
  /** Texts of pages as document trees too. */
  documents: boolean;
  /** Where one run ends; null is no end. */
  maxRequests: number | null;
  maxDurationMs: number | null;
  brake: BrakeConfig;
  resumeWithinMs: number;
}

/** The brake closes when the share and the count of one row are both passed. */
export interface BrakeConfig {
  deletedShare: number;
  deletedCount: number;
  rewrittenShare: number;
  rewrittenCount: number;
}

export interface ScheduleConfig {
  /** IANA name; null is the zone of this machine. */
  timezone: string | null;
  /** Cron expression; null is off. */
  sync: string | null;
  drill: string | null;
  check: string | null;
  forget: string | null;
  report: string | null;
  jitterMs: number;
  /** After a walk that failed; null is not before its next time. */
  retryAfterMs: number | null;
}

/** What the daemon keeps; `policy` is null when nothing was said, and then nothing is dropped. */
export interface RetentionConfig {
  policy: { last: number; daily: number; weekly: number; monthly: number; yearly: number } | null;
  prune: boolean;
}

/** Who is told; null is nobody. Addresses are secrets: whoever has them can use them. */
export interface NotifyConfig {
  ping: { start: Secret | null; success: Secret | null; failure: Secret | null; method: 'GET' | 'POST' };
  webhook: Secret | null;
  mail: { url: Secret; from: string; to: string[] } | null;
  remindAfterMs: number;
  /** The part of the disk below which it counts as almost full. */
  freeDisk: number;
}

export interface StatusConfig {
  host: string;
  /** 0 is any free port. */
  port: number;
  /** What a reader must show; null is nothing, on this machine only. */
  token: Secret | null;
  /** Health, readiness and metrics answer without the token. */
  openProbes: boolean;
}

export interface ContentServerConfig {
  host: string;
  /** 0 is any free port. */
  port: number;
  /** The address at which the platform reaches the content server; null is `http://host:port`. */
  publicUrl: string | null;
  /** Folder in which content is placed instead, absolute, and the address of a file in it with `{name}`; both null for the server. */
  directory: string | null;
  addressTemplate: string | null;
}

export interface EmbeddedConfig {
  /** Hosts, addresses and networks that imports may be fetched from, besides loopback; `*` is all. */
  importFrom: string[];
}
