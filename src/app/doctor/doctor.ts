// The mistakes that people make most, looked for one by one. Nothing is changed.
//  1 no address, or not that of the API, or one without an answer  6 the data directory cannot be used, or is open to others
//  2 a token sent without encryption to another machine            7 the disk is nearly full, or is one over a network
//  3 no token, one that is refused, or shows no organization       8 another process holds the lease
//  4 the token lacks a right that the walk needs                   9 the address of the status page is taken
//  5 the clock is wrong                                           10 no night is planned, nobody is told when one goes wrong,
//                                                                    or the last one was long ago, incomplete or never drilled
import { request } from 'undici';
import { count, isLoopback, span, withTimeout, zoneHere } from '../../base/index.ts';
import { createAgent, createClient, networkReason } from '../../client/index.ts';
import { placesOf, requirePlatform, type PlatformConfig } from '../../config/index.ts';
import { operationOf } from '../../contract/index.ts';
import { demoOf } from '../demo.ts';
import { bad, good, warning, type Finding } from './finding.ts';
import { examinePlaces, examineStatusPage } from './doctor-places.ts';
import type { Kit } from '../kit.ts';

// A walk asks thousands of times.
const SLOW_MS = 5000;
const SKEW_MS = 60_000;

/** Looks at configuration, platform, token, rights, clock, disk, lease and mirror. */
export async function examine(kit: Kit, signal: AbortSignal): Promise<Finding[]> {
  const { dataDir, schedule } = kit.config;
  const zone = schedule.timezone ?? zoneHere();
  const scheduled = schedule.sync === null ? 'no walk is scheduled' : `walks at "${schedule.sync}" (${zone})`;
  const configuration = good('configuration', `data directory ${dataDir}, ${scheduled}`);
  return [
    configuration,
    ...examineAddress(kit),
    ...(await examinePlatform(kit, signal)),
    ...(await examinePlaces(kit)),
    ...(await examineStatusPage(kit)),
    ...examineNights(kit),
  ];
}

/** A token that crosses a network in the open can be read by whoever is on the way. */
function examineAddress({ config }: Kit): Finding[] {
  const { baseUrl } = config.platform;
  if (baseUrl === null) return [];
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  const hint = 'Use the https address: without it the token can be read on its way.';
  return [warning('address', `${baseUrl} is not encrypted, and ${hostname} is another machine`, hint)];
}

/** Nights that are not planned, or of which nobody would hear. */
function examineNights({ config }: Kit): Finding[] {
  const { schedule, notify } = config;
  const findings: Finding[] = [];
  if (schedule.sync === null)
    findings.push(
      warning('schedule', 'no walk is scheduled', 'Set schedule.sync, or run docmirror sync by a timer of your own.'),
    );
  if (schedule.drill === null)
    findings.push(
      warning('schedule', 'no drill is scheduled', 'Set schedule.drill: only a rehearsed restore is a proven one.'),
    );
  const isTold =
    notify.webhook !== null || notify.mail !== null || notify.ping.success !== null || notify.ping.failure !== null;
  const hint =
    'Set notify.webhook, notify.mailUrl or notify.pingSuccess: a backup that stops silently is found too late.';
  return isTold ? findings : [...findings, warning('notifications', 'nobody is told when a night goes wrong', hint)];
}

async function examinePlatform(kit: Kit, signal: AbortSignal): Promise<Finding[]> {
  let platform: PlatformConfig;
  try {
    platform = requirePlatform(kit.config);
  } catch (error) {
    return [missingPlatform(kit, error)];
  }
  try {
    const answered = await examineAnswer(kit, platform, signal);
    const reached = answered.every(({ state }) => state !== 'bad');
    return reached ? [...answered, ...(await examineToken(kit, platform, signal))] : answered;
  } catch (error) {
    // Whoever ended it found nothing bad, and waits for no other finding.
    signal.throwIfAborted();
    return [bad('platform', error)];
  }
}

/** No walk can be made; whoever only reads the mirror, or has the demonstration there, is told so. */
function missingPlatform({ config }: Kit, error: unknown): Finding {
  const finding = bad('platform', error);
  const demo = demoOf(config);
  const flags = demo === null ? '' : ` For the demo, while docmirror start runs it: ${demo.flags}`;
  return { ...finding, hint: `${finding.hint} Reading the mirror needs neither.${flags}` };
}

