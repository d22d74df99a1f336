// Settings that say where something is: addresses, hosts and networks.
import { isIP } from 'node:net';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { list, setting, type About, type Setting } from './setting.ts';

/** An http(s) address, without the slash at its end and, for a platform, without `/v1`. */
export function address(about: About, options: { version: boolean } = { version: false }): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'an http:// or https:// address without user name, password, query or fragment',
    convert: (given) => normaliseAddress(String(given), options.version),
  });
}

/** What a server listens on; not an address of the web, and nothing unseen in it. */
export function host(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ pattern: '^[^\\s/\\x00-\\x1f\\x7f]+$' }),
    expected: 'a host name or an IP address',
    convert: String,
  });
}

/** An address that nobody else may know: a password stands in it, or whoever has it may use it. Never shown. */
export function secretAddress(about: About, protocols: readonly string[]): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: `an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')} and the name of a host`,
    convert: (given) => {
      const text = String(given).trim();
      if (!URL.canParse(text)) return undefined;
      const { protocol, hostname } = new URL(text);
      // `smtp:mail.example.com` has none, and a letter would go to whatever listens on this machine.
      return protocols.includes(protocol) && hostname !== '' ? text : undefined;
    },
    secret: true,
  });
}

// What a letter is sent to. The library that sends it leaves out what it cannot read, without a word.
const MAIL_ADDRESS = '[^\\s@<>(),;:"\\x00-\\x1f\\x7f]+@[^\\s@<>(),;:"\\x00-\\x1f\\x7f]+';
const MAIL_NAME = '(?:"[^"\\x00-\\x1f\\x7f]*" *|[^@<>(),;:"\\x00-\\x1f\\x7f]*)';
const MAILBOX = `(?:${MAIL_ADDRESS}|${MAIL_NAME}<${MAIL_ADDRESS}>)`;

/** An e-mail address, alone or behind a name as `Name <address>`. */
export function mailbox(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ pattern: `^${MAILBOX}$` }),
    expected: 'an e-mail address such as docmirror@example.com',
    convert: String,
  });
}

/** A list of them; one of its items may hold several, divided by commas or semicolons. */
export function mailboxes(about: About): Setting<string[]> {
  const inner = list(about, 'a list of e-mail addresses such as robin@example.com');
  const schema = Type.Array(Type.String({ pattern: `^${MAILBOX}(?: *[,;] *${MAILBOX})*$` }));
  return {
    ...inner,
    schema,
    parse: (given) => (Check(schema, given) ? inner.parse(given) : undefined),
  };
}

/** An http(s) address in which `{name}` stands once for the name of a file. */
export function addressTemplate(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'an http:// or https:// address with {name} once in its path or query',
    convert: (given) => (isTemplate(String(given)) ? String(given) : undefined),
  });
}

function isTemplate(given: string): boolean {
  const [before = '', after, ...more] = given.split('{name}');
  if (after === undefined || more.length > 0 || !URL.canParse(`${before}name${after}`)) return false;
  // What follows # is never sent.
  if (before.includes('#')) return false;
  const { protocol, host } = new URL(`${before}name${after}`);
  return /^https?:$/.test(protocol) && URL.canParse(before) && new URL(before).host === host && !after.startsWith(':');
}

function normaliseAddress(given: string, version: boolean): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (version ? path.replace(/\/v1$/, '').replace(/\/+$/, '') : path);
}

/** Where something may be fetched from: hosts by name, address or network, `*` for all. */
export function networks(about: About): Setting<string[]> {
  const inner = list(about, 'a list of host names, addresses and networks such as 10.0.0.0/8, or * for all');
  return {
    ...inner,
    parse: (given) => {
      const found = inner.parse(given);
      return found?.every(isNetwork) ? found : undefined;
    },
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (bits !== undefined) {
    return rest.length === 0 && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  }
  // What ends in a number is read as an address by everything that resolves names.
  return text === '*' || family !== 0 || (HOST_NAME.test(text) && !/(?:^|\.)\d+$/.test(text));
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/i;
