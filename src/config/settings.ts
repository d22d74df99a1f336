// Every setting, declared once. From this table come the check, the defaults, the JSON schema, the example's test and README's table.
import { LOG_LEVELS } from '../base/index.ts';
import { address, host, networks } from './setting-address.ts';
import { duration, durationAboveZero } from './setting-time.ts';
import { choice, flag, integer, nullable, place, port, rate, secret, share, type Setting } from './setting.ts';
import { DAEMON_SETTINGS } from './daemon-settings.ts';
import { NOTIFY_SETTINGS } from './notify-settings.ts';
import { RESTORE_SETTINGS } from './restore-settings.ts';
import { WALK_SETTINGS } from './walk-settings.ts';

export const SETTINGS = {
  'platform.baseUrl': nullable(
    address(
      {
        description: "The platform's base address, without `/v1`.",
        default: null,
        environment: 'DOCMIRROR_BASE_URL',
        flag: '--base-url',
      },
      { version: true },
    ),
    'no platform',
  ),
  'platform.token': nullable(
    secret({
      description: 'Access token. Never a flag; in the file only as `${VARIABLE}` or `${file:PATH}`, please.',
      default: null,
      environment: 'DOCMIRROR_TOKEN',
    }),
    'none',
  ),
  'platform.tokenFile': nullable(
    place(
      {
        description: 'File that holds the access token.',
        default: null,
        environment: 'DOCMIRROR_TOKEN_FILE',
        flag: '--token-file',
      },
      'file',
    ),
    'none',
  ),
  'target.baseUrl': nullable(
    address(
      {
        description: 'Base address of the platform that a restore writes to; the configured platform when null.',
        default: null,
        environment: 'DOCMIRROR_TARGET_URL',
        flag: '--target-url',
      },
      { version: true },
    ),
    'the configured platform',
  ),
  'target.token': nullable(
    secret({
      description: 'Access token for the target of a restore.',
      default: null,
      environment: 'DOCMIRROR_TARGET_TOKEN',
    }),
    'none',
  ),
  'target.tokenFile': nullable(
    place(
      {
        description: 'File that holds the access token for the target of a restore.',
        default: null,
        environment: 'DOCMIRROR_TARGET_TOKEN_FILE',
      },
      'file',
    ),
    'none',
  ),
  'replica.token': nullable(
    secret({
      description:
        'Token that readers of the replica send (`/v1/…` of the status server); one of its own, not that of the platform.',
      default: null,
      environment: 'DOCMIRROR_REPLICA_TOKEN',
    }),
    'none: the replica answers nobody',
  ),
  'replica.tokenFile': nullable(
    place(
      {
        description: 'File that holds the token of the replica.',
        default: null,
        environment: 'DOCMIRROR_REPLICA_TOKEN_FILE',
      },
      'file',
    ),
    'none',
  ),
  dataDir: place(
    {
      description: 'Where the mirror lives.',
      default: './data',
      environment: 'DOCMIRROR_DATA_DIR',
      flag: '--data-dir',
    },
    'folder',
  ),
  'log.level': choice(
    {
      description: 'How much is logged, on stderr.',
      default: 'info',
      environment: 'DOCMIRROR_LOG_LEVEL',
      flag: '--log-level',
    },
    LOG_LEVELS,
  ),
  'limits.concurrency': integer(
    {
      description: 'Requests under way at once.',
      default: 8,
    },
    { minimum: 1, maximum: 64 },
  ),
  'limits.requestsPerSecond': rate({
    description: "Requests per second; `auto` follows the server's rate headers, and takes 10 where it sends none.",
    default: 'auto',
  }),
  'limits.share': share({
    description: "The part of the server's own limit that is used, so that others are not locked out.",
    default: 0.9,
  }),
  'limits.timeout': durationAboveZero({
    description: 'How long one request may take.',
    default: '30s',
  }),
  'limits.downloadTimeout': durationAboveZero({
    description: 'How long the download of one file may take.',
    default: '10m',
  }),
  'limits.retries': integer(
    {
      description: 'How often a request that may be repeated is sent again.',
      default: 4,
    },
    { minimum: 0, maximum: 20 },
  ),
  'limits.maxWait': duration({
    description: 'The longest wait that the server may ask for; a longer one is an error.',
    default: '15m',
  }),
  ...WALK_SETTINGS,
  ...DAEMON_SETTINGS,
  'status.host': host({
    description: 'Address that the status page listens on.',
    default: '127.0.0.1',
    environment: 'DOCMIRROR_STATUS_HOST',
  }),
  'status.port': port({
    description: 'Port of the status page; 0 is any free one.',
    default: 8780,
    environment: 'DOCMIRROR_STATUS_PORT',
  }),
  'status.token': nullable(
    secret({
      description:
        'What a reader of the status page, report, browser and metrics must show; needed when `status.host` is not this machine alone.',
      default: null,
      environment: 'DOCMIRROR_STATUS_TOKEN',
    }),
    'none',
  ),
  'status.tokenFile': nullable(
    place(
      {
        description: 'File that holds the token of the status page.',
        default: null,
        environment: 'DOCMIRROR_STATUS_TOKEN_FILE',
      },
      'file',
    ),
    'none',
  ),
  'status.openProbes': flag({
    description:
      '`/readyz` and `/metrics` answer without the token, as `/healthz` always does; where others can reach it and no token is set, nothing else answers.',
    default: false,
    environment: 'DOCMIRROR_STATUS_OPEN_PROBES',
  }),
  'export.enabled': flag({
    description: 'Write the readable tree after each complete snapshot.',
    default: true,
  }),
  'export.git': flag({
    description: 'Keep the history of that tree as a git repository, one commit for each snapshot that changed it.',
    default: false,
  }),
  ...NOTIFY_SETTINGS,
  ...RESTORE_SETTINGS,
  'embedded.importFrom': networks({
    description:
      'Hosts, addresses and networks that the embedded platform may fetch imports and specifications from, besides this machine.',
    default: [],
    flag: '--import-from',
  }),
} satisfies Record<string, Setting<unknown>>;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<K extends SettingKey> = (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;

/** The keys of all settings, in the order of the table. */
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

/** The setting, without the type of its value. */
export function settingOf(key: SettingKey): Setting<unknown> {
  return SETTINGS[key];
}
