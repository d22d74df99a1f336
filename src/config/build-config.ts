import path from 'node:path';
import { Secret } from '../base/index.ts';
import { badValue, ConfigError, showValue } from './errors.ts';
import type { Values } from './read-values.ts';
import { settingOf } from './settings.ts';
import type { Config, Endpoint, LimitsConfig, ScheduleConfig, WalkConfig } from './types.ts';

export interface BuildContext {
  cwd: string;
  readFile(path: string): string | null;
}

/** The typed configuration from checked values; throws when two of them contradict each other. */
export function buildConfig(values: Values, context: BuildContext): Config {
  refuseSharedPort(values);
  return {
    platform: endpoint('platform', values, context),
    target: endpoint('target', values, context),
    dataDir: path.resolve(context.cwd, values.get('dataDir')),
    log: { level: values.get('log.level') },
    limits: limitsConfig(values),
    scope: {
      organizations: values.get('scope.organizations'),
      spaces: values.get('scope.spaces'),
      invites: values.get('scope.invites'),
    },
    walk: walkConfig(values),
    schedule: scheduleConfig(values),
    status: { host: values.get('status.host'), port: values.get('status.port') },
    freshness: { snapshotMs: values.get('freshness.snapshot'), drillMs: values.get('freshness.drill') },
    export: { enabled: values.get('export.enabled') },
    contentServer: {
      host: values.get('contentServer.host'),
      port: values.get('contentServer.port'),
      publicUrl: values.get('contentServer.publicUrl'),
    },
    notes: (['platform.baseUrl', 'target.baseUrl'] as const).flatMap((key) => versionNote(key, values)),
  };
}

function endpoint(side: 'platform' | 'target', values: Values, context: BuildContext): Endpoint {
  return { baseUrl: values.get(`${side}.baseUrl`), token: readToken(side, values, context) };
}

// The token and its file are one setting given in two ways: the later layer wins, both in one layer is a contradiction.
function readToken(side: 'platform' | 'target', values: Values, context: BuildContext): Secret | null {
  const token = values.get(`${side}.token`);
  const file = values.get(`${side}.tokenFile`);
  const tokenAt = values.given(`${side}.token`);
  const fileAt = values.given(`${side}.tokenFile`);
  if (token !== null && file !== null && tokenAt.layer === fileAt.layer) {
    const message = `Settings ${side}.token (${tokenAt.at}) and ${side}.tokenFile (${fileAt.at}) contradict each other; expected one`;
    throw new ConfigError('DM_CONFIG_INVALID', message, { hint: 'Take one of the two away.' });
  }
  if (token !== null && (file === null || tokenAt.layer > fileAt.layer)) return Secret.of(token);
  return file === null ? null : readTokenFile(side, values, context);
}

function readTokenFile(side: 'platform' | 'target', values: Values, context: BuildContext): Secret {
  const key = `${side}.tokenFile` as const;
  const { at } = values.given(key);
  const file = values.get(key) ?? '';
  const text = context.readFile(file);
  if (text === null) {
    throw new ConfigError('DM_CONFIG_INVALID', `Setting ${key} (${at}) names ${file}, which is not there`, {
      hint: 'Create the file or correct the path.',
    });
  }
  const setting = settingOf(`${side}.token`);
  const token = text.trim();
  if (setting.parse(token) === undefined) {
    throw badValue({ key: `${side}.token`, at: file, shown: showValue(token, true) }, setting.expected);
  }
  return Secret.of(token);
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

function scheduleConfig(values: Values): ScheduleConfig {
  return {
    timezone: values.get('schedule.timezone'),
    sync: values.get('schedule.sync'),
    drill: values.get('schedule.drill'),
    jitterMs: values.get('schedule.jitter'),
  };
}

function versionNote(key: 'platform.baseUrl' | 'target.baseUrl', values: Values): string[] {
  const { value, at } = values.given(key);
  if (typeof value !== 'string' || !/\/v1\/*$/.test(value)) return [];
  return [`${at} is given with /v1, which belongs to every request already: ${String(values.get(key))} is used`];
}

function refuseSharedPort(values: Values): void {
  const port = values.get('status.port');
  if (port === 0 || port !== values.get('contentServer.port')) return;
  const message = `Settings status.port and contentServer.port (${values.given('contentServer.port').at}) are both ${port}; expected two ports`;
  throw new ConfigError('DM_CONFIG_INVALID', message, {
    hint: 'Give one of them another port, or 0 for any free one.',
  });
}
