import path from 'node:path';
import type { Proxies } from '../base/index.ts';
import { notifyConfig, retentionConfig, scheduleConfig } from './build-daemon.ts';
import { ConfigError } from './errors.ts';
import { readSecret, type SecretContext } from './read-secret.ts';
import type { Values } from './read-values.ts';
import { isTimezone } from './setting-time.ts';
import type { Config, ContentServerConfig, Endpoint, LimitsConfig, SecretFile, WalkConfig } from './types.ts';

export interface BuildContext extends SecretContext {
  /** See Config. */
  flags: string;
  cwd: string;
  proxies: Proxies;
  /** What TZ says. */
  machineZone: string | null;
  /** See Config; asked when all files were read. */
  secretFiles: (values: Values) => SecretFile[];
  /** Of the platform, in the list of them. */
  name: string | null;
}

/** The typed configuration from checked values; throws when two of them contradict each other. */
export function buildConfig(values: Values, context: BuildContext): Config {
  refuseSharedPort(values);
  const reportPath = values.get('report.path');
  return {
    name: context.name,
    platform: endpoint('platform', values, context),
    target: endpoint('target', values, context),
    dataDir: path.resolve(context.cwd, values.get('dataDir')),
    log: { level: values.get('log.level') },
    limits: limitsConfig(values),
    proxies: context.proxies,
    scope: {
      organizations: values.get('scope.organizations'),
      spaces: values.get('scope.spaces'),
      invites: values.get('scope.invites'),
    },
    walk: walkConfig(values),
    schedule: scheduleConfig(values),
    check: { readShare: values.get('check.readShare') },
    retention: retentionConfig(values),
    report: { path: reportPath === null ? null : path.resolve(context.cwd, reportPath) },
    notify: notifyConfig(values, context),
    status: {
      host: values.get('status.host'),
      port: values.get('status.port'),
      token: readSecret('status.token', values, context),
      openProbes: values.get('status.openProbes'),
    },
    freshness: { snapshotMs: values.get('freshness.snapshot'), drillMs: values.get('freshness.drill') },
    export: { enabled: values.get('export.enabled'), git: values.get('export.git') },
    contentServer: contentServerConfig(values, context),
    restore: {
      maxPagesPerImport: values.get('restore.maxPagesPerImport'),
      maxBytesPerImport: values.get('restore.maxBytesPerImport'),
    },
    replica: { token: readSecret('replica.token', values, context) },
    embedded: { importFrom: values.get('embedded.importFrom') },
    flags: context.flags,
    secretFiles: context.secretFiles(values),
    notes: [
      ...(['platform.baseUrl', 'target.baseUrl'] as const).flatMap((key) => versionNote(key, values)),
      ...zoneNote(values, context),
    ],
  };
}

function endpoint(side: 'platform' | 'target', values: Values, context: BuildContext): Endpoint {
  return { baseUrl: values.get(`${side}.baseUrl`), token: readSecret(`${side}.token`, values, context) };
}

function limitsConfig(values: Values): LimitsConfig {
  return {
    concurrency: values.get('limits.concurrency'),
    requestsPerSecond: values.get('limits.requestsPerSecond'),
    share: values.get('limits.share'),
    timeoutMs: values.get('limits.timeout'),
    downloadTimeoutMs: values.get('limits.downloadTimeout'),
    retries: values.get('limits.retries'),
    maxWaitMs: values.get('limits.maxWait'),
  };
}

function walkConfig(values: Values): WalkConfig {
  return {
    rereadNights: values.get('walk.rereadNights'),
    pageSize: values.get('walk.pageSize'),
    documents: values.get('walk.documents'),
    maxRequests: values.get('walk.maxRequests'),
    maxDurationMs: values.get('walk.maxDuration'),
    brake: {
      deletedShare: values.get('walk.brake.deletedShare'),
      deletedCount: values.get('walk.brake.deletedCount'),
      rewrittenShare: values.get('walk.brake.rewrittenShare'),
      rewrittenCount: values.get('walk.brake.rewrittenCount'),
    },
    resumeWithinMs: values.get('walk.resumeWithin'),
  };
}

// A folder without an address, or an address without a folder, would be half a way.
function contentServerConfig(values: Values, { cwd }: BuildContext): ContentServerConfig {
  const directory = values.get('contentServer.directory');
  const addressTemplate = values.get('contentServer.addressTemplate');
  if ((directory === null) !== (addressTemplate === null)) {
    const [given, missing] =
      directory === null
        ? (['contentServer.addressTemplate', 'contentServer.directory'] as const)
        : (['contentServer.directory', 'contentServer.addressTemplate'] as const);
    const message = `Setting ${given} (${values.given(given).at}) is given without ${missing}; expected both or none`;
    throw new ConfigError('DM_CONFIG_INVALID', message, {
      hint: 'The folder is where content is placed, the address is where the platform finds it.',
    });
  }
  return {
    host: values.get('contentServer.host'),
    port: values.get('contentServer.port'),
    publicUrl: values.get('contentServer.publicUrl'),
    directory: directory === null ? null : path.resolve(cwd, directory),
    addressTemplate,
  };
}

function versionNote(key: 'platform.baseUrl' | 'target.baseUrl', values: Values): string[] {
  const { value, at } = values.given(key);
  if (typeof value !== 'string' || !/\/v1\/*$/.test(value)) return [];
  return [`${at} is given with /v1, which belongs to every request already: ${String(values.get(key))} is used`];
}

/** What may stand before the name of a zone in TZ. */
const ZONE_HEAD = /^:?(?:posix\/|right\/)?/;

/** The system takes a name that it does not know for UTC, and says nothing. */
function zoneNote(values: Values, { machineZone }: BuildContext): string[] {
  if (machineZone === null || machineZone === '' || values.get('schedule.timezone') !== null) return [];
  if (isTimezone(machineZone.replace(ZONE_HEAD, ''))) return [];
  return [
    `TZ is "${machineZone}", which is no time zone such as Europe/Zurich: the schedule is not in it, but most likely in UTC`,
  ];
}

function refuseSharedPort(values: Values): void {
  const port = values.get('status.port');
  if (port === 0 || port !== values.get('contentServer.port')) return;
  const message = `Settings status.port and contentServer.port (${values.given('contentServer.port').at}) are both ${port}; expected two ports`;
  throw new ConfigError('DM_CONFIG_INVALID', message, {
    hint: 'Give one of them another port, or 0 for any free one.',
  });
}
