// Who may read: anybody on this machine while no token is set, whoever shows the token otherwise.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { AppError, isLoopback, isRecord, type Clock, type Secret } from '../base/index.ts';

export interface AccessSettings {
  readonly host: string;
  /** Null: none is asked for. */
  readonly token: Secret | null;
  /** Readiness and metrics answer without the token. */
  readonly openProbes: boolean;
}

export const SESSION_COOKIE = 'docmirror_session';
const SESSION_MS = 30 * 24 * 3_600_000;
const ALWAYS_OPEN: readonly string[] = ['/healthz', '/style.css', '/icon.svg'];
/** For whoever has no token to show yet; where there is none to show, no word would be the right one. */
const DOOR = '/login';
/** Answered without a token where the settings say so. */
export const PROBES: readonly string[] = ['/readyz', '/metrics'];

/** Wrong tokens that one address may show in a while. */
const TRIES = 5;
const TRIES_MS = 60_000;
const MOST_ADDRESSES = 1000;

export type Verdict =
  | { readonly is: 'allowed' }
  | { readonly is: 'refused' }
  | { readonly is: 'slowed'; readonly retryAfterS: number }
  | { readonly is: 'closed'; readonly why: string };

export interface Access {
  readonly judge: (c: Context) => Verdict;
  /** Compares what a form gave; a wrong one counts as a try. */
  readonly tryToken: (c: Context, given: string) => Verdict;
  /** Value and lifetime in seconds of a session's cookie. */
  readonly session: () => { readonly value: string; readonly maxAgeS: number };
}

/** Throws DM_CONFIG_INVALID for an address that others reach, without a token to keep them out. */
export function refuseOpenDoor({ host, token, openProbes }: AccessSettings): void {
  if (isLoopback(host) || token !== null || openProbes) return;
  throw new AppError(
    'DM_CONFIG_INVALID',
    `Setting status.host is ${host}, which others can reach, and there is no status.token; expected a token, or an address of this machine alone`,
    {
      hint: 'Set DOCMIRROR_STATUS_TOKEN_FILE (or DOCMIRROR_STATUS_TOKEN), or DOCMIRROR_STATUS_HOST=127.0.0.1. With DOCMIRROR_STATUS_OPEN_PROBES=true and no token, only /healthz, /readyz and /metrics answer.',
    },
  );
}

export function createAccess(settings: AccessSettings, clock: Clock): Access {
  const tries = createTries(clock);
  const { token } = settings;
  const tryToken = (c: Context, given: string): Verdict => {
    const address = addressOf(c);
    const waitMs = tries.waitMs(address);
    if (waitMs > 0) return { is: 'slowed', retryAfterS: Math.ceil(waitMs / 1000) };
    if (token !== null && isEqual(given, token.reveal())) return { is: 'allowed' };
    tries.note(address);
    return { is: 'refused' };
  };
  return {
    tryToken,
    judge: (c) => judge(c, { settings, clock, tryToken }),
    session: () => {
      const until = String(clock.now() + SESSION_MS);
      return { value: `${until}.${signature(token, until)}`, maxAgeS: SESSION_MS / 1000 };
    },
  };
}

interface Judging {
  readonly settings: AccessSettings;
  readonly clock: Clock;
  readonly tryToken: Access['tryToken'];
}

function judge(c: Context, { settings, clock, tryToken }: Judging): Verdict {
  const { path } = c.req;
  const { token, host, openProbes } = settings;
  if (ALWAYS_OPEN.includes(path) || (openProbes && PROBES.includes(path))) return { is: 'allowed' };
  if (token === null) return judgeOpen(c, host);
  if (path === DOOR) return { is: 'allowed' };
  if (isSession(getCookie(c, SESSION_COOKIE) ?? '', token, clock)) return { is: 'allowed' };
  const given = givenToken(c.req.header('authorization') ?? '');
  return given === null ? { is: 'refused' } : tryToken(c, given);
}

/**
 * Without a token only this machine may read. A page of some other site that lets its own name lead to this machine could read too:
 * its requests carry that name, so names other than that of this machine are refused.
 */
function judgeOpen(c: Context, host: string): Verdict {
  if (!isLoopback(host)) return { is: 'closed', why: 'Only the probes answer until status.token is set.' };
  const address = `http://${c.req.header('host') ?? 'localhost'}`;
  const name = URL.canParse(address) ? new URL(address).hostname.replaceAll(/^\[|\]$/g, '') : 'unknown';
  if (isLoopback(name) || name.endsWith('.localhost') || /^[\d.]+$|:/.test(name)) return { is: 'allowed' };
  return { is: 'closed', why: `Asked for by the name ${name}: set status.token to serve it under that name.` };
}

function givenToken(header: string): string | null {
  const [scheme = '', value = ''] = header.split(/\s+/, 2);
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return null;
  const text = Buffer.from(value, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** Signed with the token itself: another token ends every session, a restart ends none. */
function signature(token: Secret | null, until: string): string {
  return createHmac('sha256', token?.reveal() ?? '')
    .update(`docmirror status session until ${until}`)
    .digest('base64url');
}

function isSession(cookie: string, token: Secret, clock: Clock): boolean {
  const [until = '', signed = ''] = cookie.split('.', 2);
  return isEqual(signed, signature(token, until)) && Number(until) > clock.now();
}

function isEqual(given: string, expected: string): boolean {
  const key = 'docmirror';
  const [a, b] = [given, expected].map((text) => createHmac('sha256', key).update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function addressOf(c: Context): string {
  const env: unknown = c.env;
  const incoming = isRecord(env) && isRecord(env['incoming']) ? env['incoming'] : {};
  const socket = isRecord(incoming['socket']) ? incoming['socket'] : {};
  const address = socket['remoteAddress'];
  return typeof address === 'string' ? networkOf(address) : 'unknown';
}

const IPV4_WITHIN = /^::ffff:(?=[\d.]+$)/i;
const PARTS = 8;

/** Whoever has an address of IPv6 has all 2^64 of its network. */
function networkOf(address: string): string {
  const plain = address.replace(IPV4_WITHIN, '');
  if (!plain.includes(':')) return plain;
  const [first = [], last = []] = plain.split('::', 2).map((half) => half.split(':').filter((part) => part !== ''));
  const zeros = Array.from({ length: PARTS - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, PARTS / 2).join(':');
}

interface Tries {
  waitMs(address: string): number;
  note(address: string): void;
}

function createTries(clock: Clock): Tries {
  const wrong = new Map<string, number[]>();
  const recent = (address: string): number[] =>
    (wrong.get(address) ?? []).filter((at) => at > clock.monotonic() - TRIES_MS);
  return {
    waitMs: (address) => {
      const times = recent(address);
      return times.length < TRIES ? 0 : (times[0] ?? 0) + TRIES_MS - clock.monotonic();
    },
    note: (address) => {
      const times = [...recent(address), clock.monotonic()];
      wrong.delete(address);
      wrong.set(address, times);
      const [oldest] = wrong.keys();
      if (wrong.size > MOST_ADDRESSES && oldest !== undefined) wrong.delete(oldest);
    },
  };
}

/** Lets through what may be read, and answers the rest by what it accepts: a form for people, JSON for programs. */
export function guard(
  access: Access,
  refuse: (c: Context, verdict: Verdict) => Response | Promise<Response>,
): MiddlewareHandler {
  return async (c, next) => {
    const verdict = access.judge(c);
    if (verdict.is !== 'allowed') return refuse(c, verdict);
    await next();
    return undefined;
  };
}
