// Every setting, declared once. From this table come the check, the defaults, the JSON schema, the example's test and README's table.
import { LOG_LEVELS } from '../base/index.ts';
import {
  address,
  choice,
  cron,
  duration,
  flag,
  integer,
  nullable,
  rate,
  secret,
  share,
  text,
  timezone,
  type Setting,
} from './setting.ts';
import { WALK_SETTINGS } from './walk-settings.ts';

const PORT = { minimum: 0, maximum: 65_535 };

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
    text(
      {
        description: 'File that holds the access token.',
        default: null,
        environment: 'DOCMIRROR_TOKEN_FILE',
        flag: '--token-file',
      },
      'the path of a file',
    ),
    'none',
  ),
  'target.baseUrl': nullable(
    address(
      {
        description: 'Base address of the platform that a restore writes to; the configured platform when null.',
        default: null,
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
    text(
      {
        description: 'File that holds the access token for the target of a restore.',
        default: null,
        environment: 'DOCMIRROR_TARGET_TOKEN_FILE',
      },
      'the path of a file',
    ),
    'none',
  ),
  dataDir: text(
    {
      description: 'Where the mirror lives.',
      default: './data',
      environment: 'DOCMIRROR_DATA_DIR',
      flag: '--data-dir',
    },
    'the path of a folder',
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
  'limits.timeout': duration({
    description: 'How long one request may take.',
    default: '30s',
  }),
  'limits.downloadTimeout': duration({
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
  'schedule.timezone': nullable(
    timezone({
      description: "Time zone of the schedule; this machine's when null.",
      default: null,
    }),
    "this machine's zone",
  ),
  'schedule.sync': nullable(
    cron({
      description: 'When the daemon walks; never when null.',
      default: '0 2 * * *',
    }),
    'never',
  ),
  'schedule.drill': nullable(
    cron({
      description: 'When the daemon drills a restore; never when null.',
      default: '0 4 * * 0',
    }),
    'never',
  ),
  'schedule.jitter': duration({
    description: 'A scheduled job begins up to so much later, by chance.',
    default: '5m',
  }),
  'status.host': text(
    {
      description: 'Address that the status page listens on.',
      default: '127.0.0.1',
      environment: 'DOCMIRROR_STATUS_HOST',
    },
    'a host name or an IP address',
  ),
  'status.port': integer(
    {
      description: 'Port of the status page; 0 is any free one.',
      default: 8780,
      environment: 'DOCMIRROR_STATUS_PORT',
    },
    PORT,
  ),
  'freshness.snapshot': duration({
    description: 'Not ready when the last complete snapshot is older.',
    default: '26h',
  }),
  'freshness.drill': duration({
    description: 'Not ready when the last passed drill is older.',
    default: '8d',
  }),
  'export.enabled': flag({
    description: 'Write the readable tree after each complete snapshot.',
    default: true,
  }),
  'contentServer.host': text(
    {
      description: 'Address that a restore serves content on while the platform imports it.',
      default: '127.0.0.1',
    },
    'a host name or an IP address',
  ),
  'contentServer.port': integer(
    {
      description: 'Port of the content server; 0 is any free one.',
      default: 0,
    },
    PORT,
  ),
  'contentServer.publicUrl': nullable(
    address({
      description: 'The address at which the platform reaches the content server; its own address when null.',
      default: null,
    }),
    "the content server's own address",
  ),
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
