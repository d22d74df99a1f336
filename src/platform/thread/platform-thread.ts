// What a thread of its own runs: an embedded platform, from when it begins until it is ended from outside.
import { parentPort, workerData } from 'node:worker_threads';
import {
  createLogger,
  systemClock,
  systemRandom,
  toAppError,
  type ErrorCode,
  type Logger,
  type LogLevel,
} from '../../base/index.ts';
import { createPlatformChecks } from '../checks.ts';
import { furnish, type OrganizationWanted } from '../furnish.ts';
import { limitsFor } from '../import/index.ts';
import { startPlatform } from '../start-platform.ts';

/** What it is begun with. */
export interface Order {
  /** A path. */
  readonly database: string;
  /** As of `createPlatformChecks`. */
  readonly takesUnknownValues: boolean;
  /** As of `startPlatform`. */
  readonly indexesLate: boolean;
  /** In bytes: it imports files of this size, though that is more than is usual. */
  readonly largestFile: number;
  /** What it holds at its beginning; nothing else. */
  readonly organizations: readonly OrganizationWanted[];
  /** Whether what it logs has what only `debug` shows. */
  readonly logsDetails: boolean;
}

/** Where it answers, and the ids of the organizations that were wanted, in their order. */
export interface Standing {
  readonly url: string;
  readonly token: string;
  readonly organizations: readonly string[];
}

/** An error; one that is sent to another thread loses its code. */
export interface Failed {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** For the log of the process. */
export interface LogLine {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What it tells: one of the first two, once; lines of the log at any time. */
export type Told = { readonly standing: Standing } | { readonly failed: Failed } | { readonly line: LogLine };

function tell(told: Told): void {
  parentPort?.postMessage(told);
}

function toldLog({ logsDetails }: Order): Logger {
  const write = (json: string): void => {
    const {
      level,
      msg: message,
      time: _time,
      ...fields
    } = JSON.parse(json) as Record<string, unknown> & {
      level: LogLine['level'];
      msg: string;
    };
    tell({ line: { level, message, fields } });
  };
  return createLogger({ level: logsDetails ? 'debug' : 'info', pretty: false, destination: { write } });
}

async function stand(order: Order): Promise<Standing> {
  const { database, indexesLate, largestFile, takesUnknownValues } = order;
  const platform = await startPlatform({
    clock: systemClock(),
    random: systemRandom(),
    log: toldLog(order),
    database,
    organization: null,
    checks: createPlatformChecks({ takesUnknownValues }),
    indexesLate,
    importLimits: limitsFor(largestFile),
  });
  const { url, token } = platform;
  return { url, token, organizations: order.organizations.map((wanted) => furnish(platform, wanted)) };
}

try {
  tell({ standing: await stand(workerData as Order) });
} catch (error) {
  const { code, message, hint } = toAppError(error);
  tell({ failed: { code, message, hint } });
}
