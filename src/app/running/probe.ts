// Asks the status page that runs, as whoever watches over the process does.
import { request } from 'undici';
import { codeOf, readableJson, withTimeout } from '../../base/index.ts';
import type { Config } from '../../config/index.ts';
import { openMemory, type Memory } from '../../daemon/index.ts';
import { mirrorIdentity, mirrorIfThere } from '../../mirror/index.ts';
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

/** Asks whether the mirror is fresh and proven. What does not answer is not ready, nor is what answers for another mirror. */
export async function probe(kit: Kit, signal: AbortSignal): Promise<Probed> {
  const url = pageOf(kit);
  const reasons = await reasonsAt(kit, url, signal);
  return { name: kit.config.name, url, ready: reasons.length === 0, reasons };
}

async function reasonsAt(kit: Kit, url: string, signal: AbortSignal): Promise<string[]> {
  const { config, clock } = kit;
  try {
    const { status, text } = await withTimeout({ clock, ms: TIMEOUT_MS, signal }, async (either) => {
      const { statusCode, body } = await request(`${url}/readyz`, { headers: headersOf(config), signal: either });
      return { status: statusCode, text: await body.text() };
    });
    const told = readableJson(text) ?? {};
    return isOfAnother(kit, told)
      ? [`it answers for another mirror than that of ${config.dataDir}`]
      : reasonsIn(status, told);
  } catch (error) {
    signal.throwIfAborted();
    return [`it does not answer: ${whyOf(error)}`];
  }
}

/** Two mirrors may have the same port in their settings, and only one of them has it. What tells no mirror is not compared. */
function isOfAnother(kit: Kit, { mirror }: Readonly<Record<string, unknown>>): boolean {
  return typeof mirror === 'string' && (ownIdentity(kit) ?? mirror) !== mirror;
}

/** Empty where there is no mirror; undefined where it cannot be read, as by a user who watches and has no right to. */
function ownIdentity({ config: { dataDir }, clock, log }: Kit): string | undefined {
  try {
    using mirror = mirrorIfThere({ dataDir, clock });
    return mirror === null ? '' : mirrorIdentity(mirror);
  } catch (error) {
    log.debug({ err: error }, 'the mirror cannot be read, so the page is not compared with it');
    return undefined;
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

function reasonsIn(status: number, told: Readonly<Record<string, unknown>>): string[] {
  if (status === 200) return told['ready'] === true ? [] : ['it answers 200, but not as a status page does'];
  const reasons = status === 503 ? told['reasons'] : undefined;
  // It need not be the status page that says 503.
  return Array.isArray(reasons) && reasons.length > 0 ? reasons.map(String) : [`it answers ${status}`];
}

function whyOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error));
}
