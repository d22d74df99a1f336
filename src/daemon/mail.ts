// One letter through a mail server.
import { getSystemErrorName } from 'node:util';
import { createTransport } from 'nodemailer';
import { codeOf, isLoopback, type Clock, type Secret } from '../base/index.ts';

export interface MailChannel {
  readonly url: Secret;
  readonly from: string;
  readonly to: readonly string[];
}

export interface Letter {
  readonly subject: string;
  readonly text: string;
}

// A step of the conversation; a server that is slow on purpose takes long for each.
const STEP_MS = 15_000;
// The whole of it: a server that goes on talking and never comes to an end is as good as none.
const WHOLE_MS = 60_000;

// RFC 3834: no program answers it, be it of somebody who is away or of a system of tickets, which would be answered in turn.
const WRITTEN_BY_A_PROGRAM = { 'Auto-Submitted': 'auto-generated' };

/**
 * Gives how many receivers the server refused while it took it for others. Throws when the server did not take it, with what it said as
 * `responseCode`, or when it takes too long or the signal aborts.
 */
export async function sendMail(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  { url, from, to }: MailChannel,
  letter: Letter,
): Promise<number> {
  const transport = createTransport({
    url: url.reveal(),
    requireTLS: isExposed(url),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  });
  const late = new AbortController();
  using _whole = clock.after(WHOLE_MS, () => late.abort(new DOMException('no end in time', 'TimeoutError')));
  try {
    // The library takes the signal; its types do not name it.
    const mail = {
      from,
      to: [...to],
      ...letter,
      headers: WRITTEN_BY_A_PROGRAM,
      signal: AbortSignal.any([signal, late.signal]),
    };
    return (await transport.sendMail(mail)).rejected.length;
  } catch (error) {
    throw codeOf(error) === 'ETLS' ? new NoTls(url) : error;
  } finally {
    transport.close();
  }
}

/** TLS was to begin, and the server began none. Its message says what lets the letter go without. */
export class NoTls extends Error {
  constructor(url: Secret) {
    const isWithheld = isExposed(url) && new URL(url.reveal()).searchParams.get('requireTLS') !== 'false';
    super(
      isWithheld
        ? 'the mail server begins no TLS, and a password is not sent without it; requireTLS=false in the address lets it'
        : 'the mail server offers TLS and does not begin it; ignoreTLS=true in the address does without',
    );
  }
}

/** A password that leaves this machine does so through TLS only, unless the address itself says `requireTLS=false`. */
function isExposed(url: Secret): boolean {
  const { password, hostname } = new URL(url.reveal());
  return password !== '' && !isLoopback(hostname);
}

/** What is behind the two codes that the library has for all that goes wrong below the conversation; null when it tells nothing. Names no host. */
export function socketReason(error: Error): string | null {
  const code = codeOf(error);
  // A name server that does not answer is another thing than one that does not know the name.
  if (code === 'EDNS' && 'originalCode' in error && typeof error.originalCode === 'string') return error.originalCode;
  if (code !== 'ESOCKET') return null;
  if ('errno' in error && typeof error.errno === 'number' && error.errno < 0) return getSystemErrorName(error.errno);
  // The host that it was for stands behind the colon.
  const [said = ''] = error.message.split(/[:;]/, 1);
  if (/certificate/i.test(said)) return `the certificate of the mail server is not accepted (${said})`;
  return 'reason' in error && typeof error.reason === 'string' ? `no TLS with the mail server (${error.reason})` : null;
}
