// Asks the status page that runs, as whoever watches over the process does.
import { request } from 'undici';
import { codeOf, readableJson, withTimeout } from '../../base/index.ts';
import type { Config } from '../../config/index.ts';
import { openMemory, type Memory } from '../../daemon/index.ts';
import { statusAddress } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { daemonOf } from './one-process.ts';
import { memoryFile } from '../places.ts';

export interface Probed {
  /** Name of the platform in a list of them. */
  readonly name: string | null;
  readonly url: string;
  readonly ready: boolean;
  /** Why it is not ready; none when it is. */
  readonly reasons: readonly string[];
}

const PORT = 'status port';
const TIMEOUT_MS = 8000;

/** Notes the port of the daemon's page: the settings may say any free one, or another by now. */
export function notePort(memory: Memory, url: string): Promise<void> {
  return memory.set(PORT, Number(new URL(url).port || 80));
}

/** Asks whether the mirror is fresh and proven. What does not answer is not ready. */
export async function probe(kit: Kit, signal: AbortSignal): Promise<Probed> {
  const { config, clock } = kit;
  const url = pageOf(kit);
  try {
    const { status, text } = await withTimeout({ clock, ms: TIMEOUT_MS, signal }, async (either) => {
      const { statusCode, body } = await request(`${url}/readyz`, { headers: headersOf(config), signal: either });
      return { status: statusCode, text: await body.text() };
    });
    return { name: config.name, url, ready: status === 200, reasons: reasonsIn(status, text) };
  } catch (error) {
    signal.throwIfAborted();
    return { name: config.name, url, ready: false, reasons: [`it does not answer: ${whyOf(error)}`] };
  }
}

function pageOf({ config, log }: Kit): string {
  const { host, port } = config.status;
  const noted = daemonOf(config.dataDir) === null ? undefined : openMemory(memoryFile(config), log).get(PORT);
  // The token goes nowhere but to the host of the settings, whatever stands in that file.
  return statusAddress({ host, port: typeof noted === 'number' ? noted : port });
}

/** A probe that is open needs no token, so whoever may listen there in place of the page gets none. */
function headersOf({ status: { token, openProbes } }: Config): Record<string, string> {
  return token === null || openProbes ? {} : { authorization: `Bearer ${token.reveal()}` };
}

function reasonsIn(status: number, text: string): string[] {
  if (status === 200) return [];
  const reasons = status === 503 ? toldIn(text) : [];
  return reasons.length > 0 ? reasons : [`it answers ${status}`];
}

/** None where it is not the status page that says 503. */
function toldIn(text: string): string[] {
  const reasons = readableJson(text)?.['reasons'];
  return Array.isArray(reasons) ? reasons.map(String) : [];
}

function whyOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error));
}