/** Asks without a token: any answer proves the way there, and carries the platform's time. */
async function examineAnswer(
  { clock, config }: Kit,
  { baseUrl }: PlatformConfig,
  signal: AbortSignal,
): Promise<Finding[]> {
  const started = clock.now();
  const dispatcher = createAgent(config.proxies);
  try {
    const answer = await withTimeout({ clock, ms: config.limits.timeoutMs, signal }, async (either) => {
      const address = `${baseUrl}${operationOf('listOrganizations').path}`;
      const found = await request(address, { dispatcher, signal: either });
      await found.body.dump();
      return found;
    });
    const ended = clock.now();
    const page = webPage(answer.headers['content-type']);
    if (page !== null) {
      const hint =
        'Check that the base address leads to the API itself and not to a web page, a proxy or a login page.';
      const found = `${baseUrl} answers ${answer.statusCode} with ${page} where the API answers JSON (DM_NOT_JSON)`;
      return [{ check: 'platform', state: 'bad', found, hint }];
    }
    return [answering(baseUrl, ended - started), ...skewOf(answer.headers.date, (started + ended) / 2)];
  } catch (error) {
    signal.throwIfAborted();
    const { http, https } = config.proxies;
    const way = http === null && https === null ? 'the network' : 'the network, the proxy (HTTPS_PROXY, NO_PROXY)';
    const hint = `Check the base address, ${way} and the platform.`;
    const found = `${baseUrl} does not answer: ${error instanceof Error ? networkReason(error, baseUrl) : String(error)}`;
    return [{ check: 'platform', state: 'bad', found, hint }];
  } finally {
    await dispatcher.destroy();
  }
}

function answering(baseUrl: string, ms: number): Finding {
  if (ms < SLOW_MS) return good('platform', `${baseUrl} answers in ${ms} ms`);
  const hint =
    'A walk asks so often that it may take hours: docmirror sync --plan tells how long, and limits.concurrency sets how much it asks for at once.';
  return warning('platform', `${baseUrl} takes ${span(ms)} to answer`, hint);
}

/** The content type of an answer that no API gives; null when it may be one. */
function webPage(type: string | string[] | undefined): string | null {
  const given = Array.isArray(type) ? type[0] : type;
  return given !== undefined && /^(text\/html|application\/xhtml)/i.test(given) ? given : null;
}

function skewOf(date: string | string[] | undefined, now: number): Finding[] {
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(theirs)) return [];
  if (Math.abs(now - theirs) <= SKEW_MS) return [good('clock', 'agrees with the platform')];
  const found = `${span(Math.abs(now - theirs))} ${now > theirs ? 'ahead of' : 'behind'} the platform`;
  return [warning('clock', found, 'Set the clock of this machine, for example with NTP.')];
}

async function examineToken(kit: Kit, { baseUrl, token }: PlatformConfig, signal: AbortSignal): Promise<Finding[]> {
  const { clock, random, log, config } = kit;
  const limits = { ...config.limits, retries: 0 };
  const tokenPlaces = placesOf('token', config);
  const { proxies } = config;
  await using client = createClient({ baseUrl, token, tokenPlaces, clock, random, log, limits, proxies });
  const options = { signal };
  try {
    const { items } = await client.call('listOrganizations', { query: {} }, options);
    if (items.length === 0) {
      const hint = 'Use the token of a member of the organization that is to be mirrored.';
      return [{ check: 'token', state: 'bad', found: 'it is accepted, but shows no organization', hint }];
    }
    const found = good('token', `shows ${count(items.length, 'organization')}`);
    const rights: Finding[] = [];
    for (const { id } of items) {
      try {
        const first = { path: { organizationId: id }, query: { limit: 1 } };
        await client.call('listMembers', first, options);
        await client.call('listCollections', first, options);
        rights.push(good('rights', `members and collections of ${id} can be listed`));
      } catch (error) {
        signal.throwIfAborted();
        rights.push({ ...bad('rights', error), state: 'warning' });
      }
    }
    return [found, ...rights];
  } catch (error) {
    signal.throwIfAborted();
    return [bad('token', error)];
  }
}
